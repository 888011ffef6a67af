package session

import (
	"fmt"
	"slices"

	"ringlab/engine/answer"
	"ringlab/engine/query"
	"ringlab/model/plan"
	"ringlab/model/schema"
)

// Page asks for a page of rows: at most Size of them, after those that State
// stands for. State is nil for the first page.
type Page struct {
	Size   int
	State  []byte
	legacy bool // states are written as for version 3 of the protocol
}

// position is where a page ended.
type position struct {
	key    []byte // partition of the last row
	hasRow bool   // rows of it may be left, behind row
	row    []byte // clustering of the last row
	left   int    // rows that LIMIT leaves, of noLimit without one
	inPart int    // rows of that partition so far; of groups: those that are left of it
}

var errState = &plan.Error{Code: plan.ProtocolError, Message: "Invalid value for the paging state"}

// in says whether a table can have a row there: clients give states back as they
// like.
func (p *position) in(t *schema.Table) bool {
	return t.ValidPartitionKey(p.key) && (len(p.row) == 0 || t.ValidClustering(p.row))
}

// paging is one SELECT that is answered in pages.
type paging struct {
	page  Page
	from  *position // where the page before ended, nil for the first
	full  int       // rows of LIMIT that were left when the page began, of noLimit without one
	group bool      // the rows are groups

	single bool // one partition is read, which states do not name

	groups *groupReader // of a page of groups, nil where nothing is read

	free []bool // rows that do not count towards the page
}

// startPaging prepares a SELECT for its page: what is read begins behind the
// last row, and no more rows are made than the page holds. The plan is the
// caller's own. Source: Cassandra 5.0 AbstractQueryPager, PartitionRangeQueryPager.
func startPaging(sel *plan.Select, page Page) (*paging, error) {
	p := &paging{page: page, full: sel.Limit, group: sel.GroupBy > 0, single: len(sel.Keys) == 1}
	if p.full == 0 {
		p.full = noLimit
	}
	if page.State != nil {
		if err := p.resume(sel); err != nil {
			return nil, err
		}
	}
	if p.group {
		return p, nil
	}
	sel.Limit = min(page.Size, p.full)
	return p, nil
}

// resume reads the paging state. A SELECT of several partitions goes on in the
// one whose key the state has, from its beginning if no row is named.
// Source: Cassandra 5.0 SinglePartitionPager, MultiPartitionPager, PartitionRangeQueryPager.
func (p *paging) resume(sel *plan.Select) error {
	s, ok := readPagingState(p.page.State, sel.Table, p.page.legacy)
	if !ok {
		return errState
	}
	if len(sel.Keys) == 1 {
		s.key = sel.Keys[0]
	}
	at := position{key: s.key, row: s.row, left: s.left, inPart: s.inPart, hasRow: len(s.row) > 0 && (sel.Keys != nil || p.group || s.inPart > 0)}
	if !p.group && !at.in(sel.Table) {
		return errState
	}
	if p.full = at.left; at.left == 0 {
		sel.Empty = true
	}
	p.from = &at
	if p.group {
		if first := keyAt(sel, at.key); first > 0 {
			sel.Keys = sel.Keys[first:]
		}
		return nil
	}
	at.inPart = rowsOfPartition(sel) - s.inPart
	if sel.Keys == nil {
		return nil
	}
	first := keyAt(sel, at.key)
	if first < 0 {
		sel.Keys, sel.Empty = sel.Keys[:0:0], true
		return nil
	}
	if sel.Keys = sel.Keys[first:]; !at.hasRow {
		p.from = nil
	}
	return nil
}

// keyAt is the place of a partition among those of a SELECT, negative for none.
func keyAt(sel *plan.Select, key []byte) int {
	return slices.IndexFunc(sel.Keys, func(k []byte) bool { return string(k) == string(key) })
}

// rowsOfPartition is how many rows a SELECT takes of one partition.
func rowsOfPartition(sel *plan.Select) int {
	switch {
	case sel.Distinct:
		return 1
	case sel.PerPartition > 0:
		return sel.PerPartition
	}
	return noLimit
}

// resumes says whether a partition is the one in which the last page ended.
func (p *paging) resumes(key string) bool {
	return p != nil && p.from != nil && !p.group && string(p.from.key) == key
}

// perPartition is what PER PARTITION LIMIT leaves of the resumed partition.
func (p *paging) perPartition(limit int) int {
	if limit == 0 {
		return 0
	}
	return limit - p.from.inPart
}

// groupReader is what has read a page of groups, nil for one of rows or of nothing.
func (p *paging) groupReader() *groupReader {
	if p == nil {
		return nil
	}
	return p.groups
}

// behind narrows the rows of a partition to those behind one; names and slices are in
// table order.
func behind(sel *plan.Select, row []byte, names [][]byte, sl []schema.Slice) ([][]byte, []schema.Slice) {
	t := sel.Table
	if names != nil {
		return slices.DeleteFunc(slices.Clone(names), func(n []byte) bool {
			c := t.CompareClustering(n, row)
			return c == 0 || (c < 0) != sel.Reversed
		}), nil
	}
	if sl == nil {
		sl = []schema.Slice{schema.AllRows}
	}
	out := []schema.Slice{} // not nil, which would be all rows
	for _, s := range sl {
		if sel.Reversed {
			if end := (schema.Cut{Prefix: row}); t.CompareCuts(end, s.To) < 0 {
				s.To = end
			}
		} else if begin := (schema.Cut{Prefix: row, After: true}); t.CompareCuts(begin, s.From) > 0 {
			s.From = begin
		}
		if !t.Empty(s) {
			out = append(out, s)
		}
	}
	return nil, out
}

// end is the paging state behind the page, nil if nothing can follow: another
// page follows a full one unless LIMIT is reached.
// Source: Cassandra 5.0 AbstractQueryPager.Pager.onClose, MultiPartitionPager.state.
func (p *paging) end(run *query.Runner, f *feeder) []byte {
	n := run.Total()
	if n < p.page.Size || n >= p.full {
		return nil
	}
	sel := f.sel
	at := pagingState{key: []byte(f.key), left: p.full - n}
	if len(f.row.Clustering) > 0 && f.row.HasRow {
		at.row, at.inPart = schema.PackClustering(f.row.Clustering), rowsOfPartition(sel)-run.InPartition()
	} else if p.from != nil { // a static row leaves the mark as it is
		at.row = p.from.row
	}
	at.column = lastCell(f)
	if sel.Keys != nil && at.inPart == 0 {
		next := slices.IndexFunc(sel.Keys, func(k []byte) bool { return string(k) == f.key }) + 1
		if next >= len(sel.Keys) {
			return nil
		}
		at = pagingState{key: sel.Keys[next], left: at.left, inPart: rowsOfPartition(sel)}
	}
	if p.single {
		at.key = nil
	}
	return at.bytes(sel.Table, p.page.legacy)
}

// lastCell is the name of the last column of a row by name, without which it
// stands on its marker. Source: Cassandra 5.0 BTreeRow.cellsInLegacyOrder.
func lastCell(f *feeder) []byte {
	name := ""
	for i := range f.row.Cells {
		if c := f.row.Cells[i].Column; c.Kind == schema.Regular && c.Name > name {
			name = c.Name
		}
	}
	return []byte(name)
}

// pagedQuery is a SELECT between two pages.
type pagedQuery struct {
	statement *Prepared
	page      Page
}

// FirstPage runs a SELECT of the current client and gives its first page.
func (c *Core) FirstPage(size int, text string) *answer.Answer {
	p, a := c.Prepare(text)
	if p == nil {
		return a
	}
	c.paged = &pagedQuery{statement: p, page: Page{Size: size}}
	return c.nextPage()
}

// NextPage goes on with the last FirstPage, with another size unless that is 0.
func (c *Core) NextPage(size int) (*answer.Answer, error) {
	if c.paged == nil {
		return nil, fmt.Errorf("no page is left; `:page SIZE SELECT …` begins")
	}
	if size > 0 {
		c.paged.page.Size = size
	}
	return c.nextPage(), nil
}

func (c *Core) nextPage() *answer.Answer {
	q := c.paged
	a := c.Execute(q.statement, Values{Page: q.page})
	if q.page.State = a.State; !a.More && a.Error == nil {
		c.paged = nil
	}
	return a
}
