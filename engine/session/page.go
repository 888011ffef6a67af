package session

import (
	"encoding/binary"
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
	Size  int
	State []byte
}

// position is where a page ended, as a paging state carries it.
// Source: Cassandra 5.0 PagingState.
type position struct {
	key     []byte // partition of the last row
	hasRow  bool   // rows of it may be left, behind row
	row     []byte // clustering of the last row
	left    int    // rows that LIMIT leaves, 0 = no limit
	inPart  int    // rows of that partition so far; of groups: those that are left of it
	skipped int    // of rows that are made anew for every page: those given so far
}

const positionVersion = 1

// bytes writes the position as a paging state.
func (p *position) bytes() []byte {
	b := []byte{positionVersion, 0}
	if p.hasRow {
		b[1] = 1
	}
	for _, part := range [][]byte{p.key, p.row} {
		b = binary.AppendUvarint(b, uint64(len(part)))
		b = append(b, part...)
	}
	for _, n := range []int{p.left, p.inPart, p.skipped} {
		b = binary.AppendUvarint(b, uint64(n))
	}
	return b
}

// readPosition reads a paging state; ok is false for one that is none.
func readPosition(b []byte) (p position, ok bool) {
	if len(b) < 2 || b[0] != positionVersion || b[1] > 1 {
		return p, false
	}
	p.hasRow, b = b[1] == 1, b[2:]
	number := func() (int, bool) {
		n, w := binary.Uvarint(b)
		if w <= 0 || n > 1<<31 {
			return 0, false
		}
		b = b[w:]
		return int(n), true
	}
	for _, to := range []*[]byte{&p.key, &p.row} {
		n, fine := number()
		if !fine || n > len(b) {
			return p, false
		}
		*to, b = b[:n:n], b[n:]
	}
	for _, to := range []*int{&p.left, &p.inPart, &p.skipped} {
		if *to, ok = number(); !ok {
			return p, false
		}
	}
	return p, len(b) == 0
}

var errState = &plan.Error{Code: plan.ProtocolError, Message: "Invalid value for the paging state"}

// in says whether a table can have a row there: clients give states back as they
// like.
func (p *position) in(t *schema.Table) bool {
	return t.ValidPartitionKey(p.key) && (p.hasRow && t.ValidClustering(p.row) || !p.hasRow && len(p.row) == 0)
}

// paging is one SELECT that is answered in pages.
type paging struct {
	page  Page
	from  *position // where the page before ended, nil for the first
	full  int       // rows of LIMIT that were left when the page began, 0 = no limit
	group bool      // the rows are groups, which are read from the beginning
}

// startPaging prepares a SELECT for its page: what is read begins behind the
// last row, and no more rows are made than the page holds. The plan is the
// caller's own. Source: Cassandra 5.0 AbstractQueryPager, PartitionRangeQueryPager.
func startPaging(sel *plan.Select, page Page) (*paging, error) {
	p := &paging{page: page, full: sel.Limit, group: sel.GroupBy > 0}
	if page.State != nil {
		at, ok := readPosition(page.State)
		if !ok || !p.group && !at.in(sel.Table) {
			return nil, errState
		}
		p.from, p.full = &at, at.left
	}
	if p.group {
		return p, nil
	}
	sel.Limit = page.Size
	if p.full > 0 {
		sel.Limit = min(sel.Limit, p.full)
	}
	if p.from != nil && sel.Keys != nil {
		at := slices.IndexFunc(sel.Keys, func(k []byte) bool { return string(k) == string(p.from.key) })
		if at < 0 {
			return nil, errState
		}
		if !p.from.hasRow {
			at++
		}
		sel.Keys = sel.Keys[at:]
		sel.Empty = sel.Empty || len(sel.Keys) == 0
	}
	return p, nil
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

// after narrows the rows of a partition to those behind the last one; names and
// slices are in table order.
func (p *paging) after(sel *plan.Select, names [][]byte, sl []schema.Slice) ([][]byte, []schema.Slice) {
	t, row := sel.Table, p.from.row
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

// end says where the page ended, nil if nothing can follow: another page
// follows a full one unless LIMIT is reached.
func (p *paging) end(run *query.Runner, f *feeder) []byte {
	n := run.Total()
	if n < p.page.Size || p.full > 0 && n >= p.full {
		return nil
	}
	at := position{key: []byte(f.key), inPart: run.InPartition()}
	if at.hasRow = p.partitionGoesOn(f, at.inPart); at.hasRow {
		at.row = schema.PackClustering(f.row.Clustering)
	} else if k := f.sel.Keys; k != nil && string(k[len(k)-1]) == f.key {
		return nil
	}
	if p.full > 0 {
		at.left = p.full - n
	}
	return at.bytes()
}

// partitionGoesOn says whether rows may follow the last one in its partition:
// not behind a row of static cells alone or one without clustering, nor behind
// the last that PER PARTITION LIMIT or DISTINCT allows.
// Source: Cassandra 5.0 AbstractQueryPager.Pager.onClose.
func (p *paging) partitionGoesOn(f *feeder, given int) bool {
	sel := f.sel
	return f.row.HasRow && len(f.row.Clustering) > 0 && !sel.Distinct && (sel.PerPartition == 0 || given < sel.PerPartition)
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
