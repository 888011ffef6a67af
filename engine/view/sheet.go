package view

// The sheets that a pane can ask for.
const (
	SheetReplicas = "replicas" // what each replica has, name by name
	SheetXRay     = "xray"     // the partition in the layouts of three eras
)

// Sheet is a table about one partition.
type Sheet struct {
	Kind            string
	Keyspace, Table string
	Key             string
	Err             string // why there is none
	Heads           []string
	Rows            [][]string
	Cells           []string // command that shows all versions of a row's cell, "" where it is none
	Differ          []bool   // of rows that are not the same in all columns; nil where that means nothing
}
