package plan

// Row is a row to write, as the values of its columns.
type Row struct {
	New        bool     // the first of its partition; the others follow it
	Key        [][]byte // components of the partition key
	Clustering [][]byte
	Values     [][]byte // of the other columns, in an order that both sides know; nil is null
}
