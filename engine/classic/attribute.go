package classic

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"ringlab/model/schema"
	"ringlab/model/thrift"
	"ringlab/model/thrift/bind"
	"ringlab/model/types"
)

// attributes sets the attributes of a column family. of is what the client knows
// of it, nil for a new one.
// Source: Cassandra 2.1 CliClient.updateCfDefAttributes.
func (r *run) attributes(d *bind.FamilyDef, list []thrift.Attribute, of *known) error {
	for _, a := range list {
		if err := r.attribute(d, a, of); err != nil {
			return err
		}
	}
	return nil
}

func (r *run) attribute(d *bind.FamilyDef, a thrift.Attribute, of *known) error {
	text := thrift.Unquote(a.Value.Raw)
	switch name := strings.ToUpper(a.Name); name {
	case "COLUMN_TYPE":
		d.ColumnType = text
		if text == "Super" && d.Subcomparator == "" {
			d.Subcomparator = "BytesType"
		}
	case "COMPARATOR":
		d.Comparator = text
	case "SUBCOMPARATOR":
		d.Subcomparator = text
	case "COMMENT":
		d.Comment = &text
	case "READ_REPAIR_CHANCE":
		return chance(&d.ReadRepair, a.Value.Raw, "read_repair_chance")
	case "DCLOCAL_READ_REPAIR_CHANCE":
		return chance(&d.LocalReadRepair, a.Value.Raw, "dclocal_read_repair_chance")
	case "GC_GRACE":
		return number(&d.GCGrace, a.Value.Raw)
	case "COLUMN_METADATA":
		return r.metadata(d, a.Value, of)
	case "MEMTABLE_OPERATIONS", "MEMTABLE_THROUGHPUT", "POPULATE_IO_CACHE_ON_FLUSH", "REPLICATE_ON_WRITE":
	case "DEFAULT_VALIDATION_CLASS":
		d.ValueClass = text
	case "KEY_VALIDATION_CLASS":
		d.KeyClass = text
	case "MIN_COMPACTION_THRESHOLD":
		return threshold(d, &d.MinThreshold, "min_threshold", a.Value.Raw)
	case "MAX_COMPACTION_THRESHOLD":
		return threshold(d, &d.MaxThreshold, "max_threshold", a.Value.Raw)
	case "COMPACTION_STRATEGY":
		if d.Strategy = text; text == "" {
			d.Strategy = "org.apache.cassandra.db.compaction." // which is set, other than nothing
		}
	case "COMPACTION_STRATEGY_OPTIONS":
		d.StrategyOptions = options(a.Value.Map)
	case "COMPRESSION_OPTIONS":
		o := options(a.Value.Map)
		d.Compression = &o
	case "BLOOM_FILTER_FP_CHANCE":
		x, err := strconv.ParseFloat(a.Value.Raw, 64)
		if err != nil {
			return notNumber(a.Value.Raw)
		}
		d.BloomFPChance = &x
	case "MEMTABLE_FLUSH_PERIOD_IN_MS":
		return number(&d.MemtableFlushPeriod, a.Value.Raw)
	case "CACHING":
		d.Caching = text
	case "CELLS_PER_ROW_TO_CACHE":
		d.CellsPerRow = text
	case "DEFAULT_TIME_TO_LIVE":
		return number(&d.DefaultTTL, a.Value.Raw)
	case "INDEX_INTERVAL":
		return number(&d.IndexInterval, a.Value.Raw)
	case "SPECULATIVE_RETRY":
		d.SpeculativeRetry = text
	default:
		return complain("java.lang.IllegalArgumentException: No enum constant org.apache.cassandra.cli.CliClient.ColumnFamilyArgument.%s", name)
	}
	return nil
}

func notNumber(text string) error {
	return complain("java.lang.NumberFormatException: For input string: \"%s\"", text)
}

func number(into **int, text string) error {
	n, err := strconv.ParseInt(text, 10, 32)
	if err != nil {
		return notNumber(text)
	}
	v := int(n)
	*into = &v
	return nil
}

func chance(into **float64, text, name string) error {
	x, err := strconv.ParseFloat(text, 64)
	if err != nil || math.IsNaN(x) {
		return notNumber(text)
	}
	if x < 0 || x > 1 {
		return complain("java.lang.RuntimeException: Error: %s must be between 0 and 1.", name)
	}
	*into = &x
	return nil
}

// threshold sets a bound of compaction, which stands among the options of the
// strategy too. Source: Cassandra 2.1 CFMetaData.fromThrift.
func threshold(d *bind.FamilyDef, into **int, option, text string) error {
	if err := number(into, text); err != nil {
		return err
	}
	if **into <= 0 {
		return complaint("java.lang.RuntimeException: Disabling compaction by setting min/max compaction thresholds to 0 has been deprecated, " +
			"set compaction_strategy_options={'enabled':false} instead")
	}
	d.StrategyOptions = append(slices.DeleteFunc(slices.Clone(d.StrategyOptions), func(o schema.Option) bool { return o.Key == option }),
		schema.Option{Key: option, Value: strconv.Itoa(**into)})
	return nil
}

// metadata reads column_metadata. Names are of the comparator that was given
// before it, or of the one that the column family has.
// Source: CliClient.getCFColumnMetaFromTree.
func (r *run) metadata(d *bind.FamilyDef, v thrift.AttributeValue, of *known) error {
	if v.Form != thrift.Maps {
		return complaint("java.lang.RuntimeException: 'column_metadata' format - [{ k:v, k:v, ..}, { ... }, ...]")
	}
	class := types.ClassOf(types.Blob)
	name := d.Comparator
	if d.ColumnType == "Super" {
		name = d.Subcomparator
	}
	if name != "" {
		c, err := bind.ParseClass(name)
		if err != nil {
			return err
		}
		class = c
	}
	d.Columns = nil
	for _, m := range v.List {
		c := bind.ColumnDef{}
		for _, p := range m {
			if err := r.metadataPair(&c, p, class); err != nil {
				return err
			}
		}
		missing := func(field, shown string) error {
			return complain("java.lang.RuntimeException: org.apache.thrift.protocol.TProtocolException: Required field '%s' was not present! Struct: ColumnDef(%s)", field, shown)
		}
		switch {
		case c.Name == nil:
			return missing("name", "name:null, validation_class:"+orNull(c.Class))
		case c.Class == "":
			return missing("validation_class", "name:"+bind.ThriftBytes(c.Name)+", validation_class:null"+indexShown(&c))
		}
		d.Columns = append(d.Columns, c)
	}
	return nil
}

// indexShown is what is said of an index where an entry is shown as Thrift does.
func indexShown(c *bind.ColumnDef) string {
	s := ""
	if c.Type != "" {
		s += ", index_type:" + c.Type
	}
	if c.Index != "" {
		s += ", index_name:" + c.Index
	}
	if c.Options != nil {
		s += ", index_options:{" + strings.Join(pairs(c.Options, "=", nil), ", ") + "}"
	}
	return s
}

func orNull(s string) string {
	if s == "" {
		return "null"
	}
	return s
}

func (r *run) metadataPair(c *bind.ColumnDef, p thrift.Pair, class *types.Comparator) error {
	switch strings.ToLower(p.Key.Text) {
	case "column_name":
		if p.Value.Form == thrift.Call {
			b, _, err := r.call(p.Value)
			c.Name = b
			return err
		}
		b, err := r.parse(class, p.Value.Text)
		if err != nil {
			switch text := java(err); {
			case strings.HasPrefix(text, "Invalid component"):
				return complaint("java.lang.IllegalArgumentException: " + text)
			case strings.HasPrefix(text, "index ("):
				return complaint("java.lang.IndexOutOfBoundsException: " + text)
			default:
				return complaint("java.lang.RuntimeException: " + text)
			}
		}
		c.Name = filled(b)
	case "validation_class":
		c.Class = p.Value.Text
	case "index_type":
		switch kind := p.Value.Text; kind {
		case "KEYS", "0":
			c.Type = "KEYS"
		case "CUSTOM", "1":
			c.Type = "CUSTOM"
		case "COMPOSITES", "2":
			c.Type = "COMPOSITES"
		default:
			return complain("java.lang.RuntimeException: IndexType '%s' is unsupported.", kind)
		}
	case "index_name":
		c.Index = p.Value.Text
	case "index_options":
		c.Options = options(p.Nested)
	default:
		return complain("java.lang.RuntimeException: Unsupported column_metadata pair given => %s: %s", p.Key.Text, p.Value.Text)
	}
	return nil
}
