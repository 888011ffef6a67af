package schema

// CreateViewText is a materialized view as DESCRIBE shows it, with its ID if
// internals are asked for.
// Source: Cassandra 5.0 ViewMetadata.toCqlString.
func CreateViewText(t *Table, internals bool) string {
	columns := "*"
	if !t.View.All {
		columns = names(t.Columns())
	}
	return "CREATE MATERIALIZED VIEW " + t.String() + " AS\n    SELECT " + columns + "\n    FROM " + Quote(t.Keyspace) + "." + Quote(t.View.Base) +
		"\n    WHERE " + t.View.Where + "\n    PRIMARY KEY (" + t.keyText() + ")\n WITH " + t.optionsText(internals) + ";"
}
