package java

import "slices"

// collection is a Java collection.
type collection interface {
	size() int
	all(m *machine) []any // not to be changed
	has(m *machine, v any) bool
	add(m *machine, v any) bool
	drop(m *machine, v any) bool // remove(Object)
	clear(m *machine)
	changes() int // counts structural changes, for iterators
	class() string
}

// list is a List: one that grows, one of fixed length over an array, one that
// cannot be changed, or a part of another one.
type list struct {
	kind   string // name of the class
	v      []any
	mod    int
	parent *list // of a part
	seen   int   // changes of the parent when the part was taken
}

func (l *list) class() string { return l.kind }

// check sees whether the list under a part has changed.
func (l *list) check(m *machine) {
	if l.parent != nil && l.parent.mod != l.seen {
		m.bare("ConcurrentModificationException")
	}
}

// grows checks that values can be added and removed.
func (l *list) grows(m *machine) {
	l.check(m)
	if l.parent != nil {
		m.limit("changing the length of a subList")
	}
	if l.kind != "ArrayList" && l.kind != "LinkedList" {
		m.bare("UnsupportedOperationException")
	}
	l.mod++
}

// writes checks that values can be replaced.
func (l *list) writes(m *machine) {
	l.check(m)
	if l.kind == "ImmutableCollections.ListN" || l.kind == "ImmutableCollections.List12" || l.kind == "Collections.EmptyList" || l.kind == "Collections.SingletonList" {
		m.bare("UnsupportedOperationException")
	}
}

func (l *list) size() int            { return len(l.v) }
func (l *list) changes() int         { return l.mod }
func (l *list) all(m *machine) []any { l.check(m); m.step(len(l.v)); return l.v }

func (l *list) find(m *machine, v any) int {
	l.check(m)
	return slices.IndexFunc(l.v, func(x any) bool {
		if v == nil {
			m.step(1)
			return x == nil
		}
		return m.equals(v, x)
	})
}

func (l *list) has(m *machine, v any) bool { return l.find(m, v) >= 0 }

func (l *list) add(m *machine, v any) bool {
	l.grows(m)
	m.alloc(1)
	l.v = append(l.v, v)
	return true
}

func (l *list) drop(m *machine, v any) bool {
	l.grows(m)
	i := l.find(m, v)
	if i >= 0 {
		l.v = slices.Delete(l.v, i, i+1)
	}
	return i >= 0
}

func (l *list) clear(m *machine) {
	l.grows(m)
	l.v = nil
}

// at checks an index; the message is that of the class.
func (l *list) at(m *machine, i int32) int {
	l.check(m)
	switch {
	case i >= 0 && int(i) < len(l.v):
		return int(i)
	case l.kind == "Arrays.ArrayList":
		m.throw("ArrayIndexOutOfBoundsException", "Index "+decimalText(int64(i))+" out of bounds for length "+decimalText(int64(len(l.v))))
	case l.kind == "LinkedList":
		m.throw("IndexOutOfBoundsException", "Index: "+decimalText(int64(i))+", Size: "+decimalText(int64(len(l.v))))
	}
	return m.index(i, len(l.v), "IndexOutOfBoundsException")
}

// gap checks a place to insert at.
func (l *list) gap(m *machine, i int32) int {
	if i < 0 || int(i) > len(l.v) {
		m.throw("IndexOutOfBoundsException", "Index: "+decimalText(int64(i))+", Size: "+decimalText(int64(len(l.v))))
	}
	return int(i)
}

func (l *list) show(m *machine) string { return m.sequence(l.all(m), l) }

func (l *list) same(m *machine, v any) bool {
	o, ok := v.(*list)
	return ok && slices.EqualFunc(l.all(m), o.all(m), m.equals)
}

func (l *list) hash(m *machine) int32 {
	h := int32(1)
	for _, v := range l.all(m) {
		h = 31*h + hashOf(m, v)
	}
	return h
}

// iterator walks over values; last is where it stands, for remove.
type iterator struct {
	of   collection
	v    []any
	i    int
	seen int
	last any
	can  bool // there is something to remove
}

func (*iterator) class() string { return "Iterator" }

// iterate begins a walk over a collection.
func iterate(m *machine, c collection) *iterator {
	return &iterator{of: c, v: slices.Clone(c.all(m)), seen: c.changes()}
}

func (it *iterator) hasNext() bool { return it.i != it.of.size() }

func (it *iterator) next(m *machine) any {
	m.step(1)
	if it.of.changes() != it.seen {
		m.bare("ConcurrentModificationException")
	}
	if it.i >= len(it.v) {
		m.bare("NoSuchElementException")
	}
	it.last, it.can = it.v[it.i], true
	it.i++
	return it.last
}

func (it *iterator) remove(m *machine) {
	if !it.can {
		m.bare("IllegalStateException")
	}
	if it.of.changes() != it.seen {
		m.bare("ConcurrentModificationException")
	}
	if l, ok := it.of.(*list); ok {
		l.grows(m)
		it.i--
		l.v = slices.Delete(l.v, it.i, it.i+1)
		it.v = slices.Delete(it.v, it.i, it.i+1)
	} else {
		it.of.drop(m, it.last)
		it.i--
		it.v = slices.Delete(it.v, it.i, it.i+1)
	}
	it.seen, it.can = it.of.changes(), false
}
