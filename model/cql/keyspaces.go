package cql

import (
	"reflect"
	"sort"
)

// Keyspaces are the names of keyspaces that are written in a statement, in the
// order of the text.
func Keyspaces(s Statement) []Name {
	var out []Name
	collect(reflect.ValueOf(s), &out)
	if d, ok := s.(*Describe); ok && d.Kind == DescribeKeyspace && d.Name.Name.Text != "" {
		out = append(out, d.Name.Name)
	}
	sort.SliceStable(out, func(i, j int) bool { return out[i].Pos.Offset < out[j].Pos.Offset })
	return out
}

var nameType = reflect.TypeFor[Name]()

// collect walks the tree: each name of a keyspace stands in a field of that name.
func collect(v reflect.Value, out *[]Name) {
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		if !v.IsNil() {
			collect(v.Elem(), out)
		}
	case reflect.Slice:
		for i := range v.Len() {
			collect(v.Index(i), out)
		}
	case reflect.Struct:
		t := v.Type()
		for i := range t.NumField() {
			f := v.Field(i)
			if t.Field(i).Name == "Keyspace" && f.Type() == nameType {
				if n := f.Interface().(Name); n.Text != "" {
					*out = append(*out, n)
				}
				continue
			}
			collect(f, out)
		}
	}
}

// Strings are the string constants of a statement, in the order of the text.
func Strings(s Statement) []*Constant {
	var out []*Constant
	constants(reflect.ValueOf(s), &out)
	sort.SliceStable(out, func(i, j int) bool { return out[i].Pos.Offset < out[j].Pos.Offset })
	return out
}

func constants(v reflect.Value, out *[]*Constant) {
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		if v.IsNil() {
			return
		}
		if c, ok := v.Interface().(*Constant); ok {
			if c.Kind == StringConstant {
				*out = append(*out, c)
			}
			return
		}
		constants(v.Elem(), out)
	case reflect.Slice:
		for i := range v.Len() {
			constants(v.Index(i), out)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			constants(v.Field(i), out)
		}
	}
}

// Written is how many bytes of the text a name takes from its position on.
func (n Name) Written(text string) int {
	l := lexer{src: text[n.Pos.Offset:], line: 1}
	t := l.next()
	return int(t.end)
}
