package host

import (
	"fmt"
	"hash/fnv"
	"reflect"
	"sort"
	"strings"
	"testing"
	"unsafe"

	"ringlab/engine"
)

// allOf writes all that a lab holds: every field of every node, memtable,
// SSTable, hint, queue and clock, reached from its core. What is shared is
// written once, under a number; functions only as there or not.
func allOf(lab *engine.Lab) string {
	d := dumper{seen: map[visit]int{}}
	d.value(reflect.ValueOf(lab.Core().Cluster))
	d.value(reflect.ValueOf(lab.Core().Clients))
	d.value(reflect.ValueOf(lab.Core().Current))
	d.value(reflect.ValueOf(lab.Core().Together))
	d.value(reflect.ValueOf(lab.Core().Last))
	return d.b.String()
}

type visit struct {
	at unsafe.Pointer
	t  reflect.Type
}

type dumper struct {
	b    strings.Builder
	seen map[visit]int
}

func (d *dumper) value(v reflect.Value) {
	switch v.Kind() {
	case reflect.Invalid:
		d.b.WriteString("nil ")
	case reflect.Pointer:
		if v.IsNil() {
			d.b.WriteString("nil ")
			return
		}
		at := visit{v.UnsafePointer(), v.Type()}
		if n, ok := d.seen[at]; ok {
			fmt.Fprintf(&d.b, "&%d ", n)
			return
		}
		d.seen[at] = len(d.seen)
		d.b.WriteString("&")
		d.value(v.Elem())
	case reflect.Interface:
		if !v.IsNil() {
			d.b.WriteString(v.Elem().Type().String())
			d.value(v.Elem())
		}
	case reflect.Struct:
		d.b.WriteString("{")
		for i := range v.NumField() {
			d.value(v.Field(i))
		}
		d.b.WriteString("}\n")
	case reflect.Slice:
		if v.Type().Elem().Kind() == reflect.Uint8 {
			fmt.Fprintf(&d.b, "%x ", v.Bytes())
			return
		}
		fallthrough
	case reflect.Array:
		d.b.WriteString("[")
		for i := range v.Len() {
			d.value(v.Index(i))
		}
		d.b.WriteString("]")
	case reflect.Map:
		var keys []string
		values := map[string]reflect.Value{}
		for it := v.MapRange(); it.Next(); {
			key := dumper{seen: map[visit]int{}}
			key.value(it.Key())
			keys = append(keys, key.b.String())
			values[key.b.String()] = it.Value()
		}
		sort.Strings(keys)
		for _, k := range keys {
			d.b.WriteString(k + ":")
			d.value(values[k])
		}
	case reflect.Func, reflect.Chan, reflect.UnsafePointer:
		fmt.Fprintf(&d.b, "%t ", v.IsNil())
	case reflect.String:
		fmt.Fprintf(&d.b, "%q ", v.String())
	case reflect.Bool:
		fmt.Fprintf(&d.b, "%t ", v.Bool())
	case reflect.Float64, reflect.Float32:
		fmt.Fprintf(&d.b, "%x ", v.Float())
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		fmt.Fprintf(&d.b, "%d ", v.Int())
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		fmt.Fprintf(&d.b, "%d ", v.Uint())
	default:
		panic("a lab holds a " + v.Kind().String())
	}
}

// same compares two labs to the byte and shows where they part.
func same(t *testing.T, what string, got, want *engine.Lab) {
	t.Helper()
	a, b := allOf(got), allOf(want)
	if a == b {
		return
	}
	i := 0
	for i < len(a) && i < len(b) && a[i] == b[i] {
		i++
	}
	from := max(0, i-300)
	t.Fatalf("%s: the lab is another one at byte %d of %d:\n%s\nnot\n%s", what, i, len(b), a[from:min(len(a), i+200)], b[from:min(len(b), i+200)])
}

// TestEverythingSeesWhatDiffers: the comparison would notice a node's clock, a
// hint, a byte of an SSTable.
func TestEverythingSeesWhatDiffers(t *testing.T) {
	const script = tables + "INSERT INTO ks.t (k, c, v) VALUES (1, 1, 'a');\n"
	seen := map[uint64]string{}
	for _, more := range []string{"", ":advance 1us", ":skew n2 1us", ":flush", ":down n2 undetected", "INSERT INTO ks.t (k, c, v) VALUES (1, 1, 'a')", "CONSISTENCY ONE", "CONSISTENCY TWO", ":cut n1 > n2", ":flush n1"} {
		lab, err := engine.New(engine.Options{})
		if err != nil {
			t.Fatal(err)
		}
		for _, text := range append(lines(script), more) {
			if text != "" {
				lab.Do(text)
			}
		}
		h := fnv.New64a()
		h.Write([]byte(allOf(lab)))
		if other, ok := seen[h.Sum64()]; ok {
			t.Errorf("%q and %q leave the same lab", more, other)
		}
		seen[h.Sum64()] = more
	}
}
