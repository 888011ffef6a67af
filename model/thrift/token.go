package thrift

import "strings"

// kind is what a token is. Words of the language have the kind of their own.
type kind uint8

const (
	tokEOF kind = iota
	tokIdentifier
	tokString
	tokPositive // digits
	tokNegative // - and digits
	tokDouble
	tokAddress // four numbers joined by dots
	tokMark    // one of ; [ ] { } ( ) : , . / = > < >= <= ?
	tokWord    // a keyword, in upper case in name
	tokBad     // what no token begins with
)

// token is one piece of a statement. name is what stands for it in the grammar:
// the mark, the keyword, or the kind's own name.
type token struct {
	kind kind
	name string
	text string // as written
	at   int    // character in its line
	bad  *SyntaxError
}

// is says whether the token is that mark, keyword or kind.
func (t token) is(name string) bool { return t.name == name }

// display is the token in messages.
// Source: ANTLR 3 BaseRecognizer.getTokenErrorDisplay.
func (t token) display() string {
	text := t.text
	if t.kind == tokEOF {
		text = "<EOF>"
	}
	return "'" + strings.NewReplacer("\n", `\n`, "\r", `\r`, "\t", `\t`).Replace(text) + "'"
}

// keywords are the words that need quotes to be names, with the name that
// messages give them: those without a rule of their own appear in quotes.
// Source: Cassandra 2.1 Cli.g.
var keywords = map[string]string{
	"CONFIG": "CONFIG", "CONNECT": "CONNECT", "COUNT": "COUNT", "DEL": "DEL", "DESCRIBE": "DESCRIBE", "USE": "USE", "GET": "GET", "HELP": "HELP",
	"EXIT": "EXIT", "FILE": "FILE", "QUIT": "QUIT", "SET": "SET", "INCR": "INCR", "DECR": "DECR", "SHOW": "SHOW", "KEYSPACE": "KEYSPACE",
	"KEYSPACES": "KEYSPACES", "CREATE": "CREATE", "DROP": "DROP", "COLUMN": "COLUMN", "COLUMNS": "COLUMNS", "FAMILY": "FAMILY", "WITH": "WITH",
	"BY": "BY", "AND": "AND", "UPDATE": "UPDATE", "LIST": "LIST", "LIMIT": "LIMIT", "TRUNCATE": "TRUNCATE", "ASSUME": "ASSUME", "TTL": "TTL",
	"CONSISTENCYLEVEL": "CONSISTENCYLEVEL", "INDEX": "INDEX", "ON": "ON", "SCHEMA": "SCHEMA", "NEXT": "NEXT", "TRACE": "TRACE",
	"PROBABILITY": "PROBABILITY", "API VERSION": "API_VERSION",
	"AS": "'AS'", "WHERE": "'WHERE'", "CLUSTER": "'CLUSTER'", "CLUSTER NAME": "'CLUSTER NAME'", "REVERSED": "'REVERSED'",
}

// marks are the single characters that are tokens.
const marks = ";[]{}():,./=?<>"

// IsKeyword says whether a word needs quotes to be a name.
func IsKeyword(word string) bool {
	_, is := keywords[strings.ToUpper(word)]
	return is
}
