// Package verify runs the same script on ringlab and on a real cluster, through
// a public driver, and compares what both answer, statement by statement. On the
// cluster it works in keyspaces of its own and touches nothing else.
package verify

import (
	"fmt"
	"slices"
	"strings"

	"ringlab/model/cql"
)

// scope is what a script may touch on a real cluster: the keyspaces that it has
// itself created there, whose names get a prefix.
type scope struct {
	prefix  string
	created []string // as the script names them
	refused []string // of these, those that the cluster did not take
	use     string   // that the script is in, "" for none
}

// longestName is how long a keyspace's name may be.
// Source: Cassandra 5.0 SchemaConstants.NAME_LENGTH.
const longestName = 48

// refuse says why a statement is not sent to the real cluster.
func refuse(format string, args ...any) error { return fmt.Errorf(format, args...) }

// translate gives a statement's text for the real cluster. Nothing but the names
// of keyspaces differs.
func (s *scope) translate(text string, tree cql.Statement) (string, error) {
	reads := false
	switch t := tree.(type) {
	case *cql.CreateKeyspace:
		name := t.Keyspace.Text
		if len(s.prefix)+len(name) > longestName {
			return "", refuse("the name %s is too long to be put behind %s", name, s.prefix)
		}
		if strings.HasPrefix(name, "system") {
			return "", refuse("%s is a name of Cassandra's own", name)
		}
		if !slices.Contains(s.created, name) {
			s.created = append(s.created, name)
		}
	case *cql.Select:
		reads = true
	case *cql.Describe:
		reads = true
		switch t.Kind {
		case cql.DescribeCluster, cql.DescribeSchema, cql.DescribeKeyspaces:
			return "", refuse("it shows all of a cluster")
		}
		if len(cql.Keyspaces(tree)) == 0 {
			return s.describe(text, t)
		}
	case *cql.Use, *cql.AlterKeyspace, *cql.DropKeyspace, *cql.CreateTable, *cql.AlterTable, *cql.DropTable, *cql.CreateType, *cql.AlterType,
		*cql.DropType, *cql.CreateIndex, *cql.DropIndex, *cql.CreateView, *cql.AlterView, *cql.DropView, *cql.CreateFunction, *cql.DropFunction,
		*cql.CreateAggregate, *cql.DropAggregate, *cql.Insert, *cql.InsertJSON, *cql.Update, *cql.Delete, *cql.Batch, *cql.Truncate:
	default:
		return "", refuse("it concerns more than keyspaces of the script")
	}
	var own []cql.Name
	system := false
	for _, n := range cql.Keyspaces(tree) {
		switch {
		case slices.Contains(s.created, n.Text):
			own = append(own, n)
		case reads && strings.HasPrefix(n.Text, "system"):
			system = true
		default:
			return "", refuse("the script has not created keyspace %s", n.Text)
		}
	}
	if system { // WHERE keyspace_name = '…'
		return s.constants(text, tree), nil
	}
	return s.splice(text, own), nil
}

// describe is translate for a DESCRIBE that names no keyspace. The cluster is
// asked in no keyspace, and for this the one of a request does not count.
func (s *scope) describe(text string, t *cql.Describe) (string, error) {
	n := t.Name.Name
	switch {
	case t.Kind == cql.DescribeGeneric && slices.Contains(s.created, n.Text):
		return s.splice(text, []cql.Name{n}), nil
	case s.use == "":
		return "", refuse("it looks at all keyspaces of a cluster")
	case n.Text == "":
		return "", refuse("the driver asks in no keyspace, as which it shows all of a cluster")
	}
	return text[:n.Pos.Offset] + cql.Name{Text: s.real(), Quoted: true}.CQL() + "." + text[n.Pos.Offset:], nil
}

// constants puts the prefix before strings that are names of keyspaces.
func (s *scope) constants(text string, tree cql.Statement) string {
	list := cql.Strings(tree)
	for i := len(list) - 1; i >= 0; i-- {
		if c := list[i]; slices.Contains(s.created, c.Text) && text[c.Pos.Offset] == '\'' {
			text = text[:c.Pos.Offset+1] + s.prefix + text[c.Pos.Offset+1:]
		}
	}
	return text
}

// splice puts the prefix before names.
func (s *scope) splice(text string, names []cql.Name) string {
	var b strings.Builder
	at := 0
	for _, n := range names {
		from := n.Pos.Offset
		b.WriteString(text[at:from])
		b.WriteString(cql.Name{Text: s.prefix + n.Text, Quoted: n.Quoted}.CQL())
		at = from + n.Written(text)
	}
	b.WriteString(text[at:])
	return b.String()
}

// real is the keyspace that statements run in, as the cluster names it.
func (s *scope) real() string {
	if s.use == "" {
		return ""
	}
	return s.prefix + s.use
}

// plain takes the prefix out of what the cluster says.
func (s *scope) plain(text string) string { return strings.ReplaceAll(text, s.prefix, "") }
