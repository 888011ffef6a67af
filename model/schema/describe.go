package schema

import (
	"slices"
	"sort"
	"strconv"
	"strings"

	"ringlab/model/types"
)

// CreateKeyspaceText is the keyspace as DESCRIBE shows it.
// Source: Cassandra 5.0 KeyspaceMetadata.toCqlString.
func CreateKeyspaceText(k *Keyspace) string {
	if Virtual(k.Name) {
		return forReference("Keyspace "+Quote(k.Name)+" is a virtual keyspace", "VIRTUAL KEYSPACE "+Quote(k.Name)+";")
	}
	var b strings.Builder
	b.WriteString("CREATE KEYSPACE " + Quote(k.Name) + " WITH replication = {'class': " + literal(k.Class()))
	for _, o := range k.Replication {
		if o.Key != "class" {
			b.WriteString(", " + literal(o.Key) + ": " + literal(o.Value))
		}
	}
	b.WriteString("}  AND durable_writes = " + strconv.FormatBool(k.DurableWrites) + ";")
	return b.String()
}

// CreateTypeText is the user type as DESCRIBE shows it.
// Source: Cassandra 5.0 UserType.toCqlString.
func CreateTypeText(t *types.Type) string {
	var b strings.Builder
	b.WriteString("CREATE TYPE " + TypeName(t) + " (\n")
	for i, name := range t.Names {
		b.WriteString("    " + Quote(name) + " " + t.Elems[i].String())
		if i < len(t.Names)-1 {
			b.WriteByte(',')
		}
		b.WriteByte('\n')
	}
	b.WriteString(");")
	return b.String()
}

// TypeName is keyspace.type with quotes where CQL needs them.
func TypeName(t *types.Type) string { return Quote(t.Keyspace) + "." + Quote(t.Name) }

// CreateTableText is the table as DESCRIBE shows it.
// Source: Cassandra 5.0 TableMetadata.appendCqlTo.
func CreateTableText(t *Table) string { return createTableText(t, false) }

// CreateTableInternals is the table as DESCRIBE … WITH INTERNALS shows it: with
// its ID, and with dropped columns and the statements that dropped them.
func CreateTableInternals(t *Table) string { return createTableText(t, true) }

func createTableText(t *Table, internals bool) string {
	if Virtual(t.Keyspace) {
		return forReference("Table "+t.String()+" is a virtual table", tableText("VIRTUAL TABLE ", t, internals))
	}
	if t.Compact {
		return "/*\nWarning: Table " + t.String() + " omitted because it has constructs not compatible with CQL (was created via legacy API).\n" +
			"Approximate structure, for reference:\n(this should not be used to reproduce this schema)\n\n" + tableText("CREATE TABLE ", t, internals) + "\n*/"
	}
	return tableText("CREATE TABLE ", t, internals)
}

// forReference shows what CQL cannot make as a comment.
// Source: Cassandra 5.0 TableMetadata.toCqlString, KeyspaceMetadata.toCqlString.
func forReference(what, structure string) string {
	return "/*\nWarning: " + what + " and cannot be recreated with CQL.\nStructure, for reference:\n" + structure + "\n*/"
}

func tableText(head string, t *Table, internals bool) string {
	var b strings.Builder
	b.WriteString(head + t.String() + " (\n")
	var dropped []Dropped
	if internals {
		dropped = t.DroppedInOrder()
	}
	single := len(t.Key) == 1 && len(t.Clustering) == 0 && !t.Compact
	var lines []string
	for _, c := range t.CreateOrder() {
		if _, again := t.Dropped[c.Name]; again && internals {
			continue
		}
		line := columnText(c)
		if single && c.Kind == PartitionKey {
			line += " PRIMARY KEY"
		}
		lines = append(lines, line)
	}
	for _, d := range dropped {
		lines = append(lines, columnText(d.Column))
	}
	if !single {
		lines = append(lines, "PRIMARY KEY ("+t.keyText()+")")
	}
	b.WriteString("    " + strings.Join(lines, ",\n    ") + "\n) WITH " + t.optionsText(internals) + ";")
	for _, d := range dropped {
		b.WriteString("\nALTER TABLE " + t.String() + " DROP " + Quote(d.Column.Name) + " USING TIMESTAMP " +
			strconv.FormatInt(d.At, 10) + ";")
		if c := t.Column(d.Column.Name); c != nil {
			b.WriteString("\nALTER TABLE " + t.String() + " ADD " + columnText(c) + ";")
		}
	}
	return b.String()
}

// CreateOrder are the columns as a CREATE TABLE lists them: like Columns, but
// among static and among regular columns those of one cell come first.
// Source: Cassandra 5.0 TableMetadata.allColumnsInCreateOrder, Columns.
func (t *Table) CreateOrder() []*Column {
	return slices.Concat(t.Key, t.Clustering, storageOrder(t.Static), storageOrder(t.Regular))
}

// DroppedInOrder are the dropped columns in order of name.
func (t *Table) DroppedInOrder() []Dropped {
	names := make([]string, 0, len(t.Dropped))
	for n := range t.Dropped {
		names = append(names, n)
	}
	sort.Strings(names)
	out := make([]Dropped, len(names))
	for i, n := range names {
		out[i] = t.Dropped[n]
	}
	return out
}

func columnText(c *Column) string {
	text := Quote(c.Name) + " " + c.Type.String()
	if c.Kind == Static {
		text += " static"
	}
	return text
}

func (t *Table) keyText() string {
	text := names(t.Key)
	if len(t.Key) > 1 {
		text = "(" + text + ")"
	}
	if len(t.Clustering) > 0 {
		text += ", " + names(t.Clustering)
	}
	return text
}

func names(cs []*Column) string {
	quoted := make([]string, len(cs))
	for i, c := range cs {
		quoted[i] = Quote(c.Name)
	}
	return strings.Join(quoted, ", ")
}

// SortedTypes are the user types in an order in which they can be created: by
// name, but each after those that it contains.
// Source: Cassandra 5.0 Types.sortedStream.
func (k *Keyspace) SortedTypes() []*types.Type {
	done := map[string]bool{}
	var out []*types.Type
	var visit func(t *types.Type)
	visit = func(t *types.Type) {
		if t.Kind == types.KindUDT && t.Keyspace == k.Name {
			if done[t.Name] {
				return
			}
			done[t.Name] = true
		}
		for _, e := range t.Elems {
			visit(e)
		}
		if t.Kind == types.KindUDT && t.Keyspace == k.Name {
			out = append(out, k.Types[t.Name])
		}
	}
	for _, n := range k.TypeNames() {
		visit(k.Types[n])
	}
	return out
}

// TypeNames are the user types in order of name.
func (k *Keyspace) TypeNames() []string {
	names := make([]string, 0, len(k.Types))
	for n := range k.Types {
		names = append(names, n)
	}
	sort.Strings(names)
	return names
}

// literal is a CQL string.
func literal(s string) string { return "'" + strings.ReplaceAll(s, "'", "''") + "'" }
