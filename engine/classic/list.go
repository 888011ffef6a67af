package classic

import (
	"strconv"
	"strings"

	"ringlab/engine/session"
	"ringlab/model/thrift"
	"ringlab/model/thrift/bind"
	"ringlab/model/types"
)

// defaultLimit is how many rows, and columns of a row, list gives without limits.
const defaultLimit = 100

// Source: Cassandra 2.1 CliClient.executeList.
func (r *run) list(s *thrift.List) error {
	f, err := r.family(s.Family)
	if err != nil {
		return err
	}
	limit, columns := defaultLimit, defaultLimit
	if s.Limit != "" {
		if limit, err = strconv.Atoi(s.Limit); err != nil {
			return complain("java.lang.NumberFormatException: For input string: \"%s\"", s.Limit)
		}
		if limit <= 0 {
			return said("Invalid limit " + strconv.Itoa(limit))
		}
	}
	if s.Columns != "" {
		if columns, err = strconv.Atoi(s.Columns); err != nil || columns > 1<<31-1 {
			return complain("java.lang.NumberFormatException: For input string: \"%s\"", s.Columns)
		}
	}
	if s.Limit == "" {
		r.line("Using default limit of %d", limit)
	}
	switch {
	case s.Columns != "":
	case r.early():
		columns = 1<<31 - 1
	default:
		r.line("Using default cell limit of %d", columns)
	}
	keys := bind.KeyRange{StartKey: []byte{}, EndKey: []byte{}, Count: int32(min(limit, 1<<31-1))}
	bounds := []*thrift.Term{s.Start, s.End}
	if s.Start == nil { // of one bound alone the client makes the start
		bounds = []*thrift.Term{s.End, nil}
	}
	for i, into := range []*bind.Bytes{&keys.StartKey, &keys.EndKey} {
		if t := bounds[i]; t != nil && t.Text != "" {
			class := r.keys[f.name]
			if class == nil {
				class = types.ClassOf(types.Blob)
			}
			b, err := r.parse(class, t.Text)
			if err != nil {
				return complaint(java(err))
			}
			*into = b
		}
	}
	p := bind.SlicePredicate{Range: &bind.SliceRange{Count: int32(columns), Reversed: s.Reversed}}
	op, _, err := r.env().RangeSlices(bind.ColumnParent{Family: f.name}, p, keys, r.core.Cluster.Partitioner(), r.core.Current.CL)
	rows, err := r.read(op, err)
	if err != nil {
		return err
	}
	return r.listing(f, rows)
}

// listing prints rows with their keys. Source: CliClient.printSliceList.
func (r *run) listing(f *known, rows []session.CellRow) error {
	r.withKeys()
	for _, row := range rows {
		key, err := r.keyClass(f).ClassicText(row.Key)
		if err != nil {
			return complaint(err.Error())
		}
		r.line("-------------------")
		r.line("RowKey: %s", key)
		if _, err := r.cells(f, row, true); err != nil {
			return err
		}
	}
	many := ""
	if len(rows) > 1 {
		many = "s"
	}
	r.line("")
	r.line("%d Row%s Returned.", len(rows), many)
	r.elapsed()
	return nil
}

// operators are those of conditions, as an index clause names them.
var operators = map[string]string{"=": "EQ", ">": "GT", "<": "LT", ">=": "GTE", "<=": "LTE"}

// Source: CliClient.executeGetWithConditions.
func (r *run) getWhere(s *thrift.GetWhere) error {
	f, err := r.family(s.Family)
	if err != nil {
		return err
	}
	clause := bind.IndexClause{Count: defaultLimit}
	for _, c := range s.Conditions {
		column := c.Column
		if column.Form == thrift.Call { // the client takes the word of its syntax tree for the name
			column = thrift.Term{Text: "FUNCTION_CALL"}
		}
		name, err := r.name(column, f.comparator)
		if err != nil {
			return wrapped(err)
		}
		value, err := r.tested(c.Value, f, name)
		if err != nil {
			return err
		}
		clause.Expressions = append(clause.Expressions, bind.IndexExpression{Column: name, Op: operators[c.Op], Value: value})
	}
	if s.Limit != "" {
		n, err := strconv.ParseInt(s.Limit, 10, 32)
		if err != nil {
			return complain("java.lang.NumberFormatException: For input string: \"%s\"", s.Limit)
		}
		if n == 0 {
			return complaint("LIMIT should be greater than zero.")
		}
		clause.Count = int32(n)
	}
	all := bind.SlicePredicate{Range: &bind.SliceRange{Count: mostCells}}
	op, _, err := r.env().IndexedSlices(bind.ColumnParent{Family: f.name}, clause, all, r.core.Cluster.Partitioner(), r.core.Current.CL)
	rows, err := r.read(op, err)
	if err != nil {
		return err
	}
	if err := r.listing(f, rows); err != nil { // a value that its class does not know; the client throws it once more
		return complaint("org.apache.cassandra.serializers.MarshalException: " + err.Error())
	}
	return nil
}

// wrapped is an error in the name of a condition, which the client throws once more.
func wrapped(err error) error {
	if text := err.Error(); strings.HasPrefix(text, "org.apache.cassandra.serializers.MarshalException") {
		return complaint("java.lang.RuntimeException: " + text)
	}
	return err
}

// tested reads the value of a condition, which teaches the client nothing.
func (r *run) tested(t thrift.Term, f *known, name []byte) ([]byte, error) {
	if t.Form == thrift.Call {
		b, _, err := r.call(t)
		if err != nil {
			err = complaint("java.lang.RuntimeException: " + err.Error())
		}
		return b, err
	}
	class, known := f.learned[string(name)]
	if !known {
		class = f.value
	}
	b, err := r.parse(class, t.Text)
	if err == nil {
		return filled(b), nil
	}
	text := java(err)
	if known {
		text = "java.lang.RuntimeException: java.lang.RuntimeException: " + text
	}
	return nil, complaint(text)
}
