package event

import (
	"fmt"
	"strings"
	"testing"
)

func nodeNamed(name string) (int, bool) {
	var n int
	if _, err := fmt.Sscanf(name, "n%d", &n); err != nil || n < 1 || n > 3 {
		return 0, false
	}
	return n - 1, true
}

func nameOf(n int) string { return fmt.Sprintf("n%d", n+1) }

func TestFilters(t *testing.T) {
	l := &Journal{}
	for i, r := range []Record{
		{Kind: HintStored, Node: 0, Peer: 2, What: "ks.t", Op: 7},
		{Kind: HintSent, Node: 0, Peer: 2, What: "ks.t"},
		{Kind: Flush, Node: 1, Peer: -1, What: "ks.t", N: 1, M: 90},
		{Kind: NodeDown, Node: 2, Peer: -1},
	} {
		r.Seq = uint64(i + 1)
		l.Add(&r)
	}
	for _, c := range []struct{ filter, want string }{
		{"", "1 2 3 4"}, {"kind=hint", "1 2"}, {"kind=hint-stored", "1"}, {"kind=hint,flush", "1 2 3"}, {"!kind=hint", "3 4"}, {"node=n1 kind=hint op=7", "1"}, {"op=#7", "1"},
		{"node=n2,n3", "3 4"}, {"peer=n3", "1 2"}, {"SSTABLE", "3"}, {"!ks.t", "4"}, {"node=n1 flush", ""}, {"!", "1 2 3 4"},
		{"node=n9", `there is no node "n9"`}, {"kind=x", `no kind of event begins with "x"`}, {"op=x", `not "x"`}, {"colour=red", "there is no colour= here"},
	} {
		f, err := ParseFilter(c.filter, nodeNamed)
		if err != nil {
			if !strings.Contains(err.Error(), c.want) || c.want == "" {
				t.Errorf("%q: %v", c.filter, err)
			}
			continue
		}
		var got []string
		for _, r := range l.Last(10, f, nameOf) {
			got = append(got, fmt.Sprint(r.Seq))
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%q takes %v, not %s", c.filter, got, c.want)
		}
	}
}

// TestJournalIsBounded: the newest are kept, in their order.
func TestJournalIsBounded(t *testing.T) {
	l := &Journal{}
	for i := range Kept + 25 {
		l.Add(&Record{Seq: uint64(i)})
	}
	got := l.Last(Kept+100, nil, nameOf)
	if len(got) != Kept || got[0].Seq != 25 || got[Kept-1].Seq != Kept+24 || l.Seen != Kept+25 {
		t.Errorf("%d records from %d to %d of %d", len(got), got[0].Seq, got[len(got)-1].Seq, l.Seen)
	}
	if got = l.Last(3, nil, nameOf); len(got) != 3 || got[0].Seq != Kept+22 {
		t.Errorf("the last three begin with %d", got[0].Seq)
	}
}
