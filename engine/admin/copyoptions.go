package admin

import (
	"slices"
	"sort"
	"strconv"
	"strings"

	"ringlab/engine/csv"
	"ringlab/model/schema"
	"ringlab/model/types"
)

// copyOptions are the options of a COPY.
type copyOptions struct {
	dialect  csv.Dialect
	values   types.CSV
	header   bool
	attempts int

	begin, end string // tokens, "" for none
	mostOutput int    // rows of one file, -1 for no limit
	page       int    // rows of one request

	mostRows, skipRows     int // -1 is no limit
	skipColumns            []string
	mostParse, mostInserts int // errors, -1 is no limit
	errFile                string
	ttl                    int // seconds, -1 for none
}

// copyIgnored are options that cqlsh needs for its processes and that change
// nothing here.
const copyIgnored = "chunksize ingestrate maxbatchsize minbatchsize numprocesses reportfrequency ratefile configfile pagetimeout " +
	"maxrequests preparedstatements maxinflightmessages maxbackoffattempts maxpendingchunks requesttimeout childtimeout"

// parseCopyOptions reads the options of a COPY with their defaults.
// Source: cqlsh 6.2 CopyTask.parse_options.
func parseCopyOptions(c *copyCommand, t *schema.Table) (*copyOptions, error) {
	o := &copyOptions{dialect: csv.Dialect{Delimiter: ',', Quote: '"', Escape: '\\'}, values: types.DefaultCSV(), attempts: 5,
		mostOutput: -1, page: 1000, mostRows: -1, mostParse: -1, mostInserts: 1000, errFile: "import_" + t.Keyspace + "_" + t.Name + ".err", ttl: -1}
	numbers := map[string]*int{"maxattempts": &o.attempts, "floatprecision": &o.values.FloatPrecision, "doubleprecision": &o.values.DoublePrecision,
		"maxoutputsize": &o.mostOutput, "pagesize": &o.page, "maxrows": &o.mostRows, "skiprows": &o.skipRows, "maxparseerrors": &o.mostParse,
		"maxinserterrors": &o.mostInserts, "ttl": &o.ttl}
	texts := map[string]*string{"null": &o.values.Null, "datetimeformat": &o.values.DateTimeFormat, "decimalsep": &o.values.DecimalSep,
		"thousandssep": &o.values.ThousandsSep, "begintoken": &o.begin, "endtoken": &o.end, "errfile": &o.errFile}
	characters := map[string]*rune{"delimiter": &o.dialect.Delimiter, "quote": &o.dialect.Quote, "escape": &o.dialect.Escape}
	var unknown []string
	for _, opt := range c.options {
		var err error
		switch {
		case numbers[opt.name] != nil:
			if *numbers[opt.name], err = strconv.Atoi(opt.value); err != nil {
				err = Complain("invalid literal for int() with base 10: '%s'", opt.value)
			}
		case texts[opt.name] != nil:
			*texts[opt.name] = opt.value
		case characters[opt.name] != nil:
			*characters[opt.name], err = character(opt.name, opt.value)
		case opt.name == "header":
			o.header = strings.EqualFold(opt.value, "true")
		case opt.name == "skipcols":
			o.skipColumns = splitList(opt.value)
		case opt.name == "boolstyle":
			err = o.boolStyle(opt.value)
		case opt.name == "encoding":
			if e := strings.ToLower(strings.ReplaceAll(opt.value, "-", "")); e != "utf8" && e != "ascii" {
				err = Complain("ringlab does not support the encoding %s; convert the file to UTF-8", opt.value)
			}
		case !slices.Contains(strings.Fields(copyIgnored), opt.name):
			unknown = append(unknown, opt.name)
		}
		if err != nil {
			return nil, err
		}
	}
	if len(unknown) > 0 {
		return nil, Complain("Unrecognized COPY %s options: %s", map[bool]string{true: "FROM", false: "TO"}[c.from], strings.Join(unknown, ", "))
	}
	return o, nil
}

// boolStyle takes the words for true and false.
func (o *copyOptions) boolStyle(value string) error {
	style := strings.Split(value, ",")
	for i := range style {
		style[i] = strings.TrimSpace(style[i])
	}
	if len(style) != 2 || style[0] == style[1] || style[0] == "" || style[1] == "" {
		return Complain("Invalid boolean styles ['%s']", strings.Join(style, "', '"))
	}
	o.values.True, o.values.False = style[0], style[1]
	return nil
}

func splitList(s string) []string {
	var out []string
	for _, p := range strings.Split(s, ",") {
		if p = strings.TrimSpace(p); p != "" {
			out = append(out, p)
		}
	}
	return out
}

// copyColumns are the columns of a COPY that names none: the primary key, then
// the others in order of name.
func copyColumns(t *schema.Table) []*schema.Column {
	out := slices.Concat(t.Key, t.Clustering)
	rest := slices.Concat(t.Static, t.Regular)
	sort.SliceStable(rest, func(i, j int) bool { return rest[i].Name < rest[j].Name })
	return append(out, rest...)
}

func columnList(columns []*schema.Column, quote func(string) string) string {
	names := make([]string, len(columns))
	for i, c := range columns {
		names[i] = quote(c.Name)
	}
	return strings.Join(names, ", ")
}
