package simulation

import (
	"fmt"
)

// data is a statement on one of the tables whose writes have timestamps of their own.
func (d *drawing) data() statement {
	switch n := d.IntN(20); {
	case n < 8:
		return d.write()
	case n < 9:
		return d.batch()
	case n < 11:
		return d.scan()
	case n < 13:
		o := Op{Kind: Read, Map: true, Key: d.IntN(keys), Hi: rows - 1, CL: d.level()}
		return one(o, "SELECT k, m FROM ks.maps WHERE k = %d", o.Key)
	}
	return d.choose(Op{Kind: Read, Key: d.IntN(keys), Hi: rows - 1, CL: d.level()})
}

// write is an insert or a delete.
func (d *drawing) write() statement {
	o := Op{Key: d.IntN(keys), CL: d.level(), Map: d.IntN(4) == 0}
	if d.IntN(15) == 0 {
		o.CL = "ANY"
	}
	switch del := d.IntN(5) < 2; {
	case o.Map:
		return d.entries(o)
	case del:
		return d.delete(o)
	}
	return d.insert(o)
}

// batch is several writes as one.
func (d *drawing) batch() statement {
	var s statement
	begin, cl := pick(d, "BEGIN BATCH ", "BEGIN UNLOGGED BATCH "), d.level()
	for range 2 + d.IntN(2) {
		one := d.write()
		s.text += one.text + "; "
		s.ops = append(s.ops, one.ops...)
	}
	s = s.at(cl)
	for i := range s.ops {
		s.ops[i].Of, s.ops[i].Batch = len(s.ops), true
	}
	s.text = begin + s.text + "APPLY BATCH"
	return s
}

// scan reads all partitions of a table.
func (d *drawing) scan() statement {
	o := Op{Kind: ReadAll, CL: d.level(), Hi: rows - 1}
	if d.IntN(4) == 0 {
		o.Map = true
		return one(o, "SELECT k, m FROM ks.maps")
	}
	text := "SELECT k, c, v FROM ks.data"
	if d.IntN(2) == 0 {
		o.Limit = 1 + d.IntN(5)
		text += fmt.Sprintf(" LIMIT %d", o.Limit)
	}
	return one(o, "%s", text)
}

// choose reads a partition or a part of it.
func (d *drawing) choose(o Op) statement {
	text := fmt.Sprintf("SELECT k, c, v FROM ks.data WHERE k = %d", o.Key)
	switch d.IntN(4) {
	case 0:
		o.Lo = d.IntN(rows)
		o.Hi = o.Lo
		text += fmt.Sprintf(" AND c = %d", o.Lo)
	case 1:
		o.Lo, o.Hi = d.span()
		text += fmt.Sprintf(" AND c >= %d AND c <= %d", o.Lo, o.Hi)
	}
	if o.Lo != o.Hi && d.IntN(3) == 0 {
		o.Back = true
		order := "DESC"
		if d.Down {
			order = "ASC"
		}
		text += " ORDER BY c " + order
	}
	if d.IntN(3) == 0 {
		o.Limit = 1 + d.IntN(3)
		text += fmt.Sprintf(" LIMIT %d", o.Limit)
	}
	return one(o, "%s", text)
}

// span is a range of rows.
func (d *drawing) span() (lo, hi int) {
	lo = d.IntN(rows)
	return lo, min(rows-1, lo+d.IntN(4))
}

// moment is the timestamp of a write: mostly a new one, at times the last one again,
// so that ties have to be broken.
func (d *drawing) moment() int64 {
	if d.at == 0 || d.IntN(6) > 0 || d.fresh {
		d.at++
		d.fresh = false
	}
	return d.at
}

func (d *drawing) insert(o Op) statement {
	o.Kind, o.Lo, o.At, o.Value = Insert, d.IntN(rows), d.moment(), int64(d.IntN(1000))
	o.Hi = o.Lo
	return one(o, "INSERT INTO ks.data (k, c, v) VALUES (%d, %d, %d) USING TIMESTAMP %d", o.Key, o.Lo, o.Value, o.At)
}

func (d *drawing) delete(o Op) statement {
	o.Kind, o.At, o.Lo, o.Hi = Delete, d.moment(), 0, rows-1
	text := fmt.Sprintf("DELETE FROM ks.data USING TIMESTAMP %d WHERE k = %d", o.At, o.Key)
	switch d.IntN(5) {
	case 0:
	case 1, 2:
		o.Lo = d.IntN(rows)
		o.Hi = o.Lo
		text += fmt.Sprintf(" AND c = %d", o.Lo)
	default:
		o.Lo, o.Hi = d.span()
		text += fmt.Sprintf(" AND c >= %d AND c < %d", o.Lo, o.Hi+1)
	}
	return one(o, "%s", text)
}

// entries writes or deletes entries of a map. To set a map deletes what was there just
// before. Source: Cassandra 5.0 Maps.Setter.
func (d *drawing) entries(o Op) statement {
	entry := func(kind Kind, at int64) Op {
		e := o
		e.Kind, e.At, e.Lo, e.Value = kind, at, d.IntN(rows), int64(d.IntN(1000))
		e.Hi = e.Lo
		return e
	}
	all := func(at int64) Op {
		e := entry(Delete, at)
		e.Lo, e.Hi = 0, rows-1
		return e
	}
	at := d.moment()
	update := func(ops []Op, format string, args ...any) statement {
		for i := range ops {
			ops[i].Of = len(ops)
		}
		return statement{fmt.Sprintf("UPDATE ks.maps USING TIMESTAMP %d SET m", at) + fmt.Sprintf(format, args...) + fmt.Sprintf(" WHERE k = %d", o.Key), ops}
	}
	e := entry(Insert, at)
	switch d.IntN(8) {
	case 0:
		e.Kind = Delete
		return one(e, "DELETE m[%d] FROM ks.maps USING TIMESTAMP %d WHERE k = %d", e.Lo, at, o.Key)
	case 1:
		return one(all(at), "DELETE %sFROM ks.maps USING TIMESTAMP %d WHERE k = %d", pick(d, "", "m "), at, o.Key)
	case 2:
		d.at++ // the delete has a timestamp of its own, and what came before ties with it
		at = d.at
		e.At = at
		return update([]Op{all(at - 1), e}, " = {%d: %d}", e.Lo, e.Value)
	case 3:
		f := entry(Insert, at)
		f.Lo = (e.Lo + 1) % rows
		f.Hi = f.Lo
		return update([]Op{e, f}, " = m + {%d: %d, %d: %d}", e.Lo, e.Value, f.Lo, f.Value)
	case 4:
		e.Kind = Delete
		return update([]Op{e}, " = m - {%d}", e.Lo)
	}
	return update([]Op{e}, "[%d] = %d", e.Lo, e.Value)
}

// compare changes a register from what it is, absent for no row, to something else.
func (d *drawing) compare(key int, from, to int64) statement {
	o := Op{Kind: Compare, Key: key, CL: d.paxosLevel(), If: from, Value: to}
	switch {
	case from == absent:
		return one(o, "INSERT INTO ks.lwt (k, v) VALUES (%d, %d) IF NOT EXISTS", key, to)
	case to == absent && from == present:
		return one(o, "DELETE FROM ks.lwt WHERE k = %d IF EXISTS", key)
	case to == absent:
		return one(o, "DELETE FROM ks.lwt WHERE k = %d IF v = %d", key, from)
	}
	return one(o, "UPDATE ks.lwt SET v = %d WHERE k = %d IF v = %d", to, key, from)
}

func (d *drawing) paxosLevel() string {
	if d.Moves {
		return "QUORUM"
	}
	return pick(d, "QUORUM", "QUORUM", "QUORUM", "ALL", "ONE")
}

// lwt is a conditional write or a SERIAL read of a register.
func (d *drawing) lwt() statement {
	key, some := d.IntN(4)/3, int64(d.IntN(3))
	switch d.IntN(6) {
	case 0:
		return one(Op{Kind: ReadSerial, Key: key, CL: "SERIAL"}, "SELECT v FROM ks.lwt WHERE k = %d", key)
	case 1:
		return d.compare(key, absent, some)
	case 2:
		return d.compare(key, some, absent)
	case 3:
		return d.compare(key, present, absent)
	}
	return d.compare(key, some, int64(d.IntN(3)))
}

// count is an update or a read of a counter, or a batch of updates.
func (d *drawing) count() statement {
	o := Op{Key: d.IntN(2), CL: d.level(), Kind: ReadCount}
	if d.IntN(3) == 0 {
		return one(o, "SELECT n FROM ks.hits WHERE k = %d", o.Key)
	}
	o.Kind, o.Value = Add, 1+int64(d.IntN(9))
	const update = "UPDATE ks.hits SET n = n + %d WHERE k = %d"
	if d.IntN(5) > 0 {
		return one(o, update, o.Value, o.Key)
	}
	o.Of, o.Batch = 2, true
	p := o
	p.Key, p.Value = 2, 1+int64(d.IntN(9))
	return statement{fmt.Sprintf("BEGIN COUNTER BATCH "+update+"; "+update+"; APPLY BATCH", o.Value, o.Key, p.Value, p.Key), []Op{o, p}}
}

// wide is a statement on the table whose timestamps are the servers', with static
// columns, collections and TTLs.
func (d *drawing) wide() statement {
	k, row := d.IntN(2), d.IntN(5)
	other := func(format string, args ...any) statement {
		return one(Op{Kind: Other, CL: d.level()}, format, args...)
	}
	switch d.IntN(14) {
	case 0, 1, 2:
		return other("INSERT INTO ks.wide (k, c, v, w) VALUES (%d, %d, %d, 'x')", k, row, d.IntN(9))
	case 3:
		return other("INSERT INTO ks.wide (k, c, m) VALUES (%d, %d, {1: 'a', 2: 'b'}) USING TTL %d", k, row, 1+d.IntN(100))
	case 4:
		return other("UPDATE ks.wide SET v = %d, m[%d] = 'z' WHERE k = %d AND c = %d", d.IntN(9), d.IntN(3), k, row)
	case 5:
		return other("UPDATE ks.wide SET s = 's%d' WHERE k = %d", d.IntN(9), k)
	case 6:
		return other("DELETE FROM ks.wide WHERE k = %d AND c >= %d AND c < %d", k, row, row+d.IntN(3))
	case 7:
		return other("DELETE v, m[1] FROM ks.wide WHERE k = %d AND c = %d", k, row)
	case 8:
		return other("DELETE FROM ks.wide WHERE k = %d AND c = %d", k, row)
	case 9:
		if d.IntN(3) == 0 {
			return other("DELETE FROM ks.wide WHERE k = %d", k)
		}
		return other("SELECT count(*) FROM ks.wide")
	case 10:
		return other("SELECT * FROM ks.wide WHERE k = %d ORDER BY c DESC LIMIT %d", k, 1+d.IntN(3))
	case 11:
		return other("SELECT * FROM ks.wide LIMIT %d", 1+d.IntN(6))
	case 12:
		return other("SELECT k, c, v FROM ks.wide WHERE k IN (0, 1)")
	}
	return other("SELECT * FROM ks.wide WHERE k = %d AND c > %d", k, row)
}
