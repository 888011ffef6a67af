package bind

import (
	"encoding/json"
	"sort"

	"ringlab/model/schema"
)

// FamilyDef is a column family as a client describes it; what is not set takes
// its default. Source: Cassandra 2.1 interface/cassandra.thrift, CfDef.
type FamilyDef struct {
	Name          string      `json:"name"`
	ColumnType    string      `json:"column_type"`
	Comparator    string      `json:"comparator_type"`
	Subcomparator string      `json:"subcomparator_type"`
	KeyClass      string      `json:"key_validation_class"`
	ValueClass    string      `json:"default_validation_class"`
	Columns       []ColumnDef `json:"column_metadata"`

	Comment             *string  `json:"comment"`
	ReadRepair          *float64 `json:"read_repair_chance"`
	LocalReadRepair     *float64 `json:"dclocal_read_repair_chance"`
	GCGrace             *int     `json:"gc_grace_seconds"`
	MinThreshold        *int     `json:"min_compaction_threshold"`
	MaxThreshold        *int     `json:"max_compaction_threshold"`
	Strategy            string   `json:"compaction_strategy"`
	StrategyOptions     Options  `json:"compaction_strategy_options"`
	Compression         *Options `json:"compression_options"`
	Caching             string   `json:"caching"`
	CellsPerRow         string   `json:"cells_per_row_to_cache"`
	BloomFPChance       *float64 `json:"bloom_filter_fp_chance"`
	IndexInterval       *int     `json:"index_interval"`
	SpeculativeRetry    string   `json:"speculative_retry"`
	DefaultTTL          *int     `json:"default_time_to_live"`
	MemtableFlushPeriod *int     `json:"memtable_flush_period_in_ms"`
}

// ColumnDef is one entry of column_metadata.
type ColumnDef struct {
	Name    Bytes   `json:"name"`
	Class   string  `json:"validation_class"`
	Type    string  `json:"index_type"` // KEYS, CUSTOM, COMPOSITES; "" for no index
	Index   string  `json:"index_name"`
	Options Options `json:"index_options"`
}

// Options are a map in the order in which it was written, or sorted by key when
// it came without order.
type Options []schema.Option

// UnmarshalJSON reads an object of strings.
func (o *Options) UnmarshalJSON(data []byte) error {
	var m map[string]string
	if err := json.Unmarshal(data, &m); err != nil {
		return err
	}
	*o = Options{}
	for k, v := range m {
		*o = append(*o, schema.Option{Key: k, Value: v})
	}
	list := *o
	sort.Slice(list, func(i, j int) bool { return list[i].Key < list[j].Key })
	return nil
}

// KeyspaceDef is a keyspace as a client describes it.
type KeyspaceDef struct {
	Name          string      `json:"name"`
	Strategy      string      `json:"strategy_class"`
	Options       Options     `json:"strategy_options"`
	DurableWrites *bool       `json:"durable_writes"`
	Families      []FamilyDef `json:"cf_defs"`
}

// Definition describes a column family as it is: what update column family
// begins with. Source: Cassandra 2.1 CFMetaData.toThrift.
func Definition(name string, f *schema.Family) *FamilyDef {
	pointer := func(n int) *int { return &n }
	d := &FamilyDef{
		Name: name, ColumnType: "Standard", Comparator: f.Comparator.ClassicName(), KeyClass: f.KeyClass.ClassicName(), ValueClass: f.ValueClass.ClassicName(),
		Comment: &f.Comment, ReadRepair: &f.ReadRepair, LocalReadRepair: &f.LocalReadRepair, GCGrace: pointer(f.GCGrace),
		MinThreshold: pointer(f.MinThreshold), MaxThreshold: pointer(f.MaxThreshold), Strategy: f.Strategy, StrategyOptions: Options(f.StrategyOptions),
		Caching: f.Caching, CellsPerRow: f.CellsPerRow, SpeculativeRetry: f.SpeculativeRetry, DefaultTTL: pointer(f.DefaultTTL),
		MemtableFlushPeriod: pointer(f.MemtableFlushPeriod),
	}
	if f.Super {
		d.ColumnType, d.Subcomparator = "Super", f.Subcomparator.ClassicName()
	}
	if f.BloomFPChance > 0 {
		chance := f.BloomFPChance
		d.BloomFPChance = &chance
	}
	compression := Options(f.Compression)
	d.Compression = &compression
	for _, c := range f.Columns {
		one := ColumnDef{Name: c.Name, Class: c.Class.ClassicName(), Index: c.Index, Options: Options(c.Options)}
		if c.Index != "" {
			one.Type = "KEYS"
		}
		if c.Custom {
			one.Type = "CUSTOM"
		}
		d.Columns = append(d.Columns, one)
	}
	return d
}
