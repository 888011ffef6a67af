package java

import "slices"

func collectionClasses() []declared {
	of := func(a []any) collection { return a[0].(collection) }
	return []declared{
		{head: "interface java.util.Iterator<E>", methods: members{
			"boolean hasNext()": func(_ *machine, a []any) any { return a[0].(*iterator).hasNext() },
			"E next()":          func(m *machine, a []any) any { return a[0].(*iterator).next(m) },
			"void remove()":     func(m *machine, a []any) any { a[0].(*iterator).remove(m); return nil },
		}},
		{head: "interface java.util.Collection<E> : Iterable<E>", methods: members{
			"int size()":               func(_ *machine, a []any) any { return int32(of(a).size()) },
			"boolean isEmpty()":        func(_ *machine, a []any) any { return of(a).size() == 0 },
			"boolean contains(Object)": func(m *machine, a []any) any { return of(a).has(m, a[1]) },
			"boolean add(E)":           func(m *machine, a []any) any { return of(a).add(m, a[1]) },
			"boolean remove(Object)":   func(m *machine, a []any) any { return of(a).drop(m, a[1]) },
			"void clear()":             func(m *machine, a []any) any { of(a).clear(m); return nil },
			"boolean containsAll(Collection<?>)": func(m *machine, a []any) any {
				return !slices.ContainsFunc(m.copyOf(a[1]), func(v any) bool { return !of(a).has(m, v) })
			},
			"boolean addAll(Collection<? extends E>)": addAll,
			"boolean removeAll(Collection<?>)":        func(m *machine, a []any) any { return keep(m, of(a), m.object(a[1]).(collection), false) },
			"boolean retainAll(Collection<?>)":        func(m *machine, a []any) any { return keep(m, of(a), m.object(a[1]).(collection), true) },
			"Object[] toArray()":                      func(m *machine, a []any) any { return &array{elem: classType("Object"), v: m.copyOf(a[0])} },
			"<T> T[] toArray(T[])": func(m *machine, a []any) any {
				arr, v := m.object(a[1]).(*array), m.copyOf(a[0])
				for _, x := range v {
					if x != nil && !isA(x, arr.elem) {
						m.throw("ArrayStoreException", "arraycopy: element type mismatch: can not cast one of the elements of java.lang.Object[] to the type of the destination array, "+arr.elem.erased())
					}
				}
				if len(v) > len(arr.v) {
					return &array{elem: arr.elem, v: v}
				}
				copy(arr.v, v)
				if len(v) < len(arr.v) {
					arr.v[len(v)] = nil
				}
				return arr
			},
		}},
		{head: "interface java.util.List<E> : Collection<E>", methods: listMembers()},
		{head: "class java.util.ArrayList<E> : List<E>", methods: listMakers("ArrayList")},
		{head: "class java.util.LinkedList<E> : List<E>", methods: linkedMembers()},
		{head: "hidden java.util.Arrays.ArrayList<E> : List<E>"},
		{head: "hidden java.util.ImmutableCollections.ListN<E> : List<E>"},
		{head: "hidden java.util.ImmutableCollections.List12<E> : List<E>"},
		{head: "hidden java.util.ArrayList.SubList<E> : List<E>"},
		{head: "hidden java.util.Collections.EmptyList<E> : List<E>"},
		{head: "hidden java.util.Collections.SingletonList<E> : List<E>"},
		{head: "interface java.util.Set<E> : Collection<E>"},
		{head: "class java.util.HashSet<E> : Set<E>", methods: setMakers("HashSet")},
		{head: "class java.util.LinkedHashSet<E> : HashSet<E>", methods: setMakers("LinkedHashSet")},
		{head: "class java.util.TreeSet<E> : Set<E>", methods: treeSetMembers()},
		{head: "hidden java.util.KeyView<E> : Set<E>"},
		{head: "hidden java.util.EntryView<E> : Set<E>"},
		{head: "hidden java.util.ValueView<E> : Collection<E>"},
	}
}

func addAll(m *machine, a []any) any {
	c, more, changed := a[0].(collection), m.copyOf(a[1]), false
	if l, ok := c.(*list); ok {
		l.grows(m)
		m.alloc(len(more))
		l.v = append(l.v, more...)
		return len(more) > 0
	}
	for _, v := range more {
		changed = c.add(m, v) || changed
	}
	return changed
}

// keep removes what is not in another collection, or what is.
func keep(m *machine, c, other collection, in bool) bool {
	if l, ok := c.(*list); ok {
		l.grows(m)
		n := len(l.v)
		kept := make([]any, 0, n)
		for _, v := range l.v {
			if other.has(m, v) == in {
				kept = append(kept, v)
			}
		}
		l.v = kept
		return len(kept) != n
	}
	changed := false
	for _, v := range slices.Clone(c.all(m)) {
		if other.has(m, v) != in {
			changed = c.drop(m, v) || changed
		}
	}
	return changed
}

func listMembers() members {
	of := func(a []any) *list { return a[0].(*list) }
	out := members{
		"E get(int)": func(m *machine, a []any) any { l := of(a); m.step(1); return l.v[l.at(m, a[1].(int32))] },
		"E set(int, E)": func(m *machine, a []any) any {
			l := of(a)
			l.writes(m)
			i := l.at(m, a[1].(int32))
			old := l.v[i]
			l.v[i] = a[2]
			return old
		},
		"void add(int, E)": func(m *machine, a []any) any {
			l := of(a)
			i := l.gap(m, a[1].(int32))
			l.grows(m)
			m.alloc(1)
			m.step(len(l.v) / 8)
			l.v = slices.Insert(l.v, i, a[2])
			return nil
		},
		"boolean addAll(int, Collection<? extends E>)": func(m *machine, a []any) any {
			l, more := of(a), m.copyOf(a[2])
			i := l.gap(m, a[1].(int32))
			l.grows(m)
			m.alloc(len(more))
			l.v = slices.Insert(l.v, i, more...)
			return len(more) > 0
		},
		"E remove(int)": func(m *machine, a []any) any {
			l := of(a)
			if l.kind == "ArrayList" || l.kind == "LinkedList" {
				l.at(m, a[1].(int32))
			}
			l.grows(m)
			i := int(a[1].(int32))
			old := l.v[i]
			m.step(len(l.v) / 8)
			l.v = slices.Delete(l.v, i, i+1)
			return old
		},
		"int indexOf(Object)": func(m *machine, a []any) any { return int32(of(a).find(m, a[1])) },
		"int lastIndexOf(Object)": func(m *machine, a []any) any {
			v := of(a).all(m)
			for i := len(v) - 1; i >= 0; i-- {
				if m.equals(a[1], v[i]) {
					return int32(i)
				}
			}
			return int32(-1)
		},
		"List<E> subList(int, int)": func(m *machine, a []any) any {
			l, from, to := of(a), a[1].(int32), a[2].(int32)
			l.check(m)
			switch {
			case from < 0:
				m.throw("IndexOutOfBoundsException", "fromIndex = "+decimalText(int64(from)))
			case int(to) > len(l.v):
				m.throw("IndexOutOfBoundsException", "toIndex = "+decimalText(int64(to)))
			case from > to:
				m.throw("IllegalArgumentException", "fromIndex("+decimalText(int64(from))+") > toIndex("+decimalText(int64(to))+")")
			}
			return &list{kind: "ArrayList.SubList", v: l.v[from:to:to], parent: l, seen: l.mod}
		},
		"static <T> List<T> copyOf(Collection<? extends T>)": func(m *machine, a []any) any { return immutable(m, m.copyOf(a[0])) },
		"static <T> List<T> of(T...)":                        func(m *machine, a []any) any { return immutable(m, slices.Clone(m.object(a[0]).(*array).v)) },
	}
	return out
}

// immutable is a list that refuses changes and null.
func immutable(m *machine, v []any) *list {
	for _, x := range v {
		m.object(x)
	}
	kind := "ImmutableCollections.ListN"
	if len(v) == 1 || len(v) == 2 {
		kind = "ImmutableCollections.List12"
	}
	m.alloc(len(v))
	return &list{kind: kind, v: v}
}

func listMakers(kind string) members {
	return members{
		kind + "()": func(m *machine, _ []any) any { m.alloc(1); return &list{kind: kind} },
		kind + "(int)": func(m *machine, a []any) any {
			if n := a[0].(int32); n < 0 {
				m.throw("IllegalArgumentException", "Illegal Capacity: "+decimalText(int64(n)))
			}
			m.alloc(int(a[0].(int32)))
			return &list{kind: kind}
		},
		kind + "(Collection<? extends E>)": func(m *machine, a []any) any { return &list{kind: kind, v: m.copyOf(a[0])} },
	}
}

// linkedMembers are those of LinkedList, which is a queue from both ends.
func linkedMembers() members {
	out := listMakers("LinkedList")
	delete(out, "LinkedList(int)")
	end := func(last, remove, null bool) body {
		return func(m *machine, a []any) any {
			l := a[0].(*list)
			if len(l.v) == 0 {
				if null {
					return nil
				}
				m.bare("NoSuchElementException")
			}
			i := 0
			if last {
				i = len(l.v) - 1
			}
			v := l.v[i]
			if remove {
				l.grows(m)
				l.v = slices.Delete(l.v, i, i+1)
			}
			return v
		}
	}
	for _, s := range []string{"getFirst", "element"} {
		out["E "+s+"()"] = end(false, false, false)
	}
	for _, s := range []string{"removeFirst", "pop", "remove"} {
		out["E "+s+"()"] = end(false, true, false)
	}
	for _, s := range []string{"peek", "peekFirst"} {
		out["E "+s+"()"] = end(false, false, true)
	}
	for _, s := range []string{"poll", "pollFirst"} {
		out["E "+s+"()"] = end(false, true, true)
	}
	out["E getLast()"], out["E removeLast()"] = end(true, false, false), end(true, true, false)
	out["E peekLast()"], out["E pollLast()"] = end(true, false, true), end(true, true, true)
	put := func(first, says bool) body {
		return func(m *machine, a []any) any {
			l := a[0].(*list)
			if !first {
				l.add(m, a[1])
			} else {
				l.grows(m)
				m.alloc(1)
				m.step(len(l.v) / 8)
				l.v = slices.Insert(l.v, 0, a[1])
			}
			if says {
				return true
			}
			return nil
		}
	}
	out["void addFirst(E)"], out["void push(E)"], out["void addLast(E)"] = put(true, false), put(true, false), put(false, false)
	out["boolean offer(E)"], out["boolean offerLast(E)"], out["boolean offerFirst(E)"] = put(false, true), put(false, true), put(true, true)
	return out
}

func setMakers(kind string) members {
	return members{
		kind + "()": func(m *machine, _ []any) any { return newSet(m, kind, 16) },
		kind + "(int)": func(m *machine, a []any) any {
			if n := a[0].(int32); n < 0 {
				m.throw("IllegalArgumentException", "Illegal initial capacity: "+decimalText(int64(n)))
			}
			m.alloc(int(a[0].(int32)))
			return newSet(m, kind, int(a[0].(int32)))
		},
		kind + "(Collection<? extends E>)": func(m *machine, a []any) any {
			v := m.copyOf(a[0])
			capacity := max(int(float32(len(v))/0.75)+1, 16)
			if kind == "LinkedHashSet" {
				capacity = max(2*len(v), 11)
			}
			s := newSet(m, kind, capacity)
			for _, x := range v {
				s.add(m, x)
			}
			return s
		},
	}
}

func treeSetMembers() members {
	edge := func(last, remove, null bool) body {
		return func(m *machine, a []any) any {
			p := a[0].(*set).on
			if p.n == 0 {
				if null {
					return nil
				}
				m.bare("NoSuchElementException")
			}
			e := p.sorted[0]
			if last {
				e = p.sorted[p.n-1]
			}
			if remove {
				p.remove(m, e.key)
			}
			return e.key
		}
	}
	return members{
		"TreeSet()": func(m *machine, _ []any) any { return newSet(m, "TreeSet", -1) },
		"TreeSet(Collection<? extends E>)": func(m *machine, a []any) any {
			s := newSet(m, "TreeSet", -1)
			for _, x := range m.copyOf(a[0]) {
				s.add(m, x)
			}
			return s
		},
		"E first()": edge(false, false, false), "E last()": edge(true, false, false),
		"E pollFirst()": edge(false, true, true), "E pollLast()": edge(true, true, true),
	}
}
