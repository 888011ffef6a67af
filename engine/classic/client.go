package classic

import (
	_ "embed"
	"strings"

	"ringlab/model/plan"
	"ringlab/model/thrift"
	"ringlab/model/types"
)

// Source: Cassandra 2.1 CliClient.executeAssumeStatement.
func (r *run) assume(s *thrift.Assume) error {
	f, err := r.family(s.Family)
	if err != nil {
		return err
	}
	element := strings.ToUpper(s.Element)
	switch element {
	case "VALIDATOR", "COMPARATOR", "KEYS", "SUB_COMPARATOR":
	default:
		return said("'" + element + "' is invalid. Available: VALIDATOR, COMPARATOR, KEYS, SUB_COMPARATOR.")
	}
	class := classNamed(s.Type.Text)
	if class == nil {
		return said("Type '" + s.Type.Text + "' was not found. Available: " + strings.TrimSuffix(functionNames(), ".") +
			". Or any class which extends o.a.c.db.marshal.AbstractType.")
	}
	if element == "KEYS" {
		r.keys[f.name] = class
	} else {
		// The client notes the class without its parameters.
		bare, _, composed := strings.Cut(class.ClassicName(), "(")
		if composed {
			return complain("ringlab does not support assume %s as %s: cassandra-cli forgets the classes inside of it, and can show nothing from then on", element, bare)
		}
		of := assumption{r.core.Current.Keyspace, f.name}
		if r.assumed[of] == nil {
			r.assumed[of] = map[string]*types.Comparator{}
		}
		r.assumed[of][element] = class
		f.assume(element, class)
	}
	r.line("Assumption for column family '%s' added successfully.", f.name)
	return nil
}

// Source: CliClient.executeConsistencyLevelStatement.
func (r *run) level(s *thrift.ConsistencyLevel) error {
	name := strings.ToUpper(s.Level)
	cl, ok := plan.ParseConsistency(name)
	if !ok || cl == plan.NodeLocal {
		return said("'" + name + "' is invalid. Available: ONE, TWO, THREE, QUORUM, ALL, LOCAL_QUORUM, EACH_QUORUM, ANY")
	}
	r.core.Current.CL = cl
	r.line("Consistency level is set to '%s'.", cl)
	return nil
}

//go:embed help.txt
var helpText string

// help prints a page of help. Source: Cassandra 2.1 CliHelp.yaml.
func (r *run) help(s *thrift.Help) error {
	topic := s.Topic
	if topic == "quit" {
		topic = "exit"
	}
	for _, page := range strings.Split(helpText, "=== ")[1:] {
		if title, text, _ := strings.Cut(page, "\n"); title == topic {
			r.out.WriteString(text)
			return nil
		}
	}
	return nil
}

// apiVersion is the version of Thrift's interface in 2.1.
const apiVersion = "19.39.0"

// simple runs the statements without parts.
func (r *run) simple(s thrift.Simple) error {
	switch s {
	case thrift.Exit:
		r.ans.Exit = true
	case thrift.ShowClusterName:
		r.line("%s", clusterName)
	case thrift.ShowVersion:
		r.line("%s", apiVersion)
	case thrift.ShowKeyspaces:
		return r.showKeyspaces()
	case thrift.DescribeCluster:
		return r.describeCluster()
	case thrift.TraceNext:
		return complaint("ringlab does not support trace next query; TRACING ON shows what every statement did, and :trace shows the last one")
	}
	return nil
}
