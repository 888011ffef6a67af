package engine_test

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"sort"
	"strings"
	"testing"

	"ringlab/engine"
)

// statusLine is a line of nodetool status.
type statusLine struct {
	State, Owns, Rack string
	Tokens            string `json:"tokens_or_token"`
}

// ringStep looks at the ring, or counts what nodes hold.
func (r *clusterRun) ringStep(i int, s clusterStep) {
	switch {
	case s.Status != "":
		r.statusStep(i, s)
	case s.DescribeRing != "":
		a := r.do(":describering " + s.DescribeRing)
		var got, want []string
		for _, row := range a.Rows {
			got = append(got, row[0].Text+" "+row[1].Text+" "+row[2].Text)
		}
		for _, row := range s.Ranges {
			var nodes []string
			for _, n := range row[2].([]any) {
				nodes = append(nodes, fmt.Sprint(n))
			}
			want = append(want, fmt.Sprint(row[0], " ", row[1], " ", strings.Join(nodes, ",")))
		}
		sort.Strings(got)
		sort.Strings(want)
		if !slices.Equal(got, want) {
			r.differ(i, "describering %s: %q, expected %q", s.DescribeRing, got, want)
		}
	case s.Tokens != nil:
		c := r.lab.Core().Cluster
		for _, name := range sortedKeys(s.Tokens) {
			var got []string
			if n, ok := c.Find(name); ok {
				for _, t := range n.Tokens {
					got = append(got, c.Partitioner().Format(t))
				}
			}
			want := slices.Clone(s.Tokens[name])
			sort.Strings(got)
			sort.Strings(want)
			if !slices.Equal(got, want) {
				r.differ(i, "tokens of %s: %q, expected %q", name, got, want)
			}
		}
	case s.LocalCount != nil:
		for _, n := range sortedKeys(s.LocalCount) {
			a := r.statement(n, "NODE_LOCAL", "SELECT k FROM "+s.Table)
			if a.Error != nil {
				r.differ(i, "%s of %s: %s", s.Table, n, a.Error.Message)
			} else if len(a.Rows) != s.LocalCount[n] {
				r.differ(i, "%s holds %d rows of %s, expected %d", n, len(a.Rows), s.Table, s.LocalCount[n])
			}
		}
	case s.GetEndpoints != nil:
		r.endpointsStep(i, s)
	}
}

func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	sort.Strings(keys)
	return keys
}

// endpointsStep compares the replicas of keys of the table that the case made last.
func (r *clusterRun) endpointsStep(i int, s clusterStep) {
	table := ""
	for _, text := range r.playing.Schema {
		if m := regexp.MustCompile(`^CREATE TABLE (\w+)\.(\w+) `).FindStringSubmatch(text); m != nil {
			table = m[1] + " " + m[2]
		}
	}
	var keys map[string][]string
	if json.Unmarshal(s.GetEndpoints, &keys) != nil || table == "" {
		return // the placement of more than a table's keys is in golden/ring
	}
	for _, key := range sortedKeys(keys) {
		var got []string
		for _, row := range r.do(":getendpoints " + table + " " + key).Rows {
			got = append(got, row[0].Text)
		}
		if !slices.Equal(got, keys[key]) {
			r.differ(i, "endpoints of %s: %q, expected %q", key, got, keys[key])
		}
	}
}

// statusStep compares nodetool status. A node that is joining is seen before the
// step that says that it has joined, so it begins to here.
func (r *clusterRun) statusStep(i int, s clusterStep) {
	for name, n := range s.Nodes {
		if _, there := r.lab.Core().Cluster.Find(name); !there && n.State == "UJ" {
			for _, later := range r.playing.Steps {
				if strings.HasPrefix(later.Lab, ":bootstrap "+name+" ") {
					if a := r.do(later.Lab + " background"); a.Error != nil {
						r.differ(i, "%s: %s", later.Lab, a.Error.Message)
					}
				}
			}
		}
	}
	got := map[string]statusLine{}
	for _, row := range r.do(":status " + s.Status).Rows {
		got[row[1].Text] = statusLine{State: row[0].Text, Tokens: row[4].Text, Owns: row[5].Text, Rack: row[8].Text}
	}
	if fmt.Sprint(got) != fmt.Sprint(s.Nodes) {
		r.differ(i, "status %s: %v, expected %v", s.Status, got, s.Nodes)
	}
}

var (
	rowsNote   = regexp.MustCompile(`(\d+) rows with keys k0`)
	spaceNote  = regexp.MustCompile(`a keyspace of RF (\d+) \((\w+)\) exists`)
	addressPat = regexp.MustCompile(`127\.\d+\.\d+\.`)
)

// load writes what a case's note says was there before its steps.
func (r *clusterRun) load(c clusterCase) {
	if m := spaceNote.FindStringSubmatch(c.Note); m != nil {
		r.do(fmt.Sprintf("CREATE KEYSPACE %s WITH replication = {'class': 'NetworkTopologyStrategy', 'dc1': %s}", m[2], m[1]))
	}
	m := rowsNote.FindStringSubmatch(c.Note)
	if m == nil {
		return
	}
	n := 0
	fmt.Sscan(m[1], &n)
	for _, text := range c.Schema {
		table, ok := strings.CutPrefix(text, "CREATE TABLE ")
		if !ok {
			continue
		}
		table, _, _ = strings.Cut(table, " ")
		for k := range n {
			r.statement("n1", "ALL", fmt.Sprintf("INSERT INTO %s (k, v) VALUES ('k%d', 'v') USING TIMESTAMP 1000", table, k))
		}
	}
}

// memberStep changes the ring, or cleans up after that. What was refused says so in
// its output.
func (r *clusterRun) memberStep(i int, s clusterStep) {
	words := strings.Fields(s.Lab)
	core := r.lab.Core().Cluster
	if n, there := core.Find(words[1]); there && words[0] == ":bootstrap" && core.Movement() != nil {
		for m := core.Movement(); !m.Finished(); {
			r.do(":advance 1s")
		}
		if n.State.Letter() != "N" {
			r.differ(i, "%s has not joined", n.Name)
		}
		return
	}
	if strings.Contains(s.How, "flush") {
		r.do(":flush " + words[1])
	}
	a := r.do(s.Lab)
	if what := beyond(a); what != "" {
		r.unable = what
		return
	}
	refused := ""
	var lines []string
	if json.Unmarshal(s.Output, &refused) != nil {
		json.Unmarshal(s.Output, &lines)
		refused = strings.Join(lines, "\n")
	}
	switch {
	case refused == "" && a.Error != nil:
		r.differ(i, "%s: %s", s.Lab, a.Error.Message)
	case refused != "" && a.Error == nil:
		r.differ(i, "%s was not refused, expected %q", s.Lab, refused)
	case refused != "" && !strings.Contains(addressPat.ReplaceAllString(refused, "127."), addressPat.ReplaceAllString(a.Error.Message, "127.")):
		r.differ(i, "%s was refused with %q, expected %q", s.Lab, a.Error.Message, refused)
	}
}

// clusterLab makes the ring of a recording as it was before its first case: without
// nodes that join later, with those that left before the topology was noted.
func clusterLab(t *testing.T, f clusterFile, topology string, seed int) *engine.Lab {
	for _, top := range f.Topologies {
		if top.Name != topology || len(top.Nodes) == 0 {
			continue
		}
		type member struct {
			dc, rack string
			tokens   []string
		}
		members := map[string]*member{}
		for _, n := range top.Nodes {
			m := &member{dc: n.DC, rack: n.Rack}
			for _, token := range n.Tokens {
				m.tokens = append(m.tokens, fmt.Sprint(token))
			}
			if n.Token != nil && fmt.Sprint(n.Token) != "" {
				m.tokens = []string{fmt.Sprint(n.Token)}
			}
			members[n.Name] = m
		}
		seen, joins := false, map[string]bool{}
		for _, c := range f.Cases {
			if c.Topology != topology {
				continue
			}
			for _, s := range c.Steps {
				if words := strings.Fields(s.Lab); len(words) > 1 && words[0] == ":bootstrap" {
					if m := members[words[1]]; m != nil && len(m.tokens) == 0 {
						delete(members, words[1])
					}
					joins[words[1]] = true
				}
				for name, line := range s.Nodes {
					if !seen && members[name] == nil && !joins[name] && line.State != "UJ" {
						members[name] = &member{dc: top.Nodes[0].DC, rack: line.Rack}
					}
				}
				seen = seen || s.Nodes != nil
			}
			for _, s := range c.Steps {
				for name, tokens := range s.Tokens {
					if m := members[name]; m != nil && len(m.tokens) == 0 {
						m.tokens = tokens
					}
				}
				for _, row := range s.Ranges {
					if nodes := row[2].([]any); len(nodes) == 1 {
						if m := members[fmt.Sprint(nodes[0])]; m != nil && len(m.tokens) == 0 {
							m.tokens = []string{fmt.Sprint(row[1])}
						}
					}
				}
			}
		}
		var dcs, names, tokens, racks []string
		byDC := map[string][]string{}
		for _, name := range sortedKeys(members) {
			m := members[name]
			if byDC[m.dc] == nil {
				dcs = append(dcs, m.dc)
			}
			byDC[m.dc] = append(byDC[m.dc], name)
			for _, token := range m.tokens {
				tokens = append(tokens, name+":"+token)
			}
		}
		spec, most := "", 1
		for _, dc := range dcs {
			spec += fmt.Sprintf("%s=%d ", dc, len(byDC[dc]))
			names = append(names, byDC[dc]...)
			for _, name := range byDC[dc] {
				racks = append(racks, name+":"+members[name].rack)
				most = max(most, len(members[name].tokens))
			}
		}
		spec += fmt.Sprintf("racks=%s vnodes=%d names=%s partitioner=%s seed=%d", strings.Join(racks, ","), most, strings.Join(names, ","), top.Partitioner, seed)
		if len(tokens) > 0 {
			spec += " tokens=" + strings.Join(tokens, ",")
		}
		lab, err := engine.New(engine.Options{Ring: spec})
		if err != nil {
			t.Fatalf("%s: %v", spec, err)
		}
		return lab
	}
	t.Fatalf("no topology %s", topology)
	return nil
}
