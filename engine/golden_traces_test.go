package engine_test

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// recordedTrace is what a step's trace holds: source, activity, thread.
type recordedTrace struct{ Events [][3]string }

// tracedSteps gives the recorded events of a step whose trace is compared.
func tracedSteps(s clusterStep) [][3]string {
	if len(s.Trace) == 0 || s.Page > 1 || s.Result.Error != nil {
		return nil
	}
	var t recordedTrace
	if json.Unmarshal(s.Trace, &t) != nil {
		return nil
	}
	for _, e := range t.Events {
		if m := traceTie.FindStringSubmatch(e[1]); m != nil && m[1] == m[2] {
			return nil // of indexes that expect as much, a real node takes the one that its hash tables put first
		}
	}
	return t.Events
}

var (
	traceAddress = regexp.MustCompile(`/127\.0\.0\.(\d+)(:7000)?`)
	traceSize    = regexp.MustCompile(` message size \d+ bytes`)
	traceUUID    = regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}`)
	traceTime    = regexp.MustCompile(`\b\d{15,18}\b`)
	traceToken   = regexp.MustCompile(`\(-?(\d+|N),-?(\d+|N)\]`)
	traceTie     = regexp.MustCompile(`cardinalities are \w+:(\d+),\w+:(\d+)\.`)
	// What traces of real nodes hold beside: reads of their own tables while they
	// write, files of cases before, and what a storage-attached index counts.
	traceBeside  = regexp.MustCompile(`^(Index query accessed|Bloom filter allows|Executing single-partition query on local|Parsing )`)
	traceForward = regexp.MustCompile(`Enqueuing forwarded write|MUTATION_REQ|Sending mutation to remote`)
	traceNode    = regexp.MustCompile(`\bn\d\b`)
	traceRead    = regexp.MustCompile(`^(Acquiring|Skipped|Key cache|Merg|Read \d)`)
)

// traceLines are the events of each node in order of their text. Which node forwards a
// write in another data center is drawn at random, so the lines of that name centers.
func traceLines(events [][3]string, attached string, centers map[string]string) []string {
	var out []string
	peers := map[string]int{} // events of a node that are left of its read of its peers, when it opens a connection
	for _, e := range events {
		if e[1] == "Executing single-partition query on peers_v2" {
			peers[e[0]] = 4
		}
		if peers[e[0]] > 0 && strings.HasPrefix(e[2], "Native") {
			peers[e[0]]--
			continue
		}
		text := traceAddress.ReplaceAllString(e[1], "n$1")
		text = traceTime.ReplaceAllString(traceUUID.ReplaceAllString(traceSize.ReplaceAllString(text, ""), "UUID"), "N")
		text = traceToken.ReplaceAllString(text, "(range]")
		inWrite := strings.HasPrefix(e[2], "MutationStage") && traceRead.MatchString(text)
		ofAttached := attached != "" && (text == "Executing single-partition query on "+attached || traceRead.MatchString(text))
		if inWrite || ofAttached || traceBeside.MatchString(text) {
			continue
		}
		text = e[0] + " " + text
		if traceForward.MatchString(text) {
			text = traceNode.ReplaceAllStringFunc(text, func(n string) string { return centers[n] })
		}
		out = append(out, text)
	}
	slices.Sort(out)
	return out
}

// compareTrace compares the last statement's trace with the recorded one.
func (r *clusterRun) compareTrace(i int, s clusterStep, want [][3]string) {
	r.do(":advance 1s") // what comes after the answer belongs to it; to read a trace took as long
	var got [][3]string
	for _, e := range r.lab.Core().LastTrace(0) {
		got = append(got, [3]string{e.Source, e.Activity, e.Thread})
	}
	attached := ""
	if strings.Contains(s.Stmt, ".sa ") {
		attached = "sa" // whose replicas filter with their index; here the coordinator does
	}
	centers := map[string]string{}
	for _, n := range r.lab.Core().Cluster.Nodes {
		centers[n.Name] = n.DC
	}
	a, b := traceLines(got, attached, centers), traceLines(want, attached, centers)
	var diff []string
	for len(a) > 0 || len(b) > 0 {
		switch {
		case len(b) == 0 || len(a) > 0 && a[0] < b[0]:
			diff, a = append(diff, "+ "+a[0]), a[1:]
		case len(a) == 0 || b[0] < a[0]:
			diff, b = append(diff, "- "+b[0]), b[1:]
		default:
			a, b = a[1:], b[1:]
		}
	}
	if len(diff) > 0 {
		r.differ(i, "trace of %s at %s on %s:\n    %s", s.Stmt, s.CL, s.On, fmt.Sprint(strings.Join(diff, "\n    ")))
	}
}
