package classic

import (
	"bytes"
	"strconv"

	"ringlab/engine/session"
	"ringlab/model/plan"
	"ringlab/model/thrift"
	"ringlab/model/thrift/bind"
)

// path is what family[key][…] addresses, read by the classes that the client
// believes in.
type path struct {
	family *known
	key    []byte
	super  []byte // nil without one
	column []byte // nil without one
	inner  bool   // super is the last one written, of a super column family
}

// path reads an access. Source: Cassandra 2.1 CliClient.executeGet and the others.
func (r *run) path(a thrift.Access) (*path, error) {
	f, err := r.family(a.Family)
	if err != nil {
		return nil, err
	}
	key, err := r.name(a.Key, r.keyClass(f))
	if err != nil {
		return nil, err
	}
	p, err := r.names(f, a)
	if err == nil {
		p.key = key
	}
	return p, err
}

// names reads the columns of an access, without its key.
func (r *run) names(f *known, a thrift.Access) (*path, error) {
	p := &path{family: f}
	if len(a.Columns) == 0 {
		return p, nil
	}
	first, err := r.name(a.Columns[0], f.comparator)
	if err != nil {
		return nil, err
	}
	switch {
	case len(a.Columns) == 2:
		p.super = first
		p.column, err = r.subName(a.Columns[1], f)
	case f.view.Super:
		p.super, p.inner = first, true
	default:
		p.column = first
	}
	return p, err
}

func (p *path) parent() bind.ColumnParent {
	return bind.ColumnParent{Family: p.family.name, Super: p.super}
}

// mostCells is how many columns get asks for without a limit.
const mostCells = 1000000

func (r *run) get(s *thrift.Get) error {
	if _, err := r.working(); err != nil {
		return err
	}
	f, err := r.family(s.Family)
	if err != nil {
		return err
	}
	key, err := r.name(s.Key, r.keyClass(f))
	if err != nil {
		return err
	}
	limit := mostCells
	if s.Limit != "" {
		if limit, err = strconv.Atoi(s.Limit); err != nil {
			return complain("java.lang.NumberFormatException: For input string: \"%s\"", s.Limit)
		}
		if limit == 0 {
			return complaint("LIMIT should be greater than zero.")
		}
	}
	p, err := r.names(f, s.Access)
	if err != nil {
		return err
	}
	p.key = key
	if p.column == nil {
		return r.row(p, limit)
	}
	op, _, err := r.env().Get(p.key, bind.ColumnPath{Family: p.family.name, Super: p.super, Column: p.column}, r.core.Current.CL)
	rows, err := r.read(op, err)
	if err != nil {
		return err
	}
	if len(rows) == 0 || rows[0].Empty() {
		r.line("Value was not found")
		r.elapsed()
		return nil
	}
	cell := rows[0].Cells()[0]
	if cell.Counter && !p.family.value.Counter() { // it was assumed to be another column
		return complaint(`Cannot invoke "org.apache.cassandra.thrift.Column.getValue()" because "column" is null`)
	}
	if s.As != nil && !cell.Counter {
		class := classNamed(s.As.Text)
		if class == nil {
			return complain("Unknown comparator '%s'. Available functions: %s", s.As.Text, functionNames())
		}
		if _, err := class.ClassicText(cell.Value); err != nil {
			return complaint(err.Error())
		}
		p.family.learned[string(p.column)] = class
	}
	text, err := r.cell(p.family, nil, &cell)
	if err != nil {
		return err
	}
	r.line("=> %s", text)
	r.elapsed()
	return nil
}

// row prints a row, or what is under one outer name.
// Source: CliClient.doSlice.
func (r *run) row(p *path, limit int) error {
	all := bind.SlicePredicate{Range: &bind.SliceRange{Count: int32(limit)}}
	op, _, err := r.env().Slice([]bind.Bytes{p.key}, p.parent(), all, r.core.Current.CL)
	rows, err := r.read(op, err)
	if err != nil {
		return err
	}
	n, err := r.cells(p.family, rows[0], !p.inner)
	if err != nil {
		return err
	}
	r.line("Returned %d results.", n)
	r.elapsed()
	return nil
}

func (r *run) set(s *thrift.Set) error {
	if _, err := r.working(); err != nil {
		return err
	}
	f, err := r.family(s.Family)
	switch {
	case err != nil:
		return err
	case len(s.Columns) == 0:
		return complaint("No cell name specified, (type 'help;' or '?' for help on syntax).")
	case len(s.Columns) == 1 && f.view.Super:
		return said("Column family " + f.name + " may only contain SuperColumns")
	}
	p, err := r.names(f, s.Access)
	if err != nil {
		return err
	}
	c := bind.Column{Name: p.column}
	if c.Value, err = r.value(s.Value, f, p.column); err != nil {
		return err
	}
	if p.key, err = r.name(s.Key, r.keyClass(f)); err != nil {
		return err
	}
	if c.TTL, err = ttlOf(s); err != nil {
		return err
	}
	now := int64(0)
	c.Timestamp = &now
	w, err := r.env().Insert(p.key, p.parent(), c, r.core.Current.CL)
	if err == nil {
		w.Timestamp = nil // the coordinator's clock, with the client's skew
	}
	if err := r.write(w, err); err != nil {
		return err
	}
	r.line("Value inserted.")
	r.elapsed()
	return nil
}

func (r *run) count(s *thrift.Count) error {
	if _, err := r.working(); err != nil {
		return err
	}
	f, err := r.family(s.Family)
	if err != nil {
		return err
	}
	s.Columns = s.Columns[:min(1, len(s.Columns))] // the client looks at no more
	p, err := r.names(f, s.Access)
	if err != nil {
		return err
	}
	if p.key, err = r.name(s.Key, r.keyClass(f)); err != nil {
		return err
	}
	all := bind.SlicePredicate{Range: &bind.SliceRange{Count: 1<<31 - 1}}
	_, n, err := r.counting(p.key, p.parent(), all)
	if err != nil {
		return err
	}
	r.line("%d %s", n, r.either("columns", "cells"))
	return nil
}

// counting is get_count: what was read, and how many columns that is.
func (r *run) counting(key bind.Bytes, parent bind.ColumnParent, p bind.SlicePredicate) (session.CellRow, int, error) {
	row := session.CellRow{Key: key}
	op, none, err := r.env().Count(key, parent, p, r.core.Current.CL)
	if none || err != nil {
		return row, 0, err
	}
	rows, err := r.read(op, nil)
	if err != nil {
		return row, 0, err
	}
	return rows[0], Count(rows[0], op.Grouped), nil
}

// Count counts the columns of a row; by outer names if it is grouped.
func Count(row session.CellRow, grouped bool) int {
	n := 0
	var outer []byte
	for c := range row.Each() {
		if !grouped || n == 0 || !bytes.Equal(c.Super, outer) {
			n++
			outer = c.Super
		}
	}
	return n
}

func (r *run) del(s *thrift.Del) error {
	if _, err := r.working(); err != nil {
		return err
	}
	p, err := r.path(s.Access)
	if err != nil {
		return err
	}
	at := bind.ColumnPath{Family: p.family.name, Super: p.super, Column: p.column}
	// Whether it is one of counters the client judges by what it believes.
	w, err := r.env().Remove(p.key, at, nil, p.family.value.Counter(), r.core.Current.CL)
	if err := r.write(w, err); err != nil {
		return err
	}
	what := r.either("column", "cell")
	if len(s.Columns) == 0 {
		what = "row"
	}
	r.line("%s removed.", what)
	if !r.early() {
		r.elapsed()
	}
	return nil
}

func (r *run) incr(s *thrift.Incr) error {
	if _, err := r.working(); err != nil {
		return err
	}
	f, err := r.family(s.Family)
	if err != nil {
		return err
	}
	if _, err := r.name(s.Key, r.keyClass(f)); err != nil {
		return err
	}
	if len(s.Columns) == 0 {
		return said("Invalid row, super column, or column specification.")
	}
	p, err := r.path(s.Access)
	if err != nil {
		return err
	}
	if p.inner {
		p.super, p.column = nil, p.super
	}
	n := int64(1)
	if s.By != "" {
		if n, err = strconv.ParseInt(s.By, 10, 64); err != nil {
			return complain("'%s' is an invalid value, should be an integer.", s.By)
		}
	}
	done := "incremented"
	if s.Down {
		n, done = -n, "decremented"
	}
	w, err := r.env().Add(p.key, p.parent(), bind.CounterColumn{Name: p.column, Value: n}, r.core.Current.CL)
	if err := r.write(w, err); err != nil {
		return err
	}
	r.line("Value %s.", done)
	return nil
}

// truncate takes the name with its quotes, so that none is found.
// Source: Cassandra 2.1 CliClient.executeTruncate.
func (r *run) truncate(s *thrift.Truncate) error {
	if s.Family.Quoted {
		if _, err := r.working(); err != nil {
			return err
		}
		return complain("%s not found in current keyspace.", s.Family.String())
	}
	f, err := r.family(s.Family)
	if err != nil {
		return err
	}
	t := r.core.Cluster.Schema.Table(r.core.Current.Keyspace, f.name)
	if t == nil {
		return complain("unconfigured columnfamily %s", f.name)
	}
	if err := r.write(&plan.Truncate{Table: t.Stored()}, nil); err != nil {
		return err
	}
	r.line("%s truncated.", s.Family.Text)
	return nil
}

// ttlOf is the TTL that a statement writes with, in seconds, nil for none.
func ttlOf(s *thrift.Set) (*int32, error) {
	if s.TTL == "" {
		return nil, nil
	}
	n, err := strconv.ParseInt(s.TTL, 10, 32)
	if err != nil {
		return nil, complain("TTL '%s' is invalid, should be a positive integer.", s.TTL)
	}
	ttl := int32(n)
	return &ttl, nil
}
