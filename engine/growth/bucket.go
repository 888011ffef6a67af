package growth

import (
	"math"
	"strconv"
	"strings"

	"ringlab/model/schema"
	"ringlab/model/types"
)

// bucket is a stretch of time that a partition's key names, in µs since 1970.
type bucket struct {
	column, text string
	from, until  int64
}

// bucketOf finds the component of a partition's key that is a stretch of time:
// a date, or a text or number written as one. It is taken for one only if all
// rows of the partition were written in it.
func bucketOf(t *schema.Table, p *Partition) (bucket, bool) {
	if p.Oldest == 0 && p.Newest == 0 {
		return bucket{}, false
	}
	for i, value := range t.SplitPartitionKey(p.key) {
		if i >= len(t.Key) {
			break
		}
		text := strings.Trim(t.Key[i].Type.Literal(value), "'")
		b, ok := stretch(t.Key[i].Type, text)
		if ok && p.Oldest >= b.from && p.Newest < b.until {
			b.column, b.text = t.Key[i].Name, text
			return b, true
		}
	}
	return bucket{}, false
}

// stretch reads 2026, 2026-11, 2026-11-21 and 2026-11-21 04, in UTC, with other
// separators or none.
func stretch(of *types.Type, text string) (bucket, bool) {
	switch of.String() {
	case "text", "ascii", "int", "bigint", "date":
	default:
		return bucket{}, false
	}
	digits := strings.Map(func(r rune) rune {
		switch {
		case r >= '0' && r <= '9':
			return r
		case strings.ContainsRune("-/ T:.", r):
			return -1
		}
		return 'x'
	}, text)
	n := len(digits)
	if strings.Contains(digits, "x") || n != 4 && n != 6 && n != 8 && n != 10 {
		return bucket{}, false
	}
	part := func(from, to, without int) int {
		if to > n {
			return without
		}
		v, _ := strconv.Atoi(digits[from:to])
		return v
	}
	y, m, d, h := part(0, 4, 0), part(4, 6, 1), part(6, 8, 1), part(8, 10, 0)
	if y < 1970 || y > 9999 || m < 1 || m > 12 || d < 1 || d > 31 || h > 23 {
		return bucket{}, false
	}
	const day, hour = 86400e6, 3600e6
	b := bucket{from: daysTo(y, m, d)*day + int64(h)*hour}
	switch n {
	case 4:
		b.until = daysTo(y+1, 1, 1) * day
	case 6:
		b.until = daysTo(y+m/12, m%12+1, 1) * day
	case 8:
		b.until = b.from + day
	default:
		b.until = b.from + hour
	}
	return b, true
}

// daysTo is the number of days from 1970 to a day of the Gregorian calendar.
func daysTo(y, m, d int) int64 {
	if m <= 2 {
		y, m = y-1, m+12
	}
	return int64(365*y + y/4 - y/100 + y/400 + (153*(m-3)+2)/5 + d - 1 - 719468)
}

// Bucketed is what a table's partitions would be with a stretch of time in the
// key beside what is there.
type Bucketed struct {
	Name  string  // hour, day, week, month
	Days  float64 // in one
	Key   string  // PRIMARY KEY ((sensor_id, day), ts)
	Rows  float64 // of a full one
	Bytes float64
	Year  float64 // partitions a year
	Week  float64 // partitions that a read of a week touches
	Over  string  // the first limit that a full one passes, "" for none
}

// stretches are the buckets that are offered; a month has 30 days.
var stretches = []struct {
	name string
	days float64
}{{"hour", 1.0 / 24}, {"day", 1}, {"week", 7}, {"month", 30}}

// Buckets are the alternatives to a table's key at a forecast's rate; a stretch
// of time that the key has already gives way.
func Buckets(f *Forecast, p *Partition, t *schema.Table) []Bucketed {
	var out []Bucketed
	now, _ := bucketOf(t, p)
	for _, s := range stretches {
		b := Bucketed{Name: s.name, Days: s.days, Key: keyWith(t, now.column, s.name), Rows: min(float64(f.PerDay*s.days), f.Most), Year: math.Ceil(365 / s.days), Week: math.Ceil(7 / s.days)}
		b.Bytes = b.Rows * f.Each(Bytes)
		for _, l := range Limits {
			if l.Unit != Tombstones && b.Over == "" && b.Rows*f.Each(l.Unit) > l.Value {
				b.Over = l.Name
			}
		}
		out = append(out, b)
	}
	return out
}

// PrimaryKey is a table's key as CREATE TABLE writes it.
func PrimaryKey(t *schema.Table) string { return keyWith(t, "", "") }

// keyWith is the primary key with a column of its partition key left out and
// another one added; "" for none.
func keyWith(t *schema.Table, without, column string) string {
	var key, rest []string
	for _, c := range t.Key {
		if without == "" || c.Name != without {
			key = append(key, schema.Quote(c.Name))
		}
	}
	for _, c := range t.Clustering {
		rest = append(rest, schema.Quote(c.Name))
	}
	if column != "" {
		key = append(key, column)
	}
	inner := strings.Join(key, ", ")
	if len(key) > 1 {
		inner = "(" + inner + ")"
	}
	return "PRIMARY KEY (" + strings.Join(append([]string{inner}, rest...), ", ") + ")"
}
