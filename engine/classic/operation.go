package classic

import (
	"bytes"
	"encoding/json"
	"errors"

	"ringlab/engine/answer"
	"ringlab/engine/session"
	"ringlab/model/plan"
	"ringlab/model/thrift/bind"
)

// Operation is one call of the interface with its arguments, under the names of
// its description; those that the call does not have are left out.
// Source: Cassandra 2.1 interface/cassandra.thrift.
type Operation struct {
	Name         string                                `json:"-"`
	Key          bind.Bytes                            `json:"key"`
	Keys         []bind.Bytes                          `json:"keys"`
	Parent       bind.ColumnParent                     `json:"column_parent"`
	Path         bind.ColumnPath                       `json:"column_path"`
	CounterPath  bind.ColumnPath                       `json:"path"` // of remove_counter
	Predicate    bind.SlicePredicate                   `json:"predicate"`
	Selected     bind.SlicePredicate                   `json:"column_predicate"` // of get_indexed_slices
	Range        bind.KeyRange                         `json:"range"`
	Clause       bind.IndexClause                      `json:"index_clause"`
	Column       json.RawMessage                       `json:"column"` // a Column, or a CounterColumn of add
	InsertColumn *bind.Column                          `json:"-"`      // instead of Column
	AddColumn    *bind.CounterColumn                   `json:"-"`
	Timestamp    *int64                                `json:"timestamp"`
	Mutations    map[string]map[string][]bind.Mutation `json:"mutation_map"` // keys are hex
	Family       string                                `json:"column_family"`
	Truncated    string                                `json:"cfname"`
	StartColumn  bind.Bytes                            `json:"start_column"`
	Request      *bind.MultiSlice                      `json:"request"`
	Definition   *bind.FamilyDef                       `json:"cf_def"`
	Keyspace     json.RawMessage                       `json:"ks_def"`
	Space        string                                `json:"keyspace"`
	Level        string                                `json:"consistency_level"`
	Expected     []bind.Column                         `json:"expected"`
	Updates      []bind.Column                         `json:"updates"`
	Serial       string                                `json:"serial_consistency_level"`
	Commit       string                                `json:"commit_consistency_level"`
}

// Result is what an operation gave.
type Result struct {
	Rows    []session.CellRow
	View    *bind.View // of the column family that was read
	Outer   bool       // cells are grouped by their outer names
	Single  bool       // one column or super column is asked for
	Counts  []int      // by row
	Text    string     // of describe_…
	Ring    []TokenRange
	CAS     bool
	Applied bool // of cas; if not, Rows has what is there
}

// ErrNotFound is the answer of get where there is nothing.
var ErrNotFound = errors.New("NotFoundException")

// Operate runs one operation. The error is a *plan.Error, ErrNotFound, or what
// the answer says; the answer is nil where nothing was sent.
func (c *Client) Operate(o *Operation) (*Result, *answer.Answer, error) {
	r := &run{Client: c, text: o.Name, ans: &answer.Answer{AtMicros: int64(c.core.Cluster.Now())}}
	if o.Level != "" {
		cl, ok := plan.ParseConsistency(o.Level)
		if !ok {
			return nil, nil, plan.Invalid("there is no consistency level %s", o.Level)
		}
		was := c.core.Current.CL
		c.core.Current.CL = cl
		defer func() { c.core.Current.CL = was }()
	}
	result, err := r.operate(o)
	return result, r.ans, err
}

func (r *run) operate(o *Operation) (*Result, error) {
	e, cl := r.env(), r.core.Current.CL
	switch o.Name {
	case "get":
		op, v, err := e.Get(o.Key, o.Path, cl)
		res, err := r.result(op, v, err)
		if err == nil && res.Rows[0].Empty() {
			return nil, ErrNotFound
		}
		if res != nil {
			res.Single = true
		}
		return res, err
	case "get_count":
		row, n, err := r.counting(o.Key, o.Parent, o.Predicate)
		if err != nil {
			return nil, err
		}
		return &Result{Rows: []session.CellRow{row}, Counts: []int{n}}, nil
	case "get_slice":
		op, v, err := e.Slice([]bind.Bytes{o.Key}, o.Parent, o.Predicate, cl)
		return r.result(op, v, err)
	case "multiget_slice":
		op, v, err := e.Slice(distinct(o.Keys), o.Parent, o.Predicate, cl)
		return r.result(op, v, err)
	case "multiget_count":
		op, v, err := e.Slice(distinct(o.Keys), o.Parent, o.Predicate, cl)
		return r.counted(op, v, err)
	case "get_multi_slice":
		op, v, err := e.MultiSlice(o.Request, cl)
		return r.result(op, v, err)
	case "get_range_slices":
		op, v, err := e.RangeSlices(o.Parent, o.Predicate, o.Range, r.core.Cluster.Partitioner(), cl)
		return r.result(op, v, err)
	case "get_paged_slice":
		return r.paged(o)
	case "get_indexed_slices":
		op, v, err := e.IndexedSlices(o.Parent, o.Clause, o.Selected, r.core.Cluster.Partitioner(), cl)
		return r.result(op, v, err)
	case "insert":
		var c bind.Column
		if o.InsertColumn != nil {
			c = *o.InsertColumn
		} else if err := json.Unmarshal(o.Column, &c); err != nil {
			return nil, err
		}
		w, err := e.Insert(o.Key, o.Parent, c, cl)
		return &Result{}, r.write(w, err)
	case "add":
		var c bind.CounterColumn
		if o.AddColumn != nil {
			c = *o.AddColumn
		} else if err := json.Unmarshal(o.Column, &c); err != nil {
			return nil, err
		}
		w, err := e.Add(o.Key, o.Parent, c, cl)
		return &Result{}, r.write(w, err)
	case "remove":
		w, err := e.Remove(o.Key, o.Path, o.Timestamp, false, cl)
		return &Result{}, r.write(w, err)
	case "remove_counter":
		w, err := e.Remove(o.Key, o.CounterPath, nil, true, cl)
		return &Result{}, r.write(w, err)
	case "batch_mutate", "atomic_batch_mutate":
		return &Result{}, r.batch(o)
	case "cas":
		return r.cas(o)
	case "truncate":
		t, err := e.Existing(o.Truncated)
		if err != nil {
			return nil, err
		}
		return &Result{}, r.write(&plan.Truncate{Table: t}, nil)
	}
	return r.define(o)
}

// define runs the operations that change the schema.
func (r *run) define(o *Operation) (*Result, error) {
	e := r.env()
	var p *plan.SchemaChange
	var err error
	switch o.Name {
	case "describe_version":
		return &Result{Text: apiVersion}, nil
	case "describe_cluster_name":
		return &Result{Text: clusterName}, nil
	case "describe_partitioner":
		return &Result{Text: "org.apache.cassandra.dht." + r.core.Cluster.Partitioner().Name()}, nil
	case "describe_snitch":
		return &Result{Text: r.core.Snitch()}, nil
	case "describe_ring":
		return r.ring(o.Space)
	case "set_keyspace":
		if e.Schema.Keyspace(o.Space) == nil {
			return nil, plan.Invalid("Keyspace '%s' does not exist", o.Space)
		}
		r.core.Current.Keyspace = o.Space
		return &Result{}, nil
	case "describe_keyspace":
		if e.Schema.Keyspace(o.Space) == nil {
			return nil, ErrNotFound
		}
		return &Result{}, nil
	case "system_add_column_family":
		p, err = e.AddFamily(o.Definition, r.core.Cluster.NewID())
	case "system_update_column_family":
		p, err = e.UpdateFamily(o.Definition)
	case "system_drop_column_family":
		p, err = e.DropFamily(o.Family)
	case "system_add_keyspace", "system_update_keyspace":
		var d bind.KeyspaceDef
		if err := json.Unmarshal(o.Keyspace, &d); err != nil {
			return nil, err
		}
		if o.Name == "system_add_keyspace" {
			p, err = e.AddKeyspace(&d)
		} else {
			p, err = e.UpdateKeyspace(&d)
		}
	case "system_drop_keyspace":
		p, err = e.DropKeyspace(o.Space)
	default:
		return nil, plan.Unsupported("the operation "+o.Name, "`:help classic` lists those that there are")
	}
	if err != nil {
		return nil, err
	}
	return &Result{}, r.sent(r.core.RunPlan(o.Name, p))
}

// result runs a read.
func (r *run) result(op *plan.CellRead, v *bind.View, err error) (*Result, error) {
	rows, err := r.read(op, err)
	if err != nil {
		return nil, err
	}
	return &Result{Rows: rows, View: v, Outer: op.Grouped}, nil
}

// counted is result with the number of columns in each row.
func (r *run) counted(op *plan.CellRead, v *bind.View, err error) (*Result, error) {
	res, err := r.result(op, v, err)
	if err != nil {
		return nil, err
	}
	for _, row := range res.Rows {
		res.Counts = append(res.Counts, Count(row, op.Grouped))
	}
	return res, nil
}

func distinct(keys []bind.Bytes) []bind.Bytes {
	var out []bind.Bytes
	seen := map[string]bool{}
	for _, k := range keys {
		if !seen[string(k)] {
			seen[string(k)] = true
			out = append(out, k)
		}
	}
	return out
}

// paged reads columns across rows as one stream: of the row with the start key
// those from the start column on, of the others all, so many in all.
// Source: Cassandra 2.1 CassandraServer.get_paged_slice.
func (r *run) paged(o *Operation) (*Result, error) {
	if len(o.Range.RowFilter) > 0 {
		return nil, plan.Invalid("Cross-row paging is not supported along with index clauses")
	}
	all := bind.SlicePredicate{Range: &bind.SliceRange{Finish: []byte{}, Count: 1<<31 - 1}}
	if len(o.Range.StartKey) > 0 { // else it does not matter
		all.Range.Start = o.StartColumn
	}
	from := all
	from.Range = &bind.SliceRange{Count: 1<<31 - 1}
	left := int(o.Range.Count)
	if left > 0 {
		o.Range.Count = 1<<31 - 1 // rows without columns do not count
	}
	op, v, err := r.env().RangeSlices(bind.ColumnParent{Family: o.Family}, from, o.Range, r.core.Cluster.Partitioner(), r.core.Current.CL)
	if err == nil {
		_, _, err = r.env().Slice(nil, bind.ColumnParent{Family: o.Family}, all, r.core.Current.CL)
	}
	res, err := r.result(op, v, err)
	if err != nil {
		return nil, err
	}
	var out []session.CellRow
	for _, row := range res.Rows {
		if left == 0 {
			break
		}
		cells := row.Cells()
		if bytes.Equal(row.Key, o.Range.StartKey) && len(o.StartColumn) > 0 {
			for len(cells) > 0 && v.Comparator.Compare(nameOf(v, &cells[0]), o.StartColumn) < 0 {
				cells = cells[1:]
			}
		}
		cells = cells[:min(left, len(cells))]
		left -= len(cells)
		row.Keep(cells)
		out = append(out, row)
	}
	res.Rows = out
	return res, nil
}

func nameOf(v *bind.View, c *session.Cell) []byte {
	if v.Super {
		return c.Super
	}
	return c.Name
}

// cas writes if the row has what is expected.
func (r *run) cas(o *Operation) (*Result, error) {
	serial, ok := plan.ParseConsistency(o.Serial)
	if !ok {
		serial = plan.Serial
	}
	commit, ok := plan.ParseConsistency(o.Commit)
	if !ok {
		commit = r.core.Current.CL
	}
	op, expected, writes, err := r.env().Cas(o.Key, o.Family, o.Expected, o.Updates, serial, commit)
	if err != nil {
		return nil, err
	}
	want := make([]session.Cell, len(expected))
	for i, c := range expected {
		want[i] = session.Cell{Name: c.Name, Value: c.Value}
	}
	was := r.core.Current.Serial
	r.core.Current.Serial = serial
	a, applied, row := r.core.CompareCells(r.text, op, want, writes)
	r.core.Current.Serial = was
	if err := r.sent(a); err != nil {
		return nil, err
	}
	res := &Result{CAS: true, Applied: applied}
	if !applied {
		res.Rows = []session.CellRow{row}
	}
	return res, nil
}

// batch runs a batch: what is no counter as one batch, counters as another.
// Source: CassandraServer.batch_mutate, atomic_batch_mutate.
func (r *run) batch(o *Operation) error {
	m := map[string]map[string][]bind.Mutation{}
	for k, families := range o.Mutations {
		var key bind.Bytes
		if err := key.UnmarshalJSON([]byte(`"` + k + `"`)); err != nil {
			return err
		}
		m[string(key)] = families
	}
	atomic := o.Name == "atomic_batch_mutate"
	plain, counters, err := r.env().Batch(m, r.core.Current.CL, !atomic)
	if err != nil {
		return err
	}
	return r.writes(plain, counters, atomic)
}

func (r *run) writes(plain, counters []*plan.Write, logged bool) error {
	kind := plan.UnloggedBatch
	if logged {
		kind = plan.LoggedBatch
	}
	for _, b := range []*plan.Batch{{Kind: kind, Writes: plain, Classic: true}, {Kind: plan.CounterBatch, Writes: counters, Classic: true}} {
		if len(b.Writes) == 0 {
			continue
		}
		if err := r.write(b, nil); err != nil {
			return err
		}
	}
	return nil
}
