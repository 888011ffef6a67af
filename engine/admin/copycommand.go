package admin

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"ringlab/model/schema"
)

// copyCommand is one COPY as it was written.
type copyCommand struct {
	keyspace, table string
	columns         []string // nil for all
	from            bool
	file            string // "" for STDIN and STDOUT
	fileAt, fileEnd int    // where the file's name stands in the text
	options         []copyOption
	data            string // what follows FROM STDIN
}

type copyOption struct{ name, value string }

// parseCopy reads COPY table [(column, …)] FROM|TO file [WITH option = value
// [AND …]]. Source: cqlsh 6.2 cqlshhandling.py, cqlsh_copy_syntax_rules.
func parseCopy(text string) (*copyCommand, bool) {
	line, data, _ := strings.Cut(text, "\n")
	words, ok := copyWords(line)
	if !ok || len(words) < 4 {
		return nil, false
	}
	p := &copyParser{words: words[1:]}
	c := &copyCommand{data: data}
	c.table = p.name()
	if p.symbol(".") {
		c.keyspace, c.table = c.table, p.name()
	}
	if p.symbol("(") {
		for c.columns = []string{p.name()}; p.symbol(","); {
			c.columns = append(c.columns, p.name())
		}
		p.want(p.symbol(")"))
	}
	switch {
	case p.keyword("FROM"):
		c.from = true
		p.destination(c, "STDIN")
	case p.keyword("TO"):
		p.destination(c, "STDOUT")
	default:
		return nil, false
	}
	if p.keyword("WITH") {
		for {
			o := copyOption{name: strings.ToLower(p.name())}
			p.want(p.symbol("="))
			o.value = p.value()
			c.options = append(c.options, o)
			if !p.keyword("AND") {
				break
			}
		}
	}
	return c, !p.bad && len(p.words) == 0 && c.table != ""
}

// CopyFromText is a COPY FROM of files as one that carries their rows itself, so
// that a script of it needs nothing else.
func CopyFromText(text string, files []File) string {
	c, ok := parseCopy(text)
	if !ok || !c.from || c.file == "" {
		return text
	}
	out := text[:c.fileAt] + "STDIN" + text[c.fileEnd:]
	header := false
	for _, o := range c.options {
		header = header || o.name == "header" && strings.EqualFold(o.value, "true")
	}
	for i, f := range files {
		rows := strings.TrimSuffix(f.Text, "\n")
		if i > 0 && header {
			_, rows, _ = strings.Cut(rows, "\n")
		}
		out += "\n" + rows
	}
	return out
}

// CopyLimited is a COPY that was cancelled as one that ends there by itself.
func CopyLimited(text string, rows int) string {
	line, data, found := strings.Cut(text, "\n")
	word := " WITH"
	if c, ok := parseCopy(text); ok && len(c.options) > 0 {
		word = " AND"
	}
	line += word + " MAXROWS = " + strconv.Itoa(rows)
	if found {
		line += "\n" + data
	}
	return line
}

// copyWord is a piece of the command: a name, a string, a number or a symbol.
type copyWord struct {
	text    string
	kind    byte // 'n' name, '"' quoted name, 's' string, '.' symbol
	at, end int
}

func copyWords(s string) (out []copyWord, ok bool) {
	for i := 0; i < len(s); {
		c := s[i]
		start := i
		switch {
		case c == ' ' || c == '\t':
			i++
			continue
		case c == '\'' || c == '"':
			var b strings.Builder
			for i++; ; i++ {
				if i >= len(s) {
					return nil, false
				}
				if s[i] == c {
					if i+1 < len(s) && s[i+1] == c {
						i++
					} else {
						break
					}
				}
				b.WriteByte(s[i])
			}
			i++
			kind := byte('s')
			if c == '"' {
				kind = c
			}
			out = append(out, copyWord{b.String(), kind, start, i})
		case strings.IndexByte("(),.=;", c) >= 0:
			i++
			if c != ';' {
				out = append(out, copyWord{string(c), '.', start, i})
			}
		default:
			for i < len(s) && strings.IndexByte(" \t'\"(),=;", s[i]) < 0 && (s[i] != '.' || s[start] >= '0' && s[start] <= '9') {
				i++
			}
			out = append(out, copyWord{s[start:i], 'n', start, i})
		}
	}
	return out, true
}

// copyParser takes words from the front; bad says that one was missing.
type copyParser struct {
	words []copyWord
	bad   bool
}

func (p *copyParser) want(ok bool) { p.bad = p.bad || !ok }

func (p *copyParser) symbol(s string) bool {
	if len(p.words) > 0 && p.words[0].kind == '.' && p.words[0].text == s {
		p.words = p.words[1:]
		return true
	}
	return false
}

func (p *copyParser) keyword(s string) bool {
	if len(p.words) > 0 && p.words[0].kind == 'n' && strings.EqualFold(p.words[0].text, s) {
		p.words = p.words[1:]
		return true
	}
	return false
}

func (p *copyParser) next(kinds string) copyWord {
	if len(p.words) == 0 || strings.IndexByte(kinds, p.words[0].kind) < 0 {
		p.bad = true
		return copyWord{}
	}
	w := p.words[0]
	p.words = p.words[1:]
	return w
}

// name is a name in lower case unless it is quoted.
func (p *copyParser) name() string {
	w := p.next(`n"`)
	if w.kind == 'n' {
		return strings.ToLower(w.text)
	}
	return w.text
}

func (p *copyParser) value() string { return p.next("ns").text }

func (p *copyParser) destination(c *copyCommand, standard string) {
	if p.keyword(standard) {
		return
	}
	w := p.next("s")
	p.want(w.text != "")
	c.file, c.fileAt, c.fileEnd = w.text, w.at, w.end
}

// target is the table of a COPY and the columns it is about.
// Source: cqlsh 6.2 CopyTask.validate_columns, Shell.get_column_names.
func (c *copyCommand) target(ctx *Context) (*schema.Table, []*schema.Column, error) {
	keyspace := c.keyspace
	if keyspace == "" {
		if keyspace = ctx.Current.Keyspace; keyspace == "" {
			return nil, nil, Complain("Not in any keyspace.")
		}
	}
	t := ctx.AnyTable(keyspace, c.table)
	switch {
	case t == nil && !schema.System(keyspace) && ctx.Cluster.Schema.Keyspace(keyspace) == nil:
		return nil, nil, Complain("Keyspace '%s' not found.", keyspace)
	case t == nil:
		return nil, nil, Complain("Column family %s not found", c.table)
	}
	if c.columns == nil {
		return t, copyColumns(t), nil
	}
	var out []*schema.Column
	for _, name := range c.columns {
		col := t.Column(name)
		if col == nil {
			return nil, nil, Complain("Invalid column name %s", name)
		}
		out = append(out, col)
	}
	return t, out, nil
}

// character is the only character of an option.
func character(name, value string) (rune, error) {
	r, size := utf8.DecodeRuneInString(value)
	if size == 0 || size != len(value) {
		return 0, Complain("%q must be a 1-character string", name)
	}
	return r, nil
}
