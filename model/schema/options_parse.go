package schema

import "strings"

// Setting is one property as written: a map or a plain text.
type Setting struct {
	Name  string
	Text  string
	Map   []Option
	IsMap bool
}

var optionNames = func() map[string]bool {
	m := map[string]bool{}
	for _, n := range strings.Fields(`additional_write_policy allow_auto_snapshot bloom_filter_fp_chance caching cdc comment
		compaction compression crc_check_chance default_time_to_live extensions gc_grace_seconds id incremental_backups
		max_index_interval memtable memtable_flush_period_in_ms min_index_interval read_repair speculative_retry`) {
		m[n] = true
	}
	return m
}()

// CheckNames refuses properties that no table has.
// Source: Cassandra 5.0 TableAttributes.validate, PropertyDefinitions.validate.
func CheckNames(settings []Setting) error {
	for _, s := range settings {
		if !optionNames[s.Name] {
			return syntaxf("Unknown property '%s'", s.Name)
		}
	}
	return nil
}

// CheckMemtable refuses names of memtable configurations that a node with the
// standard configuration does not have.
// Source: Cassandra 5.0 MemtableParams.get.
func CheckMemtable(settings []Setting) error {
	for _, s := range settings {
		if s.Name != "memtable" {
			continue
		}
		name, err := s.text()
		if err != nil {
			return err
		}
		if name != "default" {
			return configf(`Memtable configuration "%s" not found.`, name)
		}
	}
	return nil
}

// With gives the options after the settings, each checked for itself. It does
// not check values against bounds or against each other; Check does.
// Source: Cassandra 5.0 TableAttributes.build.
func (o Options) With(settings []Setting) (Options, error) { return o.with(settings, false) }

// NewOptions are the options of a new table. Unlike With it derives the bloom
// filter's chance from the compaction strategy if none is set.
func NewOptions(settings []Setting) (Options, error) { return DefaultOptions().with(settings, true) }

func (o Options) with(settings []Setting, fresh bool) (Options, error) {
	p := parser{settings: settings}
	p.flag("allow_auto_snapshot", &o.AllowAutoSnapshot)
	p.double("bloom_filter_fp_chance", &o.BloomFPChance)
	p.table("caching", &o.Caching, parseCaching)
	p.text("comment", &o.Comment)
	p.table("compaction", &o.Compaction, parseCompaction)
	if s := p.find("compaction"); s != nil {
		o.written = nil
		for _, sub := range s.Map {
			o.written = append(o.written, sub.Key)
		}
	}
	p.table("compression", &o.Compression, parseCompression)
	p.text("memtable", &o.Memtable)
	p.number("default_time_to_live", &o.DefaultTTL)
	p.number("gc_grace_seconds", &o.GCGrace)
	p.flag("incremental_backups", &o.IncrementalBackups)
	p.number("max_index_interval", &o.MaxIndexInterval)
	p.number("memtable_flush_period_in_ms", &o.MemtableFlushPeriod)
	p.number("min_index_interval", &o.MinIndexInterval)
	p.policy("speculative_retry", &o.SpeculativeRetry)
	p.policy("additional_write_policy", &o.AdditionalWritePolicy)
	p.double("crc_check_chance", &o.CRCCheckChance)
	p.flag("cdc", &o.CDC)
	p.readRepair(&o.ReadRepair)
	// -1 is the strategy's own chance.
	if fresh && p.find("bloom_filter_fp_chance") == nil || o.BloomFPChance == -1 {
		if o.BloomFPChance = 0.01; o.CompactionClass() == Leveled {
			o.BloomFPChance = 0.1
		}
	}
	return o, p.err
}

// parser remembers the first refusal.
type parser struct {
	settings []Setting
	err      error
}

func (p *parser) find(name string) *Setting {
	if p.err != nil {
		return nil
	}
	for i := range p.settings {
		if p.settings[i].Name == name {
			return &p.settings[i]
		}
	}
	return nil
}

func (s *Setting) text() (string, error) {
	if s.IsMap {
		return "", syntaxf("Invalid value for property '%s'. It should be a string", s.Name)
	}
	return s.Text, nil
}

func (p *parser) string(name string) (string, bool) {
	s := p.find(name)
	if s == nil {
		return "", false
	}
	var text string
	text, p.err = s.text()
	return text, p.err == nil
}

func (p *parser) text(name string, to *string) {
	if s, ok := p.string(name); ok {
		*to = s
	}
}

func (p *parser) flag(name string, to *bool) {
	if s, ok := p.string(name); ok {
		*to, p.err = ParseBoolean(name, s)
	}
}

func (p *parser) number(name string, to *int) {
	if s, ok := p.string(name); ok {
		n, ok := parseInt(s, 32)
		if !ok {
			p.err = syntaxf("Invalid integer value %s for '%s'", s, name)
			return
		}
		*to = int(n)
	}
}

func (p *parser) double(name string, to *float64) {
	if s, ok := p.string(name); ok {
		f, ok := parseDouble(s)
		if !ok {
			p.err = syntaxf("Invalid double value %s for '%s'", s, name)
			return
		}
		*to = f
	}
}

func (p *parser) table(name string, to *[]Option, parse func([]Option) ([]Option, error)) {
	s := p.find(name)
	switch {
	case s == nil:
	case !s.IsMap:
		p.err = syntaxf("Invalid value for property '%s'. It should be a map.", name)
	default:
		if m, err := parse(sorted(s.Map)); err != nil {
			p.err = err
		} else {
			*to = m
		}
	}
}

func (p *parser) policy(name string, to *string) {
	if s, ok := p.string(name); ok {
		if policy, err := parseRetryPolicy(s); err != nil {
			p.err = err
		} else {
			*to = policy
		}
	}
}

func (p *parser) readRepair(to *string) {
	s, ok := p.string("read_repair")
	if !ok {
		return
	}
	switch upper := strings.ToUpper(s); upper {
	case "BLOCKING", "NONE":
		*to = upper
	default:
		p.err = &Problem{Server, "java.lang.IllegalArgumentException: No enum constant " +
			"org.apache.cassandra.service.reads.repair.ReadRepairStrategy." + upper}
	}
}

// ParseBoolean reads the yes-or-no value of a property.
// Source: Cassandra 5.0 PropertyDefinitions.parseBoolean.
func ParseBoolean(name, value string) (bool, error) {
	switch strings.ToLower(value) {
	case "1", "true", "yes":
		return true, nil
	case "0", "false", "no":
		return false, nil
	}
	return false, syntaxf("Invalid boolean value %s for '%s'. Positive values can be '1', 'true' or 'yes'. "+
		"Negative values can be '0', 'false' or 'no'.", value, name)
}
