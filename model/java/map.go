package java

import (
	"slices"
	"sort"
)

// entry is one pair of a map.
type entry struct {
	key, val any
	h        uint32
}

func (*entry) class() string { return "Map.Entry" }

func (e *entry) show(m *machine) string {
	return m.text(join(join(m.toText(e.key), "="), m.toText(e.val)))
}

func (e *entry) same(m *machine, v any) bool {
	o, ok := v.(*entry)
	return ok && m.equals(e.key, o.key) && m.equals(e.val, o.val)
}

func (e *entry) hash(m *machine) int32 { return hashOf(m, e.key) ^ hashOf(m, e.val) }

// mapping is a Map. kind is the name of its class. A hash map is kept as Java keeps
// it, so that its order is Java's; a linked one has the order of insertion besides,
// and a tree map has only a sorted list.
// Source: java.util.HashMap.
type mapping struct {
	kind      string
	table     [][]*entry
	threshold int // of a table that is not made yet: its length, 0 for 16
	n         int
	linked    []*entry
	sorted    []*entry
	mod       int
}

func (p *mapping) class() string  { return p.kind }
func (p *mapping) isTree() bool   { return p.kind == "TreeMap" }
func (p *mapping) isLinked() bool { return p.kind == "LinkedHashMap" }

// tableSize is the power of two that holds n.
func tableSize(n int) int {
	size := 1
	for size < n && size < 1<<30 {
		size *= 2
	}
	return size
}

// newMapping is an empty map made for a capacity, -1 for the usual one.
func newMapping(m *machine, kind string, capacity int) *mapping {
	m.alloc(1)
	p := &mapping{kind: kind}
	if capacity >= 0 {
		p.threshold = tableSize(capacity)
	}
	return p
}

func (p *mapping) full() int {
	if len(p.table) == 0 {
		return p.threshold
	}
	return len(p.table) * 3 / 4
}

// room is what putAll does before it begins.
func (p *mapping) room(m *machine, n int) {
	if n == 0 || p.isTree() {
		return
	}
	if len(p.table) == 0 {
		if t := int(float32(n)/0.75 + 1); t > p.threshold {
			p.threshold = tableSize(t)
		}
		return
	}
	for n > p.full() && len(p.table) < 1<<30 {
		p.resize(m)
	}
}

func (p *mapping) resize(m *machine) {
	size := 2 * len(p.table)
	if size == 0 {
		if size = p.threshold; size == 0 {
			size = 16
		}
	}
	m.alloc(size)
	table := make([][]*entry, size)
	for _, bucket := range p.table {
		for _, e := range bucket {
			i := int(e.h) & (size - 1)
			table[i] = append(table[i], e)
		}
	}
	p.table = table
}

func spread(m *machine, key any) uint32 {
	h := uint32(hashOf(m, key))
	return h ^ h>>16
}

// find is the entry of a key, nil if there is none; i is its place in the bucket or
// in the sorted list.
func (p *mapping) find(m *machine, key any) (e *entry, i int) {
	if p.isTree() {
		m.object(key)
		i := sort.Search(len(p.sorted), func(i int) bool { return m.compareTo(p.sorted[i].key, key) >= 0 })
		if i < len(p.sorted) && m.compareTo(p.sorted[i].key, key) == 0 {
			return p.sorted[i], i
		}
		return nil, i
	}
	h := spread(m, key)
	if len(p.table) == 0 {
		return nil, 0
	}
	bucket := p.table[int(h)&(len(p.table)-1)]
	for i, e := range bucket {
		if e.h == h && (key == nil && e.key == nil || key != nil && m.equals(key, e.key)) {
			return e, i
		}
	}
	return nil, len(bucket)
}

// put sets a value and says what was there.
func (p *mapping) put(m *machine, key, val any) (old any, had bool) {
	if p.isTree() && len(p.sorted) == 0 {
		m.compareTo(key, key)
	}
	e, i := p.find(m, key)
	if e != nil {
		old = e.val
		e.val = val
		return old, true
	}
	m.alloc(3)
	p.mod++
	p.n++
	e = &entry{key: key, val: val}
	if p.isTree() {
		m.step(len(p.sorted) / 8)
		p.sorted = slices.Insert(p.sorted, i, e)
		return nil, false
	}
	e.h = spread(m, key)
	if len(p.table) == 0 {
		p.resize(m)
	}
	slot := int(e.h) & (len(p.table) - 1)
	p.table[slot] = append(p.table[slot], e)
	if len(p.table[slot]) > 8 { // Java makes a tree of the bucket, or a larger table
		if len(p.table) >= 64 {
			m.limit("more than eight keys of a hash map whose hash codes meet")
		}
		p.resize(m)
	}
	if p.isLinked() {
		p.linked = append(p.linked, e)
	}
	if p.n > p.full() {
		p.resize(m)
	}
	return nil, false
}

func (p *mapping) get(m *machine, key any) any {
	if e, _ := p.find(m, key); e != nil {
		return e.val
	}
	return nil
}

func (p *mapping) remove(m *machine, key any) *entry {
	e, i := p.find(m, key)
	if e == nil {
		return nil
	}
	p.mod++
	p.n--
	if p.isTree() {
		p.sorted = slices.Delete(p.sorted, i, i+1)
		return e
	}
	slot := int(e.h) & (len(p.table) - 1)
	p.table[slot] = slices.Delete(p.table[slot], i, i+1)
	if p.isLinked() {
		m.step(len(p.linked) / 8)
		j := slices.Index(p.linked, e)
		p.linked = slices.Delete(p.linked, j, j+1)
	}
	return e
}

func (p *mapping) clear() {
	p.mod++
	p.n, p.linked, p.sorted = 0, nil, nil
	for i := range p.table {
		p.table[i] = nil
	}
}

// entries are the pairs in the order of the map.
func (p *mapping) entries(m *machine) []*entry {
	m.step(len(p.table) + p.n)
	switch {
	case p.isTree():
		return p.sorted
	case p.isLinked():
		return p.linked
	}
	return slices.Concat(p.table...)
}

func (p *mapping) show(m *machine) string {
	s := "{"
	for i, e := range p.entries(m) {
		if i > 0 {
			s += ", "
		}
		text := func(v any) string {
			if v == p {
				return "(this Map)"
			}
			return m.toText(v)
		}
		s = m.text(join(s, join(text(e.key), "=")+text(e.val)))
	}
	return s + "}"
}

func (p *mapping) same(m *machine, v any) bool {
	o, ok := v.(*mapping)
	if !ok || p.n != o.n {
		return false
	}
	for _, e := range p.entries(m) {
		if f, _ := o.find(m, e.key); f == nil || !m.equals(e.val, f.val) {
			return false
		}
	}
	return true
}

func (p *mapping) hash(m *machine) int32 {
	var h int32
	for _, e := range p.entries(m) {
		h += e.hash(m)
	}
	return h
}

// set is a Set: the keys of a map of its own, or a view on a map, that of its
// keys, values or entries; values are a Collection.
type set struct {
	kind string // HashSet …; keySet, values, entrySet
	on   *mapping
}

// newSet is an empty set of a class.
func newSet(m *machine, kind string, capacity int) *set {
	return &set{kind: kind, on: newMapping(m, map[string]string{"HashSet": "HashMap", "LinkedHashSet": "LinkedHashMap", "TreeSet": "TreeMap"}[kind], capacity)}
}

func (s *set) class() string { return s.kind }
func (s *set) own() bool {
	return s.kind != "KeyView" && s.kind != "ValueView" && s.kind != "EntryView"
}
func (s *set) size() int    { return s.on.n }
func (s *set) changes() int { return s.on.mod }

func (s *set) all(m *machine) []any {
	list := s.on.entries(m)
	out := make([]any, len(list))
	for i, e := range list {
		switch s.kind {
		case "ValueView":
			out[i] = e.val
		case "EntryView":
			out[i] = e
		default:
			out[i] = e.key
		}
	}
	return out
}

func (s *set) has(m *machine, v any) bool {
	switch s.kind {
	case "ValueView":
		return slices.ContainsFunc(s.all(m), func(x any) bool { return m.equals(v, x) })
	case "EntryView":
		e, ok := v.(*entry)
		if !ok {
			return false
		}
		f, _ := s.on.find(m, e.key)
		return f != nil && m.equals(f.val, e.val)
	}
	e, _ := s.on.find(m, v)
	return e != nil
}

func (s *set) add(m *machine, v any) bool {
	if !s.own() {
		m.bare("UnsupportedOperationException")
	}
	_, had := s.on.put(m, v, true)
	return !had
}

func (s *set) drop(m *machine, v any) bool {
	switch s.kind {
	case "ValueView":
		for _, e := range s.on.entries(m) {
			if m.equals(v, e.val) {
				s.on.remove(m, e.key)
				return true
			}
		}
		return false
	case "EntryView":
		if !s.has(m, v) {
			return false
		}
		v = v.(*entry).key
	}
	return s.on.remove(m, v) != nil
}

func (s *set) clear(*machine) { s.on.clear() }

func (s *set) show(m *machine) string { return m.sequence(s.all(m), s) }

func (s *set) same(m *machine, v any) bool {
	if s.kind == "ValueView" {
		return s == v
	}
	o, ok := v.(*set)
	if !ok || o.kind == "ValueView" || s.size() != o.size() {
		return false
	}
	return !slices.ContainsFunc(o.all(m), func(x any) bool { return !s.has(m, x) })
}

func (s *set) hash(m *machine) int32 {
	if s.kind == "ValueView" {
		m.limit("hashCode of an object that has only its identity")
	}
	var h int32
	for _, v := range s.all(m) {
		h += hashOf(m, v)
	}
	return h
}
