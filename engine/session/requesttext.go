package session

import (
	"encoding/hex"
	"fmt"
	"strconv"
	"strings"

	"ringlab/model/plan"
	"ringlab/model/schema"
)

// The text of a request, as the journal and scripts hold it: named arguments, a
// verb, and what the verb takes. Statements stand in quotes as Go writes them, so
// that a request is one line; ids behind #, values in brackets:
//
//	c=127.0.0.1:50123 node=n2 cl=QUORUM page=5000 query "SELECT v FROM t WHERE k = ?" [0x0001]
//	c=127.0.0.1:50123 node=n2 cl=ONE execute #c2df729c75fe2dcd7e7c199a9afb8ed6 [null unset "k"=0x01]
//	c=127.0.0.1:50123 node=n2 prepare "SELECT v FROM t WHERE k = ?"
//	c=127.0.0.1:50123 node=n2 cl=ONE batch UNLOGGED "INSERT …" [] #c2df… [0x01]
//	c=127.0.0.1:50123 node=n2 leave
//
// The first one of a connection has what that said at its start: protocol=5
// user="ann" option="DRIVER_NAME=gocql".

var verbs = [...]string{"query", "prepare", "execute", "batch", "leave"}

var batchKinds = [...]string{"LOGGED", "UNLOGGED", "COUNTER"}

// Append writes a request whose node has that name.
func (r *Request) Append(b []byte, node string) []byte {
	b = append(append(append(append(b, "c="...), r.Client...), " node="...), node...)
	if r.Verb != Prepare && r.Verb != Leave {
		b = append(append(b, " cl="...), r.CL.String()...)
		if r.Serial != plan.Serial {
			b = append(append(b, " serial="...), r.Serial.String()...)
		}
	}
	if r.Page.Size > 0 {
		b = strconv.AppendInt(append(b, " page="...), int64(r.Page.Size), 10)
	}
	if r.Page.State != nil {
		b = hex.AppendEncode(append(b, " state=0x"...), r.Page.State)
	}
	if r.Time != nil {
		b = strconv.AppendInt(append(b, " timestamp="...), *r.Time, 10)
	}
	if r.Second != nil {
		b = strconv.AppendInt(append(b, " now="...), *r.Second, 10)
	}
	if r.Clock != nil {
		b = strconv.AppendInt(append(b, " clock="...), *r.Clock, 10)
	}
	if r.Keyspace != "" {
		b = strconv.AppendQuote(append(b, " keyspace="...), r.Keyspace)
	}
	if r.Tracing {
		b = append(b, " tracing=on"...)
	}
	if l := r.Link; l != nil {
		b = strconv.AppendInt(append(b, " protocol="...), int64(l.Protocol), 10)
		if l.User != "" {
			b = strconv.AppendQuote(append(b, " user="...), l.User)
		}
		for _, o := range l.Options {
			b = strconv.AppendQuote(append(b, " option="...), o.Key+"="+o.Value)
		}
	}
	b = append(append(b, ' '), verbs[r.Verb]...)
	switch r.Verb {
	case Query:
		b = strconv.AppendQuote(append(b, ' '), r.Text)
		if len(r.Values) > 0 {
			b = appendValues(b, r.Values, r.Named)
		}
	case Prepare:
		b = strconv.AppendQuote(append(b, ' '), r.Text)
	case Execute:
		b = appendValues(hex.AppendEncode(append(b, " #"...), r.ID), r.Values, r.Named)
	case Batch:
		b = append(append(b, ' '), batchKinds[r.Kind]...)
		for _, s := range r.Batch {
			if s.ID != nil {
				b = hex.AppendEncode(append(b, " #"...), s.ID)
			} else {
				b = strconv.AppendQuote(append(b, ' '), s.Text)
			}
			b = appendValues(b, s.Values, false)
		}
	}
	return b
}

func appendValues(b []byte, values []BoundValue, named bool) []byte {
	b = append(b, " ["...)
	for i, v := range values {
		if i > 0 {
			b = append(b, ' ')
		}
		if named {
			b = append(strconv.AppendQuote(b, v.Name), '=')
		}
		switch {
		case v.Unset:
			b = append(b, "unset"...)
		case v.Bytes == nil:
			b = append(b, "null"...)
		default:
			b = hex.AppendEncode(append(b, "0x"...), v.Bytes)
		}
	}
	return append(b, ']')
}

// batchText is a batch for people.
func (r *Request) batchText() string {
	var b strings.Builder
	b.WriteString("BEGIN " + map[plan.BatchKind]string{plan.UnloggedBatch: "UNLOGGED ", plan.CounterBatch: "COUNTER "}[r.Kind] + "BATCH")
	for i, s := range r.Batch {
		if i == 20 {
			fmt.Fprintf(&b, " … %d more;", len(r.Batch)-i)
			break
		}
		if s.ID != nil {
			fmt.Fprintf(&b, " #%x;", s.ID)
		} else {
			b.WriteString(" " + strings.TrimRight(s.Text, "; \n") + ";")
		}
	}
	return b.String() + " APPLY BATCH"
}

// ParseRequest reads the text of a request. find gives the node of a name.
func ParseRequest(text string, find func(name string) (int, error)) (r *Request, err error) {
	p := &requestText{rest: text}
	defer func() {
		if e := recover(); e != nil {
			problem, ours := e.(requestError)
			if !ours {
				panic(e)
			}
			r, err = nil, fmt.Errorf(":request: %s", string(problem))
		}
	}()
	r = &Request{Serial: plan.Serial}
	node := ""
	for {
		word := p.word()
		name, value, named := strings.Cut(word, "=")
		if !named {
			r.Verb = Verb(p.oneOf(word, verbs[:]))
			break
		}
		switch name {
		case "c":
			r.Client = value
		case "node":
			node = value
		case "cl":
			r.CL = p.level(value)
		case "serial":
			r.Serial = p.level(value)
		case "page":
			r.Page.Size = int(p.number(value))
		case "state":
			r.Page.State = p.hex(value)
		case "timestamp":
			n := p.number(value)
			r.Time = &n
		case "now":
			n := p.number(value)
			r.Second = &n
		case "clock":
			n := p.number(value)
			if n < -farthest || n > farthest {
				p.fail("the clock %d is farther than 1,000 years from the lab's epoch", n)
			}
			r.Clock = &n
		case "keyspace":
			r.Keyspace = p.unquote(value)
		case "protocol":
			r.Link = &Link{Protocol: int(p.number(value))}
		case "user", "option":
			if r.Link == nil {
				p.fail("protocol= comes before %s=", name)
			}
			if value = p.unquote(value); name == "user" {
				r.Link.User = value
				break
			}
			key, v, _ := strings.Cut(value, "=")
			r.Link.Options = append(r.Link.Options, schema.Option{Key: key, Value: v})
		case "tracing":
			r.Tracing = value == "on"
		default:
			p.fail("there is no argument %s", name)
		}
	}
	if r.Client == "" {
		p.fail("c= names the connection")
	}
	if r.Node, err = find(node); err != nil {
		return nil, err
	}
	switch r.Verb {
	case Query:
		r.Text = p.unquote(p.word())
		if p.peek() == '[' {
			r.Values, r.Named = p.values()
		}
	case Prepare:
		r.Text = p.unquote(p.word())
	case Execute:
		r.ID = p.id(p.word())
		r.Values, r.Named = p.values()
	case Batch:
		r.Kind = plan.BatchKind(p.oneOf(p.word(), batchKinds[:]))
		for p.peek() != 0 {
			var s BatchRequest
			if word := p.word(); strings.HasPrefix(word, "#") {
				s.ID = p.id(word)
			} else {
				s.Text = p.unquote(word)
			}
			s.Values, _ = p.values()
			r.Batch = append(r.Batch, s)
		}
	}
	if p.peek() != 0 {
		p.fail("%.20q is too much", p.rest)
	}
	return r, nil
}

// farthest is how far a clock may be from a lab's epoch: 1,000 years in µs.
const farthest = 1000 * 365 * 24 * 3600 * 1000000

type requestText struct{ rest string }

type requestError string

func (p *requestText) fail(format string, args ...any) {
	panic(requestError(fmt.Sprintf(format, args...)))
}

// peek is the next character that is no blank, 0 at the end.
func (p *requestText) peek() byte {
	p.rest = strings.TrimLeft(p.rest, " ")
	if p.rest == "" {
		return 0
	}
	return p.rest[0]
}

// word is what reaches up to the next blank or bracket outside of quotes.
func (p *requestText) word() string {
	if p.peek() == 0 {
		p.fail("something is missing at the end")
	}
	at := 0
	for at < len(p.rest) && !strings.ContainsRune(" ]", rune(p.rest[at])) {
		if p.rest[at] != '"' {
			at++
			continue
		}
		quoted, err := strconv.QuotedPrefix(p.rest[at:])
		if err != nil {
			p.fail("a quote is not closed")
		}
		at += len(quoted)
	}
	word := p.rest[:at]
	p.rest = p.rest[at:]
	return word
}

func (p *requestText) oneOf(word string, list []string) int {
	for i, x := range list {
		if x == word {
			return i
		}
	}
	p.fail("%.20q is none of %s", word, strings.Join(list, ", "))
	return 0
}

func (p *requestText) level(name string) plan.Consistency {
	cl, ok := plan.ParseConsistency(name)
	if !ok {
		p.fail("there is no consistency level %.20q", name)
	}
	return cl
}

func (p *requestText) number(text string) int64 {
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		p.fail("%.30q is no number", text)
	}
	return n
}

func (p *requestText) unquote(text string) string {
	s, err := strconv.Unquote(text)
	if err != nil {
		p.fail("%.20q does not stand in quotes", text)
	}
	return s
}

func (p *requestText) hex(text string) []byte {
	digits, ok := strings.CutPrefix(text, "0x")
	b, err := hex.DecodeString(digits)
	if !ok || err != nil {
		p.fail("%.20q are no bytes", text)
	}
	return b
}

func (p *requestText) id(text string) []byte {
	b, err := hex.DecodeString(strings.TrimPrefix(text, "#"))
	if err != nil || text == "" || text[0] != '#' {
		p.fail("%.20q is no id", text)
	}
	return b
}

// values reads a list in brackets.
func (p *requestText) values() (out []BoundValue, named bool) {
	if p.peek() != '[' {
		p.fail("a [ begins the values")
	}
	p.rest = p.rest[1:]
	for p.peek() != ']' {
		word := p.word()
		if word == "" {
			p.fail("a value is missing")
		}
		var v BoundValue
		if word[0] == '"' {
			quoted, err := strconv.QuotedPrefix(word)
			if err != nil || !strings.HasPrefix(word[len(quoted):], "=") {
				p.fail("%.20q is no value with a name", word)
			}
			v.Name, word, named = p.unquote(quoted), word[len(quoted)+1:], true
		}
		switch word {
		case "unset":
			v.Unset = true
		case "null":
		default:
			v.Bytes = p.hex(word)
		}
		out = append(out, v)
	}
	p.rest = p.rest[1:]
	return out, named
}
