package java

func mapClasses() []declared {
	on := func(a []any) *mapping { return a[0].(*mapping) }
	return []declared{
		{head: "interface java.util.Map.Entry<K, V>", methods: members{
			"K getKey()":    func(_ *machine, a []any) any { return a[0].(*entry).key },
			"V getValue()":  func(_ *machine, a []any) any { return a[0].(*entry).val },
			"V setValue(V)": func(_ *machine, a []any) any { e := a[0].(*entry); old := e.val; e.val = a[1]; return old },
		}},
		{head: "interface java.util.Map<K, V>", methods: members{
			"int size()":                    func(_ *machine, a []any) any { return int32(on(a).n) },
			"boolean isEmpty()":             func(_ *machine, a []any) any { return on(a).n == 0 },
			"V get(Object)":                 func(m *machine, a []any) any { return on(a).get(m, a[1]) },
			"V put(K, V)":                   func(m *machine, a []any) any { old, _ := on(a).put(m, a[1], a[2]); return old },
			"boolean containsKey(Object)":   func(m *machine, a []any) any { e, _ := on(a).find(m, a[1]); return e != nil },
			"boolean containsValue(Object)": func(m *machine, a []any) any { return (&set{"ValueView", on(a)}).has(m, a[1]) },
			"V remove(Object)": func(m *machine, a []any) any {
				if e := on(a).remove(m, a[1]); e != nil {
					return e.val
				}
				return nil
			},
			"V getOrDefault(Object, V)": func(m *machine, a []any) any {
				if e, _ := on(a).find(m, a[1]); e != nil {
					return e.val
				}
				return a[2]
			},
			"V putIfAbsent(K, V)": func(m *machine, a []any) any {
				if old := on(a).get(m, a[1]); old != nil {
					return old
				}
				on(a).put(m, a[1], a[2])
				return nil
			},
			"V replace(K, V)": func(m *machine, a []any) any {
				e, _ := on(a).find(m, a[1])
				if e == nil {
					return nil
				}
				old := e.val
				e.val = a[2]
				return old
			},
			"void putAll(Map<? extends K, ? extends V>)": func(m *machine, a []any) any { putAll(m, on(a), a[1]); return nil },
			"void clear()":                    func(_ *machine, a []any) any { on(a).clear(); return nil },
			"Set<K> keySet()":                 func(_ *machine, a []any) any { return &set{"KeyView", on(a)} },
			"Collection<V> values()":          func(_ *machine, a []any) any { return &set{"ValueView", on(a)} },
			"Set<Map.Entry<K, V>> entrySet()": func(_ *machine, a []any) any { return &set{"EntryView", on(a)} },
		}},
		{head: "class java.util.HashMap<K, V> : Map<K, V>", methods: mapMakers("HashMap")},
		{head: "class java.util.LinkedHashMap<K, V> : HashMap<K, V>", methods: mapMakers("LinkedHashMap")},
		{head: "class java.util.TreeMap<K, V> : Map<K, V>", methods: treeMapMembers()},
	}
}

func putAll(m *machine, p *mapping, from any) {
	other := m.object(from).(*mapping)
	p.room(m, other.n)
	for _, e := range append([]*entry(nil), other.entries(m)...) {
		p.put(m, e.key, e.val)
	}
}

func mapMakers(kind string) members {
	return members{
		kind + "()": func(m *machine, _ []any) any { return newMapping(m, kind, -1) },
		kind + "(int)": func(m *machine, a []any) any {
			n := a[0].(int32)
			if n < 0 {
				m.throw("IllegalArgumentException", "Illegal initial capacity: "+decimalText(int64(n)))
			}
			m.alloc(int(n))
			return newMapping(m, kind, int(n))
		},
		kind + "(Map<? extends K, ? extends V>)": func(m *machine, a []any) any {
			p := newMapping(m, kind, -1)
			putAll(m, p, a[0])
			return p
		},
	}
}

func treeMapMembers() members {
	edge := func(last, remove, null bool, what string) body {
		return func(m *machine, a []any) any {
			p := a[0].(*mapping)
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
			if what == "key" {
				return e.key
			}
			return e
		}
	}
	near := func(low, same bool, key bool) body { // the nearest key below or above
		return func(m *machine, a []any) any {
			p := a[0].(*mapping)
			e, i := p.find(m, a[1])
			switch {
			case e != nil && same:
			case low:
				i--
			case e != nil:
				i++
			}
			if i < 0 || i >= p.n {
				return nil
			}
			if key {
				return p.sorted[i].key
			}
			return p.sorted[i]
		}
	}
	out := members{
		"TreeMap()": func(m *machine, _ []any) any { return newMapping(m, "TreeMap", -1) },
		"TreeMap(Map<? extends K, ? extends V>)": func(m *machine, a []any) any {
			p := newMapping(m, "TreeMap", -1)
			putAll(m, p, a[0])
			return p
		},
		"K firstKey()": edge(false, false, false, "key"), "K lastKey()": edge(true, false, false, "key"),
		"Map.Entry<K, V> firstEntry()": edge(false, false, true, ""), "Map.Entry<K, V> lastEntry()": edge(true, false, true, ""),
		"Map.Entry<K, V> pollFirstEntry()": edge(false, true, true, ""), "Map.Entry<K, V> pollLastEntry()": edge(true, true, true, ""),
	}
	for _, n := range []struct {
		name      string
		low, same bool
	}{{"floor", true, true}, {"lower", true, false}, {"ceiling", false, true}, {"higher", false, false}} {
		out["K "+n.name+"Key(K)"] = near(n.low, n.same, true)
		out["Map.Entry<K, V> "+n.name+"Entry(K)"] = near(n.low, n.same, false)
	}
	return out
}
