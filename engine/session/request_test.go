package session

import (
	"fmt"
	"reflect"
	"testing"

	"pgregory.net/rapid"

	"ringlab/model/plan"
	"ringlab/model/schema"
)

// drawRequest draws a request of any kind.
func drawRequest(t *rapid.T) *Request {
	r := &Request{Client: rapid.StringMatching(`[0-9a-f.:]{1,20}`).Draw(t, "client"), Node: rapid.IntRange(0, 5).Draw(t, "node"), Serial: plan.Serial}
	r.Verb = Verb(rapid.IntRange(0, int(Leave)).Draw(t, "verb"))
	text := rapid.String()
	values := func(named bool) (out []BoundValue) {
		for range rapid.IntRange(0, 3).Draw(t, "values") {
			v := BoundValue{}
			if named {
				v.Name = text.Draw(t, "name")
			}
			switch rapid.IntRange(0, 2).Draw(t, "value") {
			case 0:
				v.Unset = true
			case 1:
				v.Bytes = append([]byte{}, rapid.SliceOf(rapid.Byte()).Draw(t, "bytes")...)
			}
			out = append(out, v)
		}
		return out
	}
	if r.Verb != Prepare && r.Verb != Leave {
		r.CL = plan.Consistency(rapid.IntRange(0, 11).Draw(t, "cl"))
		r.Serial = plan.Consistency(rapid.IntRange(8, 9).Draw(t, "serial"))
	}
	if rapid.Bool().Draw(t, "page") {
		r.Page = Page{Size: rapid.IntRange(1, 5000).Draw(t, "size"), State: append([]byte{}, rapid.SliceOf(rapid.Byte()).Draw(t, "state")...)}
	}
	if rapid.Bool().Draw(t, "timed") {
		clock := rapid.Int64Range(-farthest, farthest).Draw(t, "clock")
		r.Clock = &clock
		n, s := rapid.Int64().Draw(t, "time"), int64(rapid.Int32().Draw(t, "second"))
		r.Time, r.Second = &n, &s
	}
	if rapid.Bool().Draw(t, "link") {
		r.Link = &Link{Protocol: rapid.IntRange(3, 6).Draw(t, "protocol"), User: text.Draw(t, "user")}
		for range rapid.IntRange(0, 2).Draw(t, "options") {
			r.Link.Options = append(r.Link.Options, schema.Option{Key: rapid.StringMatching("[^=]*").Draw(t, "option"), Value: text.Draw(t, "value")})
		}
	}
	r.Keyspace, r.Tracing = text.Draw(t, "keyspace"), rapid.Bool().Draw(t, "tracing")
	switch r.Verb {
	case Query:
		r.Text = text.Draw(t, "text")
		named := rapid.Bool().Draw(t, "named")
		r.Values = values(named)
		r.Named = named && len(r.Values) > 0
	case Prepare:
		r.Text = text.Draw(t, "text")
	case Execute:
		r.ID = append([]byte{}, rapid.SliceOf(rapid.Byte()).Draw(t, "id")...)
		r.Values = values(false)
	case Batch:
		r.Kind = plan.BatchKind(rapid.IntRange(0, 2).Draw(t, "kind"))
		for range rapid.IntRange(0, 3).Draw(t, "statements") {
			s := BatchRequest{Text: text.Draw(t, "statement"), Values: values(false)}
			if rapid.Bool().Draw(t, "prepared") {
				s.Text, s.ID = "", append([]byte{}, rapid.SliceOf(rapid.Byte()).Draw(t, "id")...)
			}
			r.Batch = append(r.Batch, s)
		}
	}
	return r
}

func findNode(name string) (int, error) {
	var n int
	_, err := fmt.Sscanf(name, "n%d", &n)
	return n - 1, err
}

// TestRequestText checks that the text of a request says all of it.
func TestRequestText(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := drawRequest(t)
		text := string(r.Append(nil, fmt.Sprintf("n%d", r.Node+1)))
		again, err := ParseRequest(text, findNode)
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		if !reflect.DeepEqual(r, again) {
			t.Fatalf("%s\n%+v\n%+v", text, r, again)
		}
	})
}

// FuzzRequestText checks that no text breaks the parser, and that what it takes
// is printed so that it says the same.
func FuzzRequestText(f *testing.F) {
	f.Add(`c=127.0.0.1:50123 node=n2 cl=QUORUM page=5000 state=0x01 query "SELECT v FROM t WHERE k = ?" [0x0001]`)
	f.Add(`c=a node=n1 cl=ONE execute #c2df ["k"=0x01 null unset]`)
	f.Add(`c=a node=n1 prepare "SELECT 1"`)
	f.Add(`c=a node=n1 cl=ONE serial=LOCAL_SERIAL timestamp=-5 now=7 clock=5 keyspace="a b" tracing=on batch UNLOGGED "INSERT" [] #01 [0x]`)
	f.Fuzz(func(t *testing.T, text string) {
		r, err := ParseRequest(text, findNode)
		if err != nil {
			return
		}
		once := r.Append(nil, fmt.Sprintf("n%d", r.Node+1))
		again, err := ParseRequest(string(once), findNode)
		if err != nil {
			t.Fatalf("%q is printed as %q: %v", text, once, err)
		}
		if twice := again.Append(nil, fmt.Sprintf("n%d", again.Node+1)); string(twice) != string(once) {
			t.Fatalf("%q, then %q", once, twice)
		}
	})
}
