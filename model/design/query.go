package design

import (
	"slices"
	"strconv"
	"strings"

	"ringlab/model/types"
)

// The words of questions. Anything else is an entity, an attribute, or a
// problem.
var (
	verbs  = words("find show get list give me which what fetch look up select read return are is there were have do does did")
	fill   = words("the a an all each every given certain some one his her its their whose who that rows row ? = == is equals equal first last new about with of value values two then also only please")
	equal  = words("by for where with of in on at within over inside having and , & +")
	ranged = words("range ranges between after before since until from to < > <= >= period interval")
	ends   = words("by for where with of in on at within over between from after before since until sorted ordered order sort newest latest oldest earliest showing show returning return giving as bucketed buckets , kept keep expiring")
	units  = map[string]float64{"second": 1.0 / 86400, "minute": 1.0 / 1440, "hour": 1.0 / 24, "day": 1, "week": 7, "month": 30, "year": 365}
)

func words(s string) map[string]bool {
	m := map[string]bool{}
	for _, w := range strings.Fields(s) {
		m[w] = true
	}
	return m
}

// token is a word or a sign of a question.
type token struct {
	text string // in lower case
	at   int
}

func tokens(s string) []token {
	var out []token
	wordByte := func(c byte) bool {
		return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_' || c == '\'' || c == '.'
	}
	for i := 0; i < len(s); {
		j := i + 1
		switch {
		case s[i] == ' ' || s[i] == '\t':
			i++
			continue
		case wordByte(s[i]):
			for j < len(s) && wordByte(s[j]) {
				j++
			}
		case (s[i] == '<' || s[i] == '>' || s[i] == '=' || s[i] == '-') && j < len(s) && (s[j] == '=' || s[j] == '>'):
			j++
		case s[i] >= 0x80: // → and other signs as a whole
			for j < len(s) && s[j] >= 0x80 && s[j] < 0xc0 {
				j++
			}
		}
		out = append(out, token{strings.ToLower(s[i:j]), i})
		i = j
	}
	return out
}

// reader reads one question.
type reader struct {
	*parser
	l    line
	q    *Query
	toks []token
	i    int

	mode     byte  // e equality, o order, s what is shown
	open     *Term // the last term, while an operator may follow it
	range_   bool  // the next term is a range
	in       bool  // the next term has several values
	optional bool
	group    string   // name of the group that is open
	parts    []string // of the table's name
	failed   bool
}

func (r *reader) stop(at int, format string, args ...any) {
	if !r.failed {
		r.fail(r.l, at, format, args...)
	}
	r.failed = true
}

// query reads a question and keeps it unless it has a problem.
func (p *parser) query(l line) {
	r := &reader{parser: p, l: l, q: &Query{Text: l.text, Line: l.n}, toks: tokens(l.text), mode: 'e'}
	if len(p.d.Entities) == 0 {
		p.fail(l, 0, "first say what there is, as in `book: isbn text key, title text`")
		return
	}
	head := r.head()
	for r.i < len(r.toks) && !r.failed {
		r.step()
	}
	if r.failed {
		return
	}
	defer func() {
		if len(r.q.name) > 48 {
			r.stop(0, "%s is longer than the 48 characters that a table's name may have: give it one with `as NAME`", r.q.name)
			p.d.Queries = p.d.Queries[:len(p.d.Queries)-1]
		}
	}()
	if !r.q.written {
		r.q.name = strings.Join(head, "_")
		if len(r.parts) > 0 {
			r.q.name += "_by_" + strings.Join(r.parts, "_and_")
		}
	}
	p.d.Queries = append(p.d.Queries, r.q)
}

// head reads what is asked for: `books read` of `find the books read by user`.
func (r *reader) head() (name []string) {
	for r.i < len(r.toks) && (verbs[r.toks[r.i].text] || fill[r.toks[r.i].text]) {
		r.i++
	}
	first := r.i
	for ; r.i < len(r.toks) && !ends[r.toks[r.i].text]; r.i++ {
		w := r.toks[r.i].text
		if fill[w] {
			continue
		}
		if e := r.d.entity(w); e != nil {
			r.q.Entity = e
		}
		if !isName(w) {
			r.stop(r.toks[r.i].at, "%q is no word for the name of a table; `as NAME` gives one", w)
		}
		name = append(name, w)
	}
	switch {
	case r.q.Entity != nil:
	case len(name) == 0:
		r.stop(0, "a question begins with what is asked for, as in `%ss by %s`", r.d.Entities[0].Name, r.d.Entities[0].Attributes[0].Name)
	default:
		r.stop(r.toks[first].at, "%q names none of the entities %s; write `%s: …` to say what it has", strings.Join(name, " "), r.entityNames(), singulars(name[0])[len(singulars(name[0]))-1])
	}
	return name
}

func (r *reader) entityNames() string {
	var out []string
	for _, e := range r.d.Entities {
		out = append(out, e.Name)
	}
	return strings.Join(out, ", ")
}

// peek is the next word that says something, "" at the end.
func (r *reader) peek() string {
	for j := r.i + 1; j < len(r.toks); j++ {
		if w := r.toks[j].text; !fill[w] || w == "?" || r.resolves(w) {
			return w
		}
	}
	return ""
}

// means says whether a word is a name here although questions use it otherwise,
// as an attribute called `at` or `value`.
func (r *reader) means(w string) bool {
	switch w {
	case "by", "and", "as", "sorted", "ordered", "showing":
		return false
	case "order", "sort":
		if r.i+1 < len(r.toks) && r.toks[r.i+1].text == "by" {
			return false
		}
	}
	return (fill[w] || equal[w] || ranged[w] || ends[w] || verbs[w]) && r.resolves(w)
}

// step takes one word.
func (r *reader) step() {
	t := r.toks[r.i]
	w := t.text
	switch {
	case r.means(w):
		r.name(t)
	case w == ")":
		r.group, r.open = "", nil
	case w == "in" && r.open != nil && (r.peek() == "(" || r.peek() == "?" || r.peek() == "list"):
		r.open.Op = In
		for r.i+1 < len(r.toks) && (r.toks[r.i+1].text == "(" || r.toks[r.i+1].text == "?" || r.toks[r.i+1].text == "," || r.toks[r.i+1].text == ")" || r.toks[r.i+1].text == "list") {
			r.i++
		}
	case w == "bucketed" || w == "bucket" || w == "buckets" || w == "in" && strings.HasPrefix(r.peek(), "bucket"):
		r.bucket(t)
	case w == "sorted" || w == "ordered" || w == "order" || w == "sort":
		r.mode, r.open = 'o', nil
		if r.peek() == "by" {
			r.i++
		}
	case w == "newest" || w == "latest" || w == "oldest" || w == "earliest":
		r.byTime(t, w == "newest" || w == "latest")
	case w == "desc" || w == "descending" || w == "asc" || w == "ascending":
		if n := len(r.q.Order); n > 0 {
			r.q.Order[n-1].Desc = w[0] == 'd'
		} else {
			r.stop(t.at, "%s says how to sort, but nothing is sorted: write `sorted by … %s`", w, w)
		}
	case w == "showing" || w == "show" || w == "returning" || w == "return" || w == "giving" || w == "→" || w == "->":
		r.mode, r.open = 's', nil
	case w == "as":
		r.i++
		if r.i >= len(r.toks) || !isName(r.toks[r.i].text) {
			r.stop(t.at, "behind `as` stands the name of the table: letters, digits and _, a letter first")
			return
		}
		r.q.name, r.q.written = r.toks[r.i].text, true
	case w == "optionally" || w == "maybe" || w == "perhaps" || w == "possibly":
		r.optional = true
	case w == "several" || w == "any":
		r.in = true
	case w == "kept" || w == "keep" || w == "expiring":
		r.keep(t)
	case w[0] >= '0' && w[0] <= '9':
		r.volume(t)
	case ranged[w]:
		// The range is of the attribute that follows, unless a value does or nothing: `time between ? and ?`.
		if next := r.peek(); r.mode == 'e' && r.resolves(next) {
			r.range_ = true
		} else if r.open != nil {
			r.open.Op = Range
		} else if next == "" || next == "?" {
			r.stop(t.at, "%s of what? Name the attribute: `time range`", w)
		}
	case equal[w]:
		if w != "and" && w != "," && w != "&" && w != "+" && r.mode != 's' {
			r.mode = 'e'
		}
		if w == "and" && r.open != nil && r.open.Op == Range && r.peek() == "?" {
			break // between ? and ?
		}
		r.open = nil
	case fill[w] || w == "(":
	default:
		r.name(t)
	}
	r.i++
}

// bucket reads `in buckets of a month` and `bucketed by month`.
func (r *reader) bucket(t token) {
	for r.i+1 < len(r.toks) {
		r.i++
		for _, form := range singulars(r.toks[r.i].text) {
			if units[form] >= 1.0/24 {
				r.q.Bucket = form
				return
			}
		}
		if w := r.toks[r.i].text; !fill[w] && !equal[w] && !strings.HasPrefix(w, "bucket") {
			break
		}
	}
	r.stop(t.at, "a bucket is an hour, a day, a week, a month or a year: `bucketed by month`")
}

// byTime orders by the time of the rows.
func (r *reader) byTime(t token, desc bool) {
	isTime := func(a *Attribute) bool {
		return a.Type.Kind == types.KindTimestamp || a.Type.Kind == types.KindTimeUUID || a.Type.Kind == types.KindDate
	}
	var by *Attribute
	for _, term := range r.q.Terms {
		if isTime(term.Attribute) && term.Op == Range {
			by = term.Attribute
		}
	}
	for _, a := range r.q.Entity.Attributes {
		if by == nil && isTime(a) && !slices.ContainsFunc(r.q.Terms, func(o Term) bool { return o.Attribute == a && o.Op != Range }) {
			by = a
		}
	}
	if by == nil {
		r.stop(t.at, "%s has no attribute of a time (timestamp, timeuuid, date) that could be %s", r.q.Entity.Name, t.text)
		return
	}
	r.q.Order, r.open = append(r.q.Order, Order{by, desc}), nil
}

// number reads 50, 1k and 2.5M.
func number(w string) (float64, bool) {
	unit := 1.0
	for suffix, u := range map[string]float64{"k": 1e3, "m": 1e6, "g": 1e9} {
		if rest, ok := strings.CutSuffix(w, suffix); ok {
			w, unit = rest, u
			break // one unit; the rest of 5mk is no number, whichever comes first
		}
	}
	v, err := strconv.ParseFloat(w, 64)
	return v * unit, err == nil && v > 0 && v < 1e15
}

// unit looks for a unit of time behind a number: `50 a day`, `50 rows per day`.
func (r *reader) unit(fillers string) (days float64, rows bool) {
	skip := words(fillers)
	for j := r.i + 1; j < len(r.toks); j++ {
		w := r.toks[j].text
		for _, form := range singulars(w) {
			if d := units[form]; d > 0 {
				r.i = j
				return d, rows
			}
		}
		if w == "rows" || w == "row" {
			rows = true
			r.i = j
		}
		if !skip[w] && r.d.entity(w) == nil {
			break
		}
	}
	return 0, rows
}

// volume reads `50 a day`, which come to one partition, or `500 rows` in all.
func (r *reader) volume(t token) {
	v, ok := number(t.text)
	days, rows := r.unit("a an per each every rows row new")
	switch {
	case !ok:
		r.stop(t.at, "%q is no number of rows", t.text)
	case days > 0:
		r.q.PerDay = v / days
	case rows:
		r.q.Rows = v
	default:
		r.stop(t.at, "%s of what? Write `%s rows` for a whole partition, or `%s a day` for what comes to one", t.text, t.text, t.text)
	}
	r.open = nil
}

// keep reads `kept 30 days`.
func (r *reader) keep(t token) {
	for r.i+1 < len(r.toks) && words("for after in about")[r.toks[r.i+1].text] {
		r.i++
	}
	if r.i+1 < len(r.toks) {
		v, ok := number(r.toks[r.i+1].text)
		r.i++
		if days, _ := r.unit("a an"); ok && days > 0 {
			r.q.Keep, r.open = v*days, nil
			return
		}
	}
	r.stop(t.at, "say how long rows are kept: `kept 30 days`")
}

// resolves says whether a word is an entity or an attribute here.
func (r *reader) resolves(w string) bool {
	list, _ := r.resolve(w)
	return len(list) > 0
}

// resolve finds the attributes that a word stands for: one of the entity that is
// asked for, what identifies another entity, or an attribute of one.
func (r *reader) resolve(w string) (list []*Attribute, name string) {
	owner, attr, ok := strings.Cut(w, ".")
	if !ok {
		if owner, ok = strings.CutSuffix(w, "'s"); ok && r.i+1 < len(r.toks) {
			attr = r.toks[r.i+1].text
		}
	}
	if ok {
		if e := r.d.entity(owner); e != nil {
			if a := e.attribute(attr); a != nil {
				return []*Attribute{a}, columnName(r.q.Entity, a)
			}
		}
		return nil, ""
	}
	if a := r.q.Entity.attribute(w); a != nil {
		return []*Attribute{a}, a.Name
	}
	if e := r.d.entity(w); e != nil {
		return e.identity(), e.Name
	}
	var found []*Attribute
	for _, e := range r.d.Entities {
		if a := e.attribute(w); a != nil {
			found = append(found, a)
		}
	}
	if len(found) == 1 {
		return found, columnName(r.q.Entity, found[0])
	}
	return nil, ""
}

// columnName is how an attribute is called in a table of an entity: with its
// owner's name where its own says nothing there.
func columnName(of *Entity, a *Attribute) string {
	if a.Entity != of && (a.Name == "id" || a.Name == "name" || of.attribute(a.Name) != nil && of.attribute(a.Name).Name == a.Name) {
		return a.Entity.Name + "_" + a.Name
	}
	return a.Name
}

// name takes a word that is a name: of an attribute, an entity, or a group of
// attributes, as in `login info (email, password)`.
func (r *reader) name(t token) {
	list, name := r.resolve(t.text)
	if list == nil {
		r.unknown(t)
		return
	}
	if strings.HasSuffix(t.text, "'s") {
		r.i++
	}
	switch r.mode {
	case 'o':
		for _, a := range list {
			r.q.Order = append(r.q.Order, Order{Attribute: a})
		}
		return
	case 's':
		r.q.Show = append(r.q.Show, list...)
		return
	}
	op := Equal
	if r.range_ {
		op = Range
	} else if r.in {
		op = In
	}
	for _, a := range list {
		if slices.ContainsFunc(r.q.Terms, func(o Term) bool { return o.Attribute == a }) {
			r.stop(t.at, "%s stands here twice", name)
			return
		}
		r.q.Terms = append(r.q.Terms, Term{a, op, r.optional})
	}
	r.open = &r.q.Terms[len(r.q.Terms)-1]
	// An operator may follow: whether the name belongs to the table's is known when it has.
	if next := r.peek(); op != Range && !r.optional && r.group == "" && !(ranged[next] && !r.rangeFollows()) {
		r.parts = append(r.parts, name)
	}
	r.range_, r.in, r.optional = false, false, false
}

// rangeFollows says whether the range word ahead belongs to a later attribute.
func (r *reader) rangeFollows() bool {
	for j := r.i + 1; j < len(r.toks); j++ {
		if ranged[r.toks[j].text] {
			return j+1 < len(r.toks) && r.resolves(r.toks[j+1].text)
		}
	}
	return false
}

// unknown is a word that is none of the design's: a group's name, or a problem.
func (r *reader) unknown(t token) {
	var name []string
	for j := r.i; j < len(r.toks) && j < r.i+4; j++ {
		if r.toks[j].text == "(" && r.group == "" && r.mode == 'e' {
			r.group, r.i = strings.Join(name, "_"), j
			r.parts = append(r.parts, r.group)
			return
		}
		name = append(name, r.toks[j].text)
	}
	var owners []string
	for _, e := range r.d.Entities {
		if e.attribute(t.text) != nil {
			owners = append(owners, e.Name+"."+t.text)
		}
	}
	if len(owners) > 1 {
		r.stop(t.at, "%s is an attribute of several: say %s", t.text, strings.Join(owners, " or "))
		return
	}
	var known []string
	for _, a := range r.q.Entity.Attributes {
		known = append(known, a.Name)
	}
	r.stop(t.at, "%q is neither an attribute of %s (%s) nor an entity (%s)", t.text, r.q.Entity.Name, strings.Join(known, ", "), r.entityNames())
}
