package thrift

import "strings"

// Quote writes text as a string of the language.
func Quote(s string) string {
	var b strings.Builder
	b.WriteByte('\'')
	for _, r := range s {
		switch r {
		case '\'', '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case '\n':
			b.WriteString(`\n`)
		case '\t':
			b.WriteString(`\t`)
		case '\r':
			b.WriteString(`\r`)
		case '\b':
			b.WriteString(`\b`)
		case '\f':
			b.WriteString(`\f`)
		default:
			b.WriteRune(r)
		}
	}
	b.WriteByte('\'')
	return b.String()
}

// String is the name as it was written.
func (n Name) String() string {
	if n.Quoted {
		return Quote(n.Text)
	}
	return n.Text
}

// String is the term as it was written.
func (t Term) String() string {
	switch t.Form {
	case Quoted:
		return Quote(t.Text)
	case Call:
		if t.Argument == nil {
			return t.Text + "()"
		}
		return t.Text + "(" + t.Argument.String() + ")"
	}
	return t.Text
}

func (a Access) String() string {
	s := a.Family.String() + "[" + a.Key.String() + "]"
	for _, c := range a.Columns {
		s += "[" + c.String() + "]"
	}
	return s
}

func optional(before, text string) string {
	if text == "" {
		return ""
	}
	return before + text
}

func (s *Get) String() string {
	out := "get " + s.Access.String()
	if s.As != nil {
		out += " as " + s.As.String()
	}
	return out + optional(" limit ", s.Limit)
}

func (s *GetWhere) String() string {
	out := "get " + s.Family.String()
	for i, c := range s.Conditions {
		word := " where "
		if i > 0 {
			word = " and "
		}
		out += word + c.Column.String() + " " + c.Op + " " + c.Value.String()
	}
	return out + optional(" limit ", s.Limit)
}

func (s *Set) String() string {
	return "set " + s.Access.String() + " = " + s.Value.String() + optional(" with ttl = ", s.TTL)
}

func (s *Count) String() string { return "count " + s.Access.String() }

func (s *Del) String() string { return "del " + s.Access.String() }

func (s *Incr) String() string {
	word := "incr "
	if s.Down {
		word = "decr "
	}
	return word + s.Access.String() + optional(" by ", s.By)
}

func (s *List) String() string {
	out := "list " + s.Family.String()
	if s.Range {
		out += "["
		if s.Start != nil {
			out += s.Start.String()
		}
		out += ":"
		if s.End != nil {
			out += s.End.String()
		}
		out += "]"
	}
	out += optional(" limit ", s.Limit) + optional(" columns ", s.Columns)
	if s.Reversed {
		out += " reversed"
	}
	return out
}

func (s *Truncate) String() string { return "truncate " + s.Family.String() }

func (s *Assume) String() string {
	return "assume " + s.Family.String() + " " + s.Element + " as " + s.Type.String()
}

func (s *ConsistencyLevel) String() string { return "consistencylevel as " + s.Level }

func credentials(user, password string) string {
	out := optional(" ", user)
	if password != "" {
		out += " " + Quote(password)
	}
	return out
}

func (s *Use) String() string { return "use " + s.Keyspace.String() + credentials(s.User, s.Password) }

func (s *Connect) String() string {
	out := "connect " + s.Host + "/" + s.Port
	if s.User != "" {
		out += " " + s.User + " " + Quote(s.Password) // a user needs a password, if an empty one
	}
	return out
}

func (s *Describe) String() string {
	if s.Name == nil {
		return "describe"
	}
	return "describe " + s.Name.String()
}

func (s *ShowSchema) String() string {
	if s.Keyspace == nil {
		return "show schema"
	}
	return "show schema " + s.Keyspace.String()
}

func (s Simple) String() string { return string(s) }

func (s *Help) String() string { return "help" + optional(" ", s.Topic) }

func (s *Unknown) String() string { return s.Text }

func attributes(list []Attribute) string {
	out := ""
	for i, a := range list {
		word := " with "
		if i > 0 {
			word = " and "
		}
		out += word + a.Name + " = " + a.Value.String()
	}
	return out
}

// String is the value as it was written.
func (v AttributeValue) String() string {
	switch v.Form {
	case Map:
		return pairs(v.Map)
	case Maps:
		texts := make([]string, len(v.List))
		for i, m := range v.List {
			texts[i] = pairs(m)
		}
		return "[" + strings.Join(texts, ", ") + "]"
	}
	return v.Raw
}

func pairs(list []Pair) string {
	texts := make([]string, len(list))
	for i, p := range list {
		value := p.Value.String()
		if p.Nested != nil {
			value = pairs(p.Nested)
		}
		texts[i] = p.Key.String() + " : " + value
	}
	return "{" + strings.Join(texts, ", ") + "}"
}

func verb(update bool) string {
	if update {
		return "update "
	}
	return "create "
}

func (s *CreateKeyspace) String() string {
	return verb(s.Update) + "keyspace " + s.Keyspace.String() + attributes(s.Attributes)
}

func (s *CreateFamily) String() string {
	return verb(s.Update) + "column family " + s.Family.String() + attributes(s.Attributes)
}

func (s *DropKeyspace) String() string { return "drop keyspace " + s.Keyspace.String() }

func (s *DropFamily) String() string { return "drop column family " + s.Family.String() }

func (s *DropIndex) String() string {
	return "drop index on " + s.Family.String() + "." + s.Column.String()
}
