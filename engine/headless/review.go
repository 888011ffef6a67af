package headless

import (
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"

	"ringlab/engine/render"
	"ringlab/engine/script"
	"ringlab/engine/stress"
	"ringlab/model/cql"
)

// ReviewOptions say how a review is made.
type ReviewOptions struct {
	Profile string // file of a stress profile, "" for none
	Format  string // md, html or json
}

// Review runs scripts that make a schema, on a ring with the data centers that
// their keyspaces name, and prints the design review of it. failed says that a
// statement was refused, which errs then tells.
func Review(files []string, o ReviewOptions, in io.Reader, out, errs io.Writer) (failed bool, err error) {
	texts := make([]string, 0, len(files)+1)
	for _, name := range files {
		var text []byte
		if name == "-" {
			text, err = io.ReadAll(in)
			in = strings.NewReader(string(text))
		} else {
			text, err = os.ReadFile(name)
		}
		if err != nil {
			return false, fmt.Errorf("cannot read the schema: %w", err)
		}
		texts = append(texts, string(text))
	}
	if o.Profile != "" {
		text, err := os.ReadFile(o.Profile)
		if err != nil {
			return false, fmt.Errorf("cannot read the profile: %w", err)
		}
		if p, err := stress.ParseProfile(string(text)); err == nil { // who reads it for good complains
			texts = append(texts, p.KeyspaceDefinition)
		}
	}
	lab, err := NewLab(LabOptions{Ring: ringFor(texts)})
	if err != nil {
		return false, err
	}
	r := &Runner{Out: io.Discard, Err: errs, Output: Table}
	r.Do, r.Expand = Direct(lab)
	for _, f := range files {
		if err := r.File(f, in); err != nil && !Stopped(err) {
			return false, err
		}
		if r.Failed() {
			return true, nil
		}
	}
	command := ":review format=" + o.Format
	if o.Profile != "" {
		command += " profile=" + quoteWord(o.Profile)
	}
	answers, err := r.Do(command, "", 0)
	if err != nil {
		return false, err
	}
	for _, a := range answers {
		if a.Error != nil {
			return false, fmt.Errorf("%s", render.Visible(a.Error.Message))
		}
		if _, err := io.WriteString(out, render.Visible(a.Message)+"\n"); err != nil {
			return false, err
		}
	}
	return false, nil
}

// quoteWord writes a word of a lab command that may hold blanks.
func quoteWord(s string) string {
	if strings.Contains(s, "'") {
		return `"` + s + `"`
	}
	return "'" + s + "'"
}

// fewNodes is how many nodes a data center has at least, whatever little a
// schema asks for.
const fewNodes = 3

// ringFor is a ring with the data centers that keyspaces name, each with nodes
// enough for its replicas; without any it is one data center.
func ringFor(texts []string) string {
	var dcs []string
	nodes, replicas := map[string]int{}, fewNodes
	for _, text := range texts {
		cut := script.Reader{Plain: true}
		for _, item := range cut.Cut(text) {
			st, err := cql.Parse(cql.TrimStatement(item.Text))
			create, ok := st.(*cql.CreateKeyspace)
			if err != nil || !ok {
				continue
			}
			for _, p := range create.Properties {
				if p.Value.Kind != cql.MapProperty || p.Name.Text != "replication" {
					continue
				}
				for _, e := range p.Value.Map {
					all, _, _ := strings.Cut(e.Value.Text, "/")
					rf, err := strconv.Atoi(all)
					switch {
					case e.Key.Text == "class" || err != nil:
					case e.Key.Text == "replication_factor":
						replicas = max(replicas, rf)
					default:
						if !slices.Contains(dcs, e.Key.Text) {
							dcs = append(dcs, e.Key.Text)
						}
						nodes[e.Key.Text] = max(nodes[e.Key.Text], rf, fewNodes)
					}
				}
			}
		}
	}
	if len(dcs) == 0 {
		return "datacenter1=" + strconv.Itoa(replicas)
	}
	words := make([]string, len(dcs))
	for i, dc := range dcs {
		words[i] = dc + "=" + strconv.Itoa(max(nodes[dc], replicas))
	}
	return strings.Join(words, " ")
}
