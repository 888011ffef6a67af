package bind

import (
	"encoding/hex"
	"fmt"

	"ringlab/model/plan"
	"ringlab/model/schema"
	"ringlab/model/types"
)

// longest is how many bytes a key or a name may have.
const longest = 65535

// Env is what an operation is checked against.
type Env struct {
	Schema   *schema.Schema
	Keyspace string // in use, "" for none
	Now      int64  // seconds since 1970
}

// family finds a column family, or a CQL table as the classic side sees it.
// Source: Cassandra 2.1 ThriftValidation.validateColumnFamily.
func (e *Env) family(name string) (*View, error) {
	if e.Keyspace == "" {
		return nil, plan.Invalid("You have not set a keyspace for this session")
	}
	if name == "" {
		return nil, plan.Invalid("non-empty columnfamily is required")
	}
	t := e.Schema.Table(e.Keyspace, name)
	if t == nil || t.IsView() {
		return nil, plan.Invalid("unconfigured columnfamily %s", name)
	}
	return ViewOf(t), nil
}

// familyFor is family for an operation that only counters, or only others, have.
func (e *Env) familyFor(name string, counter bool) (*View, error) {
	v, err := e.family(name)
	switch {
	case err != nil:
		return nil, err
	case counter && !v.Counter():
		return nil, plan.Invalid("invalid operation for non commutative columnfamily %s", name)
	case !counter && v.Counter():
		return nil, plan.Invalid("invalid operation for commutative columnfamily %s", name)
	}
	return v, nil
}

// validateKey checks a row key. Source: ThriftValidation.validateKey.
func (v *View) validateKey(key []byte) error {
	switch {
	case len(key) == 0:
		return plan.Invalid("Key may not be empty")
	case len(key) > longest:
		return plan.Invalid("Key length of %d is longer than maximum of %d", len(key), longest)
	}
	if err := v.KeyClass.ClassicValidate(key); err != nil {
		return plan.Invalid("%s", err)
	}
	return nil
}

// nameClass is the class of the names under a super column, or of the outer ones.
// Source: Cassandra 2.1 SuperColumns.getComparatorFor.
func (v *View) nameClass(super []byte) *types.Comparator {
	if super != nil && v.Super {
		return v.Subcomparator
	}
	return v.Comparator
}

// validateNames checks column names. Source: ThriftValidation.validateColumnNames.
func (v *View) validateNames(super []byte, names ...Bytes) error {
	if super != nil {
		switch {
		case len(super) > longest:
			return plan.Invalid("supercolumn name length must not be greater than %d", longest)
		case len(super) == 0:
			return plan.Invalid("supercolumn name must not be empty")
		case !v.Super:
			return plan.Invalid("supercolumn specified to ColumnFamily %s containing normal columns", v.Table.Name)
		}
	}
	class := v.nameClass(super)
	for _, name := range names {
		switch {
		case len(name) > longest:
			return plan.Invalid("column name length must not be greater than %d", longest)
		case len(name) == 0:
			return plan.Invalid("column name must not be empty")
		}
		if err := class.ClassicValidate(name); err != nil {
			return plan.Invalid("%s", err)
		}
		if v.CQL3 {
			if err := v.validateCell(name); err != nil {
				return err
			}
		}
	}
	return nil
}

// validateParent checks what holds columns. Source: ThriftValidation.validateColumnParent.
func (v *View) validateParent(p ColumnParent) error {
	if !v.Super && p.Super != nil {
		return plan.Invalid("columnfamily alone is required for standard CF %s", v.Table.Name)
	}
	if p.Super != nil {
		return v.validateNames(nil, p.Super)
	}
	return nil
}

// validatePath checks the name of one column. Source: ThriftValidation.validateColumnPath.
func (v *View) validatePath(super, column Bytes) error {
	switch {
	case !v.Super && super != nil:
		return plan.Invalid("supercolumn parameter is invalid for standard CF %s", v.Table.Name)
	case !v.Super && column == nil:
		return plan.Invalid("column parameter is not optional for standard CF %s", v.Table.Name)
	case v.Super && super == nil:
		return plan.Invalid("supercolumn parameter is not optional for super CF %s", v.Table.Name)
	}
	if column != nil {
		if err := v.validateNames(super, column); err != nil {
			return err
		}
	}
	if super != nil {
		return v.validateNames(nil, super)
	}
	return nil
}

// validateRemoval checks what a removal names.
// Source: ThriftValidation.validateColumnPathOrParent.
func (v *View) validateRemoval(p ColumnPath) error {
	switch {
	case !v.Super && p.Super != nil:
		return plan.Invalid("supercolumn may not be specified for standard CF %s", v.Table.Name)
	case v.Super && p.Super == nil && p.Column != nil:
		return plan.Invalid("A column cannot be specified without specifying a super column for removal on super CF %s", v.Table.Name)
	}
	if p.Column != nil {
		if err := v.validateNames(p.Super, p.Column); err != nil {
			return err
		}
	}
	if p.Super != nil {
		return v.validateNames(nil, p.Super)
	}
	return nil
}

// validatePredicate checks what a read asks for. Source: ThriftValidation.validatePredicate.
func (v *View) validatePredicate(parent ColumnParent, p SlicePredicate) error {
	switch {
	case p.Names == nil && p.Range == nil:
		return plan.Invalid("predicate column_names and slice_range may not both be null")
	case p.Names != nil && p.Range != nil:
		return plan.Invalid("predicate column_names and slice_range may not both be present")
	case p.Range != nil:
		return v.validateRange(parent.Super, p.Range)
	}
	return v.validateNames(parent.Super, p.Names...)
}

// validateRange checks a stretch of names. Source: ThriftValidation.validateRange.
func (v *View) validateRange(super []byte, r *SliceRange) error {
	switch {
	case r.Count < 0:
		return plan.Invalid("get_slice requires non-negative count")
	case len(r.Start) > longest:
		return plan.Invalid("range start length cannot be larger than %d", longest)
	case len(r.Finish) > longest:
		return plan.Invalid("range finish length cannot be larger than %d", longest)
	}
	return r.fits(v.nameClass(super))
}

// fits checks that the bounds are names of a class, in its order.
func (r *SliceRange) fits(class *types.Comparator) error {
	for _, bound := range []Bytes{r.Start, r.Finish} {
		if err := class.ClassicValidate(bound); err != nil {
			return plan.Invalid("%s", err)
		}
	}
	if r.passes(class) {
		return plan.Invalid("range finish must come after start in the order of traversal")
	}
	return nil
}

// passes says whether the finish comes before the start on the way.
func (r *SliceRange) passes(class *types.Comparator) bool {
	if len(r.Start) == 0 || len(r.Finish) == 0 {
		return false
	}
	order := class.Compare(r.Start, r.Finish)
	if r.Reversed {
		order = -order
	}
	return order > 0
}

// CheckRange checks the bounds of a stretch of names, for a preview of what a
// column family with that comparator would say.
func CheckRange(class *types.Comparator, start, finish []byte, reversed bool) error {
	return (&SliceRange{Start: start, Finish: finish, Reversed: reversed}).fits(class)
}

// The bounds of a TTL. Source: Cassandra 2.1 ExpiringCell.MAX_TTL, Cell.MAX_DELETION_TIME.
const (
	maxTTL    = 20 * 365 * 24 * 60 * 60
	maxExpiry = 1<<31 - 2
)

// validateData checks value, timestamp and TTL of a column.
// Source: ThriftValidation.validateColumnData, ExpirationDateOverflowHandling.
func (v *View) validateData(e *Env, super []byte, c *Column) error {
	t := v.Table
	if c.TTL != nil {
		switch ttl := *c.TTL; {
		case ttl <= 0:
			return plan.Invalid("ttl must be positive")
		case ttl > maxTTL:
			return plan.Invalid("ttl is too large. requested (%d) maximum (%d)", ttl, maxTTL)
		case e.Now+int64(ttl) > maxExpiry:
			return plan.Invalid("Request on table %s.%s with ttl of %d seconds exceeds maximum supported expiration date of 2038-01-19T03:14:06+00:00. "+
				"In order to avoid this use a lower TTL, change the expiration date overflow policy or upgrade to a version where this limitation is fixed. "+
				"See CASSANDRA-14092 for more details.", t.Keyspace, t.Name, ttl)
		}
	}
	switch {
	case c.Value == nil:
		return plan.Invalid("Column value is required")
	case c.Timestamp == nil:
		return plan.Invalid("Column timestamp is required")
	}
	if err := v.ValueClassOf(c.Name).ClassicValidate(c.Value); err != nil {
		name, nameErr := v.nameClass(super).ClassicText(c.Name)
		if nameErr != nil {
			name = hex.EncodeToString(c.Name)
		}
		return plan.Invalid("(%s) [%s][%s][%s] failed validation", err, t.Keyspace, t.Name, name)
	}
	if f := v.Family; f != nil && !f.Super {
		if m := f.Column(c.Name); m != nil && m.Index != "" && len(c.Value) > longest {
			return plan.Invalid("Can't index column value of size %d for index %s.%s in CF %s of KS %s", len(c.Value), t.Name, m.Index, t.Name, t.Keyspace)
		}
	}
	return nil
}

// validateExpressions checks tests of rows and says whether an index finds them.
// Source: ThriftValidation.validateFilterClauses.
func (v *View) validateExpressions(list []IndexExpression) (indexed bool, err error) {
	for _, x := range list {
		pair := fmt.Sprintf("[%s]=[%s]", hex.EncodeToString(x.Column), hex.EncodeToString(x.Value))
		if err := v.Comparator.ClassicValidate(x.Column); err != nil {
			return false, plan.Invalid("%s failed name validation (%s)", pair, err)
		}
		if len(x.Value) > longest {
			return false, plan.Invalid("Index expression values may not be larger than 64K")
		}
		if len(x.Column) == 0 {
			return false, plan.Unsupported("a test of a column without a name", "name the column (a real node fails and closes the connection)")
		}
		if v.Super {
			if parts, err := compound(x.Column); err != nil || len(parts) > 2 || x.Column[len(x.Column)-1] != 0 {
				return false, plan.Unsupported("tests of super columns", "give the sub columns a column family of their own (a real node fails and closes the connection)")
			}
		}
		if v.Family == nil {
			continue
		}
		if err := v.ValueClassOf(x.Column).ClassicValidate(x.Value); err != nil {
			return false, plan.Invalid("%s failed value validation (%s)", pair, err)
		}
		m := v.Family.Column(x.Column)
		indexed = indexed || m != nil && x.Op == "EQ" && m.Index != "" && !m.Custom
	}
	return indexed, nil
}

// Readable refuses levels that a read cannot have.
// Source: Cassandra 2.1 ConsistencyLevel.validateForRead.
func Readable(cl plan.Consistency) error {
	if cl == plan.Any || cl == plan.EachQuorum {
		return plan.Invalid("%s ConsistencyLevel is only supported for writes", cl)
	}
	return nil
}

// Writable refuses levels that a write cannot have.
// Source: Cassandra 2.1 ConsistencyLevel.validateForWrite, validateCounterForWrite.
func (v *View) Writable(cl plan.Consistency) error {
	switch {
	case v.Counter() && cl == plan.Any:
		return plan.Invalid("Consistency level ANY is not yet supported for counter columnfamily %s", v.Table.Name)
	case v.Counter() && cl.IsSerial():
		return plan.Invalid("Counter operations are inherently non-serializable")
	case cl.IsSerial():
		return plan.Invalid("You must use conditional updates for serializable writes")
	}
	return nil
}
