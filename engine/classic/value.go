package classic

import (
	"encoding/binary"
	"errors"
	"strconv"
	"strings"

	"ringlab/model/thrift"
	"ringlab/model/thrift/bind"
	"ringlab/model/types"
)

// functions are the functions of values with their classes.
// Source: Cassandra 2.1 CliClient.Function.
var functions = []struct {
	name  string
	class *types.Comparator
}{
	{"bytes", types.ClassOf(types.Blob)}, {"integer", types.ClassOf(types.Varint)}, {"long", types.ClassOf(types.BigInt)},
	{"int", types.ClassOf(types.Int)}, {"lexicaluuid", &types.Comparator{Class: "LexicalUUIDType"}}, {"timeuuid", types.ClassOf(types.TimeUUID)},
	{"utf8", types.ClassOf(types.Text)}, {"ascii", types.ClassOf(types.Ascii)}, {"double", types.ClassOf(types.Double)},
	{"countercolumn", types.ClassOf(types.Counter)},
}

func functionClass(name string) *types.Comparator {
	for _, f := range functions {
		if strings.EqualFold(f.name, name) {
			return f.class
		}
	}
	return nil
}

// Function takes a value like long(5) apart, into the class of the function and
// its argument.
func Function(text string) (class *types.Comparator, argument string, ok bool) {
	name, rest, ok := strings.Cut(text, "(")
	if !ok || !strings.HasSuffix(rest, ")") {
		return nil, "", false
	}
	class = functionClass(name)
	return class, strings.Trim(rest[:len(rest)-1], "'"), class != nil
}

func functionNames() string {
	var names []string
	for _, f := range functions {
		names = append(names, f.name)
	}
	return strings.Join(names, ", ") + "."
}

// classNamed is the class of a function or the one named so; nil if there is none.
func classNamed(name string) *types.Comparator {
	if c := functionClass(name); c != nil {
		return c
	}
	c, err := bind.ParseClass(name)
	if err != nil {
		return nil
	}
	return c
}

// java is an exception of the client with the class that its text shows: most
// say that a text is no value of a class.
func java(err error) string {
	var m *types.MarshalError
	text := err.Error()
	switch {
	case !errors.As(err, &m):
		return text
	case strings.HasPrefix(text, "index ("), strings.HasPrefix(text, "Invalid component representation"):
		return text
	case strings.HasPrefix(text, "Unable to find abstract-type class"):
		return "org.apache.cassandra.exceptions.ConfigurationException: " + text
	case strings.HasPrefix(text, "An hex string"), strings.HasPrefix(text, "Non-hex"):
		return "java.lang.NumberFormatException: " + text
	}
	return "org.apache.cassandra.serializers.MarshalException: " + text
}

// name reads a key or the name of a column.
// Source: Cassandra 2.1 CliClient.getBytesAccordingToType.
func (r *run) name(t thrift.Term, class *types.Comparator) ([]byte, error) {
	if t.Form == thrift.Call {
		b, _, err := r.call(t)
		return b, err
	}
	b, err := r.parse(class, t.Text)
	if err != nil {
		return nil, complaint(java(err))
	}
	return filled(b), nil
}

// parse reads a text by a class, with the clock for what needs one: a time called
// now, and milliseconds in the place of a UUID, which make one of that time.
// Source: Cassandra 2.1 TimestampSerializer.dateStringToTimestamp, UUIDType.parse.
func (r *run) parse(class *types.Comparator, text string) ([]byte, error) {
	base, _ := class.Base()
	switch {
	case base.Class == "DateType" || base.Type == types.Timestamp:
		if strings.EqualFold(text, "now") {
			return types.EncodeInt64(r.core.ClassicNow() / 1000), nil
		}
	case base.Type == types.UUID:
		if ms, err := strconv.ParseInt(text, 10, 64); err == nil && text[0] != '+' {
			return types.NewTimeUUID(types.TicksOfMillis(ms), binary.BigEndian.Uint64(r.core.NewTimeUUID()[8:])), nil
		}
	}
	return class.ClassicParseBy(text, r.parse)
}

// filled is the bytes, never nil: nil is a field that is not set.
func filled(b []byte) []byte {
	if b == nil {
		return []byte{}
	}
	return b
}

// call reads a function of a value, and gives its class.
// Source: CliClient.convertValueByFunction.
func (r *run) call(t thrift.Term) ([]byte, *types.Comparator, error) {
	class := functionClass(t.Text)
	if class == nil {
		return nil, nil, complain("Function '%s' not found. Available functions: %s", t.Text, functionNames())
	}
	if t.Argument == nil || t.Argument.Text == "" {
		switch strings.ToLower(t.Text) {
		case "timeuuid":
			return r.core.NewTimeUUID(), class, nil
		case "lexicaluuid":
			id := r.core.Cluster.NewID()
			return id[:], class, nil
		case "bytes":
			return []byte{}, class, nil
		}
		return nil, nil, complain("java.lang.RuntimeException: Argument for '%s' could not be empty.", t.Text)
	}
	b, err := r.parse(class, t.Argument.Text)
	if err != nil {
		text := java(err)
		if !strings.HasPrefix(text, "java.lang.NumberFormat") {
			text = "java.lang.RuntimeException: " + text
		}
		return nil, nil, complaint(text)
	}
	return filled(b), class, nil
}

// value reads a value for a column. A function teaches the client the class of
// the column.
// Source: CliClient.columnValueAsBytes, updateColumnMetaData.
func (r *run) value(t thrift.Term, f *known, column []byte) ([]byte, error) {
	if t.Form == thrift.Call {
		b, class, err := r.call(t)
		if err == nil {
			f.learned[string(column)] = class
		}
		return b, err
	}
	if class := f.learned[string(column)]; class != nil {
		b, err := r.parse(class, t.Text)
		if err != nil {
			return nil, complaint("java.lang.RuntimeException: " + java(err))
		}
		return filled(b), nil
	}
	b, err := r.parse(f.value, t.Text)
	if err != nil {
		return nil, complaint(err.Error())
	}
	return filled(b), nil
}

// subName reads an inner name. A standard column family has no class for them.
// Source: CliClient.getSubColumnName, subColumnNameAsByteArray.
func (r *run) subName(t thrift.Term, f *known) ([]byte, error) {
	class := f.sub
	if class == nil && t.Form != thrift.Call {
		r.line("Notice: defaulting to BytesType subcomparator for '%s'", f.name)
		class = types.ClassOf(types.Blob)
	}
	return r.name(t, class)
}
