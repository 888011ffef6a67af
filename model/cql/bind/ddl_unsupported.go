package bind

import "ringlab/model/cql"

// unsupported names what a statement is about that ringlab does not know, and
// the way around it.
func unsupported(st cql.Statement) (thing, instead string) {
	switch st.(type) {
	case *cql.CreateIndex, *cql.DropIndex:
		return "secondary indexes (CREATE INDEX)", "model a second table with that column as partition key"
	}
	return "this statement", "see the documentation for those that it knows"
}
