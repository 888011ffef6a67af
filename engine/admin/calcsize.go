package admin

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"ringlab/model/schema"
)

// columnOverhead is what a column of 1.x and 2.x needs on disk beside its name
// and value, in bytes: length of the name 2, flags 1, timestamp 8, length of the
// value 4. Source: Cassandra 1.0 ColumnSerializer.
const columnOverhead = 15

func init() {
	formulas = append(formulas,
		formula{"column", "name=BYTES or composite=BYTES,BYTES… value [columns]", "a column before 3.0 on disk, uncompressed: 15 + name + value", columnFormula},
		formula{"names", "long=NAME,NAME… short=NAME,NAME… rows [rf]", "bytes that shorter column names save before 3.0; from 3.0 on a name stands once a file", namesFormula},
		formula{"events", "rate payload [name] [types] [hours]", "a row that takes all events of its hours, before 3.0: columns, bytes, and the rates that pass the limits", eventsFormula},
		formula{"days", "limit rate [have]", "days until something that grows by rate a day reaches a limit", daysFormula},
		formula{"split", "bytes ways [throughput]", "a table of that many bytes cut into ways: largest compaction, time of all under the cap", splitFormula},
	)
}

// sizes reads byte counts joined by commas.
func (n numbers) sizes(key string) []float64 {
	var out []float64
	for _, part := range strings.Split(n.given[key], ",") {
		v, err := strconv.ParseUint(part, 10, 32)
		if err != nil {
			*n.missing = append(*n.missing, key+" (numbers joined by commas, not "+n.given[key]+")")
			return nil
		}
		out = append(out, float64(v))
	}
	return out
}

func columnFormula(n numbers) ([][]string, error) {
	var out [][]string
	name := 0.0
	if _, ok := n.given["composite"]; ok {
		var parts []string
		for _, size := range n.sizes("composite") {
			name += 2 + size + 1
			parts = append(parts, fmt.Sprintf("(2 + %s + 1)", num(size)))
		}
		out = append(out, []string{"name", strings.Join(parts, " + "), num(name), "bytes; a component has 2 for its length and 1 for its end"})
	} else {
		name = n.get("name")
	}
	value := n.get("value")
	size := columnOverhead + name + value
	out = append(out, []string{"column", fmt.Sprintf("%d + %s + %s", columnOverhead, num(name), num(value)), num(size), "bytes before 3.0, uncompressed"})
	if columns := n.or("columns", 0); columns > 0 {
		out = append(out, []string{"all", fmt.Sprintf("%s × %s", num(columns), num(size)), num(float64(columns * size)), "bytes a copy"})
	}
	return out, nil
}

func namesFormula(n numbers) ([][]string, error) {
	long, short := strings.Split(n.given["long"], ","), strings.Split(n.given["short"], ",")
	for _, key := range []string{"long", "short"} {
		if n.given[key] == "" {
			*n.missing = append(*n.missing, key)
		}
	}
	if len(long) != len(short) {
		return nil, fmt.Errorf("long has %s and short %s; a name has one that replaces it", plural(len(long), "name"), plural(len(short), "name"))
	}
	rows, rf := n.get("rows"), n.or("rf", 1)
	saved := 0
	var parts []string
	for i := range long {
		saved += len(long[i]) - len(short[i])
		parts = append(parts, fmt.Sprintf("(%d − %d)", len(long[i]), len(short[i])))
	}
	copied := float64(rows * float64(saved))
	return [][]string{
		{"row", strings.Join(parts, " + "), num(float64(saved)), "bytes before 3.0; 0 from 3.0 on"},
		{"copy", fmt.Sprintf("%s × %d", num(rows), saved), num(copied), "bytes before 3.0, uncompressed"},
		{"all copies", fmt.Sprintf("%s × %s", num(copied), num(rf)), num(float64(copied * rf)), "bytes before 3.0, uncompressed"},
	}, nil
}

func eventsFormula(n numbers) ([][]string, error) {
	rate, payload, name, types, hours := n.get("rate"), n.get("payload"), n.or("name", 16), n.or("types", 1), n.or("hours", 1)
	if types == 0 || hours == 0 {
		return nil, fmt.Errorf("an event has at least one type, and a row at least a part of an hour")
	}
	column := columnOverhead + name + payload
	seconds := float64(hours * 3600)
	columns := float64(rate*seconds) / types
	least := func(most, of float64) string { return num(math.Ceil(float64(most*types) / seconds / of)) }
	return [][]string{
		{"column", fmt.Sprintf("%d + %s + %s", columnOverhead, num(name), num(payload)), num(column), "bytes before 3.0, uncompressed"},
		{"columns", fmt.Sprintf("%s × %s / %s", num(rate), num(seconds), num(types)), num(columns), "in a row"},
		{"bytes", fmt.Sprintf("%s × %s", num(columns), num(column)), num(float64(columns * column)), "in a row"},
		{"rate of 100,000 columns", fmt.Sprintf("ceil(100,000 × %s / %s)", num(types), num(seconds)), least(schema.GuideRows, 1), "events a second pass it"},
		{"rate of 100 MB", fmt.Sprintf("ceil(100,000,000 × %s / %s / %s)", num(types), num(seconds), num(column)), least(schema.GuideBytes, column), "events a second pass it"},
	}, nil
}

func daysFormula(n numbers) ([][]string, error) {
	limit, rate, have := n.get("limit"), n.get("rate"), n.or("have", 0)
	switch {
	case rate == 0:
		return nil, fmt.Errorf("what does not grow reaches no limit")
	case have >= limit:
		return nil, fmt.Errorf("%s is at its limit of %s already", num(have), num(limit))
	}
	return [][]string{{"days", fmt.Sprintf("(%s − %s) / %s", num(limit), num(have), num(rate)), num((limit - have) / rate), "until the limit"}}, nil
}

func splitFormula(n numbers) ([][]string, error) {
	bytes, ways, throughput := n.get("bytes"), n.get("ways"), n.or("throughput", 64<<20)
	if ways < 1 || ways != math.Trunc(ways) {
		return nil, fmt.Errorf("ways is a whole number from 1 on, not %s", num(ways))
	}
	out := [][]string{{"largest task", fmt.Sprintf("%s / %s", num(bytes), num(ways)), num(bytes / ways), "bytes"}}
	if throughput > 0 {
		out = append(out, []string{"all tasks", fmt.Sprintf("%s × %s / %s", num(ways), num(bytes/ways), num(throughput)), num(bytes / throughput), "seconds; they share the cap"})
	}
	return append(out, []string{"reads", num(ways), num(ways), "partitions for what was one"}), nil
}
