package cql

// The keywords stand in four ranges, so that a class is one comparison.
// Source: Cassandra 5.0 Lexer.g, Parser.g rules native_type,
// basic_unreserved_keyword, unreserved_keyword.
const (
	kAscii kind = iota + firstKeyword
	kBigint
	kBlob
	kBoolean
	kCounter
	kDecimal
	kDouble
	kDuration
	kFloat
	kInet
	kInt
	kSmallint
	kText
	kTimestamp
	kTinyint
	kUuid
	kVarchar
	kVarint
	kTimeuuid
	kDate
	kTime
	kKeys
	kAs
	kCluster
	kClustering
	kCompact
	kStorage
	kTables
	kType
	kTypes
	kValues
	kMap
	kList
	kFiltering
	kPermission
	kPermissions
	kKeyspaces
	kAll
	kUser
	kUsers
	kRole
	kRoles
	kIdentity
	kSuperuser
	kNosuperuser
	kLogin
	kNologin
	kOptions
	kPassword
	kHashed
	kExists
	kCustom
	kTrigger
	kContains
	kInternals
	kOnly
	kStatic
	kFrozen
	kTuple
	kFunction
	kFunctions
	kAggregate
	kAggregates
	kSfunc
	kStype
	kFinalfunc
	kInitcond
	kReturns
	kLanguage
	kCalled
	kInput
	kLike
	kPer
	kPartition
	kGroup
	kDatacenters
	kCidrs
	kAccess
	kDefault
	kMbean
	kMbeans
	kReplace
	kUnset
	kMasked
	kUnmask
	kSelectMasked
	kVector
	kAnn
	kTtl
	kCount
	kWritetime
	kMaxwritetime
	kKey
	kCast
	kJson
	kDistinct
	kSelect
	kFrom
	kWhere
	kAnd
	kEntries
	kFull
	kInsert
	kUpdate
	kWith
	kLimit
	kUsing
	kUse
	kSet
	kBegin
	kUnlogged
	kBatch
	kApply
	kTruncate
	kDelete
	kIn
	kCreate
	kSchema
	kKeyspace
	kColumnfamily
	kMaterialized
	kView
	kIndex
	kOn
	kTo
	kDrop
	kPrimary
	kInto
	kAlter
	kRename
	kAdd
	kOrder
	kBy
	kAsc
	kDesc
	kAllow
	kIf
	kIs
	kGrant
	kOf
	kRevoke
	kModify
	kAuthorize
	kDescribe
	kExecute
	kNorecursive
	kToken
	kNull
	kNot
	kOr
	lastKeyword
)

const (
	lastNative     = kTime
	lastBasic      = kAnn
	lastUnreserved = kDistinct
)

// keywordNames are the words from firstKeyword on; kColumnfamily and kTables have other
// spellings besides, see keywordAliases.
var keywordNames = [...]string{
	"ASCII", "BIGINT", "BLOB", "BOOLEAN", "COUNTER", "DECIMAL", "DOUBLE", "DURATION", "FLOAT",
	"INET", "INT", "SMALLINT", "TEXT", "TIMESTAMP", "TINYINT", "UUID", "VARCHAR", "VARINT",
	"TIMEUUID", "DATE", "TIME", "KEYS", "AS", "CLUSTER", "CLUSTERING", "COMPACT", "STORAGE",
	"TABLES", "TYPE", "TYPES", "VALUES", "MAP", "LIST", "FILTERING", "PERMISSION", "PERMISSIONS",
	"KEYSPACES", "ALL", "USER", "USERS", "ROLE", "ROLES", "IDENTITY", "SUPERUSER", "NOSUPERUSER",
	"LOGIN", "NOLOGIN", "OPTIONS", "PASSWORD", "HASHED", "EXISTS", "CUSTOM", "TRIGGER", "CONTAINS",
	"INTERNALS", "ONLY", "STATIC", "FROZEN", "TUPLE", "FUNCTION", "FUNCTIONS", "AGGREGATE",
	"AGGREGATES", "SFUNC", "STYPE", "FINALFUNC", "INITCOND", "RETURNS", "LANGUAGE", "CALLED",
	"INPUT", "LIKE", "PER", "PARTITION", "GROUP", "DATACENTERS", "CIDRS", "ACCESS", "DEFAULT",
	"MBEAN", "MBEANS", "REPLACE", "UNSET", "MASKED", "UNMASK", "SELECT_MASKED", "VECTOR", "ANN",
	"TTL", "COUNT", "WRITETIME", "MAXWRITETIME", "KEY", "CAST", "JSON", "DISTINCT", "SELECT",
	"FROM", "WHERE", "AND", "ENTRIES", "FULL", "INSERT", "UPDATE", "WITH", "LIMIT", "USING", "USE",
	"SET", "BEGIN", "UNLOGGED", "BATCH", "APPLY", "TRUNCATE", "DELETE", "IN", "CREATE", "SCHEMA",
	"KEYSPACE", "COLUMNFAMILY", "MATERIALIZED", "VIEW", "INDEX", "ON", "TO", "DROP", "PRIMARY",
	"INTO", "ALTER", "RENAME", "ADD", "ORDER", "BY", "ASC", "DESC", "ALLOW", "IF", "IS", "GRANT",
	"OF", "REVOKE", "MODIFY", "AUTHORIZE", "DESCRIBE", "EXECUTE", "NORECURSIVE", "TOKEN", "NULL",
	"NOT", "OR",
}
