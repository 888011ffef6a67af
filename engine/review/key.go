package review

import (
	"fmt"
	"strings"

	"ringlab/model/schema"
	"ringlab/model/types"
)

// bucketWords are what people call a column that cuts a partition in pieces.
var bucketWords = []string{"bucket", "shard", "partition", "day", "month", "year", "week", "hour", "minute", "date", "period", "slot", "yymm", "mmdd"}

func isTime(t *types.Type) bool {
	switch t.Kind {
	case types.KindTimestamp, types.KindTimeUUID, types.KindDate:
		return true
	}
	return false
}

// buckets says whether a column of the key cuts partitions in pieces: its type
// is one of time, or its name says so.
func buckets(c *schema.Column) bool {
	if isTime(c.Type) {
		return true
	}
	name := strings.ToLower(c.Name)
	for _, w := range bucketWords {
		if strings.Contains(name, w) {
			return true
		}
	}
	return false
}

// period says whether a column holds a stretch of time that passes: a bucket
// that all writes of the moment share.
func period(c *schema.Column) bool {
	name := strings.ToLower(c.Name)
	if c.Type.Kind == types.KindTimestamp || c.Type.Kind == types.KindDate {
		return true
	}
	for _, w := range bucketWords[3:] {
		if strings.Contains(name, w) {
			return true
		}
	}
	return false
}

// key looks at what the primary key alone makes certain.
func (r *reviewer) key(t *schema.Table) {
	named := t.String()
	if len(t.Clustering) > 0 && isTime(t.Clustering[0].Type) && !anyOf(t.Key, buckets) {
		f := Finding{Warn, "unbounded-partition", named, "", fmt.Sprintf("a partition of %s takes rows in the order of %s, without end", columns(t.Key), schema.Quote(t.Clustering[0].Name)),
			"", fmt.Sprintf("a bucket in the partition key, ((%s, day), %s): `:calc rate` says which one fits, `:project` when it is too late", columns(t.Key), columns(t.Clustering)),
			"100 MB, 100,000 rows (Skinny on wide rows)"}
		if ttl := t.Options.DefaultTTL; ttl > 0 {
			f.Severity = Note
			f.Evidence = fmt.Sprintf("default_time_to_live bounds it to %s of rows", seconds(ttl))
		}
		r.add(f)
	}
	if all(t.Key, period) {
		r.add(Finding{Warn, "hot-partition", named, "", fmt.Sprintf("the partition key is only time (%s): all writes of the moment go to one partition, on one set of replicas", columns(t.Key)),
			r.spread(t), "something that many writers differ in beside it: type, user or a shard", "Cassandra modeling best practices: ddmmyyhh against ddmmyyhh|eventtype"})
	}
	if all(t.Key, func(c *schema.Column) bool { return c.Type.Kind == types.KindBoolean }) {
		r.add(Finding{Warn, "few-partitions", named, "", fmt.Sprintf("%s can have only %d values: that many partitions hold the whole table", columns(t.Key), 1<<len(t.Key)),
			r.spread(t), "more of what is asked for into the partition key", "even spread (Principles of Cassandra data modeling)"})
	}
	if len(t.Clustering) == 0 && t.Counter {
		return
	}
	if m := r.subject.Measures[t]; m != nil && len(m.NameKinds) > 1 {
		r.add(Finding{Warn, "mixed-names", named, "", "the names of a row are of several types, so that one slice mixes them: split into one CF per name type",
			strings.Join(m.NameKinds, ", "), "a column family for each type of name, with a static CompositeType", "Cassandra modeling best practices: static against dynamic composites"})
	}
}

// spread is how evenly the rows of a table lie, in words; "" without data.
func (r *reviewer) spread(t *schema.Table) string {
	m := r.subject.Measures[t]
	if m == nil || m.Rows == 0 {
		return ""
	}
	return fmt.Sprintf("%d of %d rows have %s as first replica", m.BusiestOf, m.Rows, m.Busiest)
}

func anyOf(cs []*schema.Column, is func(*schema.Column) bool) bool {
	for _, c := range cs {
		if is(c) {
			return true
		}
	}
	return false
}

func all(cs []*schema.Column, is func(*schema.Column) bool) bool {
	for _, c := range cs {
		if !is(c) {
			return false
		}
	}
	return len(cs) > 0
}

func columns(cs []*schema.Column) string {
	names := make([]string, len(cs))
	for i, c := range cs {
		names[i] = schema.Quote(c.Name)
	}
	return strings.Join(names, ", ")
}

// keyText is a primary key as it is written.
func keyText(t *schema.Table) string {
	key := columns(t.Key)
	if len(t.Key) > 1 {
		key = "(" + key + ")"
	}
	if len(t.Clustering) > 0 {
		key += ", " + columns(t.Clustering)
	}
	return "(" + key + ")"
}

// seconds writes a time to live as people say it.
func seconds(n int) string {
	for _, u := range []struct {
		size int
		name string
	}{{86400, "d"}, {3600, "h"}, {60, "min"}} {
		if n%u.size == 0 {
			return fmt.Sprintf("%d %s", n/u.size, u.name)
		}
	}
	return fmt.Sprintf("%d s", n)
}
