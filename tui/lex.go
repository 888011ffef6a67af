package tui

import (
	"strings"

	"ringlab/tui/draw"
)

// token is a piece of console input: kind 'w' word, 's' string, 'n' number,
// 'c' comment, ' ' blank, and else the character itself.
type token struct {
	from, to int
	kind     byte
	open     bool // a string or comment that does not end
}

// nextToken reads one token of CQL, cli or lab text.
func nextToken(s string, i int) token {
	c := s[i]
	t := token{from: i, kind: c}
	upTo := func(mark string, from int) {
		if end := strings.Index(s[from:], mark); end >= 0 {
			t.to = from + end + len(mark)
			return
		}
		t.to, t.open = len(s), true
	}
	switch {
	case c == ' ' || c == '\n' || c == '\t' || c == '\r':
		t.kind, t.to = ' ', i+1
		for t.to < len(s) && strings.IndexByte(" \n\t\r", s[t.to]) >= 0 {
			t.to++
		}
	case c == '\'' || c == '"':
		t.kind = 's'
		upTo(s[i:i+1], i+1)
	case strings.HasPrefix(s[i:], "$$"):
		t.kind = 's'
		upTo("$$", i+2)
	case strings.HasPrefix(s[i:], "--") || strings.HasPrefix(s[i:], "//"):
		t.kind = 'c'
		upTo("\n", i+2)
		t.open = false
	case strings.HasPrefix(s[i:], "/*"):
		t.kind = 'c'
		upTo("*/", i+2)
	case c >= '0' && c <= '9':
		t.kind, t.to = 'n', i+1
		for t.to < len(s) && (wordByte(s[t.to]) || s[t.to] == '.' || s[t.to] == '-' && wordByte(s[t.to-1]) && t.to-i >= 8) {
			t.to++
		}
	case wordByte(c):
		t.kind, t.to = 'w', i+1
		for t.to < len(s) && wordByte(s[t.to]) {
			t.to++
		}
	default:
		t.to = i + 1
	}
	return t
}

func wordByte(c byte) bool {
	return c == '_' || c >= 0x80 || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

var keywords = func() map[string]bool {
	m := map[string]bool{}
	for _, w := range strings.Fields(`ADD AGGREGATE ALL ALLOW ALTER AND APPLY AS ASC AUTHORIZE BATCH BEGIN BY CALLED CAST
CLUSTERING COLUMNFAMILY COMPACT CONTAINS COUNT COUNTER CREATE CUSTOM DEFAULT DELETE DESC DESCRIBE DISTINCT DROP
EACH_QUORUM ENTRIES EXISTS FILTERING FROM FROZEN FULL FUNCTION GRANT GROUP IF IN INDEX INSERT INTO IS JSON KEY
KEYS KEYSPACE LANGUAGE LIKE LIMIT LIST MAP MATERIALIZED NOT NULL OF ON OR ORDER PARTITION PASSWORD PER PERMISSION PRIMARY
QUORUM LOCAL_QUORUM LOCAL_ONE ONE TWO THREE ANY SERIAL LOCAL_SERIAL RENAME REPLACE RETURNS REVOKE ROLE SELECT SET STATIC STORAGE TABLE TIMESTAMP TO
TOKEN TRACING TRIGGER TRUNCATE TTL TUPLE TYPE UNLOGGED UNSET UPDATE USE USER USING VALUES VIEW WHERE WITH WRITETIME
CONSISTENCY EXPAND PAGING SHOW SOURCE HELP COPY CAPTURE NODETOOL TRUE FALSE
ASCII BIGINT BLOB BOOLEAN DATE DECIMAL DOUBLE DURATION FLOAT INET INT SMALLINT TEXT TIME TIMEUUID TINYINT UUID VARCHAR VARINT VECTOR`) {
		m[w] = true
	}
	return m
}()

// styleOf is the colour of a token.
func styleOf(s string, t token) draw.Style {
	switch t.kind {
	case 's':
		return String
	case 'n':
		return Number
	case 'c':
		return Comment
	case 'w':
		if keywords[strings.ToUpper(s[t.from:t.to])] {
			return Keyword
		}
		return Text
	case ':':
		return Accent
	}
	return Text
}

// highlight returns one line in the colours of its tokens.
func highlight(line string) draw.Spans {
	if strings.HasPrefix(line, ":") {
		word, rest, _ := strings.Cut(line, " ")
		out := draw.Spans{{Text: word, Style: Accent}}
		if rest != "" {
			out = append(out, draw.Line{Text: " " + rest})
		}
		return out
	}
	var out draw.Spans
	for i := 0; i < len(line); {
		t := nextToken(line, i)
		style := styleOf(line, t)
		if n := len(out); n > 0 && (out[n-1].Style == style || t.kind == ' ') {
			out[n-1].Text += line[t.from:t.to]
		} else {
			out = append(out, draw.Line{Text: line[t.from:t.to], Style: style})
		}
		i = t.to
	}
	return out
}

// wrapCode breaks a line to w cells and keeps the colours of the whole line.
func wrapCode(line string, w int) []draw.Spans {
	line = draw.Clean(line)
	var out []draw.Spans
	colours := highlight(line)
	at := 0 // byte of line up to which pieces were found
	for _, piece := range draw.Wrap(line, w) {
		body := strings.TrimLeft(piece, " ")
		row := draw.Spans{{Text: piece[:len(piece)-len(body)]}}
		from := at + max(strings.Index(line[at:], body), 0)
		at = from + len(body)
		begin := 0
		for _, c := range colours {
			end := begin + len(c.Text)
			if a, b := max(begin, from), min(end, at); a < b {
				row = append(row, draw.Line{Text: line[a:b], Style: c.Style})
			}
			begin = end
		}
		out = append(out, row)
	}
	return out
}

// lineCommands are the words of cqlsh and nodetool that end with their line.
var lineCommands = map[string]bool{}

func init() {
	for _, w := range strings.Fields("CONSISTENCY SERIAL TRACING PAGING EXPAND SHOW DESCRIBE DESC HELP SOURCE COPY CAPTURE CLEAR CLS EXIT QUIT USE NODETOOL LOGIN") {
		lineCommands[w] = true
	}
}

// complete says whether enter should run the text, and count how many
// statements it holds.
func complete(s string) (ready bool, count int) {
	trimmed := strings.TrimSpace(s)
	if trimmed == "" {
		return true, 0
	}
	return scan(trimmed)
}

func scan(s string) (ready bool, count int) {
	first, batch, begun, open := true, false, false, false
	var last [2]string
	for i := 0; i < len(s); {
		if first && lineCommand(s[i:]) {
			count++
			end := strings.IndexByte(s[i:], '\n')
			if end < 0 {
				return true, count
			}
			i += end + 1
			continue
		}
		t := nextToken(s, i)
		i = t.to
		switch t.kind {
		case ' ', 'c':
			open = open || t.open
			continue
		case 'w':
			word := strings.ToUpper(s[t.from:t.to])
			if first {
				begun = word == "BEGIN"
			}
			if begun && word == "BATCH" && last[0] != "APPLY" {
				batch = true
			}
			if batch && word == "BATCH" && last[0] == "APPLY" {
				batch, begun = false, false
			}
			last[1], last[0] = last[0], word
		case ';':
			if !batch {
				count++
				first, begun = true, false
				last = [2]string{}
				continue
			}
		default:
			open = open || t.open
		}
		first = false
	}
	return first && !open, count + pick(first, 0, 1)
}

// lineCommand says whether s begins with something that ends with its line.
func lineCommand(s string) bool {
	if s[0] == ':' {
		return true
	}
	end := 0
	for end < len(s) && end < 16 && wordByte(s[end]) {
		end++
	}
	return end > 1 && lineCommands[strings.ToUpper(s[:end])]
}

// bracketAt finds the partner of the bracket at or before byte cur.
func bracketAt(s string, cur int) (a, b int) {
	const pairs = "()[]{}"
	at := -1
	for _, i := range []int{cur, cur - 1} {
		if i >= 0 && i < len(s) && strings.IndexByte(pairs, s[i]) >= 0 {
			at = i
			break
		}
	}
	if at < 0 || len(s) > 1<<14 {
		return -1, -1
	}
	var stack []int
	for i := 0; i < len(s); {
		t := nextToken(s, i)
		i = t.to
		k := strings.IndexByte(pairs, t.kind)
		if k < 0 {
			continue
		}
		if k%2 == 0 {
			stack = append(stack, t.from)
			continue
		}
		if len(stack) == 0 {
			return -1, -1
		}
		open := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if open == at || t.from == at {
			if s[open] == pairs[k-1] {
				return open, t.from
			}
			return -1, -1
		}
	}
	return -1, -1
}
