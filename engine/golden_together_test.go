package engine_test

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"ringlab/engine/answer"
)

// prepareTogether makes a client for every statement that a case sends at once:
// handing over between clients takes time, which would be part of a pause.
func (r *clusterRun) prepareTogether(c clusterCase) {
	for i, s := range c.Steps {
		for j, one := range s.Together {
			name := fmt.Sprintf("at%dx%d", i+1, j)
			r.do(fmt.Sprintf(":client %s node=%s cl=%s", name, one.On, one.CL))
			if one.SerialCL != "" {
				r.do(":as " + name)
				r.do("SERIAL CONSISTENCY " + one.SerialCL)
			}
		}
	}
	r.do(":as")
}

// together sends statements at once and compares what each answered.
func (r *clusterRun) together(i int, s clusterStep) {
	r.do(":together")
	for j, one := range s.Together {
		r.do(fmt.Sprintf(":as at%dx%d", i, j))
		r.do(one.Stmt)
	}
	r.do(":as")
	answers := r.lab.Do(":end")
	if len(answers) < len(s.Together) {
		r.differ(i, "%d answers for %d statements", len(answers), len(s.Together))
		return
	}
	if strings.Contains(r.playing.Note, "which one is a matter of timing") {
		r.oneWins(i, s, answers)
		return
	}
	for j, one := range s.Together {
		if r.counterChoice(one, answers[j]) || r.meanwhile(s, one) && answers[j].Error == nil {
			continue
		}
		r.check(i, one, answers[j])
	}
}

// oneWins compares conditional writes of which exactly one is applied; the others
// get its row.
func (r *clusterRun) oneWins(i int, s clusterStep, answers []*answer.Answer) {
	won := -1
	for j := range s.Together {
		a := answers[j]
		if a.Error == nil && len(a.Rows) == 1 && a.Rows[0][0].Text == "True" {
			if won >= 0 {
				r.differ(i, "%s and %s were both applied", s.Together[won].Stmt, s.Together[j].Stmt)
			}
			won = j
		}
	}
	if won < 0 {
		r.differ(i, "none was applied")
		return
	}
	value := regexp.MustCompile(`'(by \w+)'`).FindStringSubmatch(s.Together[won].Stmt)
	for j := range s.Together {
		if a := answers[j]; j != won && (a.Error != nil || len(a.Rows) != 1 || a.Rows[0][len(a.Rows[0])-1].Text != value[1]) {
			r.differ(i, "%s lost and got %v %v", s.Together[j].Stmt, a.Rows, a.Error)
		}
	}
}

// atOnce says whether the case sends statements at once.
func (r *clusterRun) atOnce() bool {
	return slices.ContainsFunc(r.playing.Steps, func(s clusterStep) bool { return s.Together != nil })
}

// counts says whether a statement reads a table of counters.
func (r *clusterRun) counts(stmt string) bool {
	for _, text := range r.playing.Schema {
		m := regexp.MustCompile(`^CREATE TABLE (\S+) \(.* counter`).FindStringSubmatch(text)
		if m != nil && strings.Contains(stmt, " "+m[1]) {
			return true
		}
	}
	return false
}

// meanwhile says whether a statement reads a whole table that others write to at
// the same time: which of their rows it sees is a matter of timing.
func (r *clusterRun) meanwhile(s clusterStep, one clusterStep) bool {
	m := regexp.MustCompile(`^SELECT \w+ FROM (\S+)$`).FindStringSubmatch(one.Stmt)
	return m != nil && one.Result.Error == nil && slices.ContainsFunc(s.Together, func(o clusterStep) bool { return strings.Contains(o.Stmt, "INSERT INTO "+m[1]) })
}

// counterChoice says whether an answer to a counter update is one of the three that
// are right while a replica is silent: its leader is drawn at random. The
// coordinator may lead itself, or another live node, or the silent one.
func (r *clusterRun) counterChoice(s clusterStep, a *answer.Answer) bool {
	if !regexp.MustCompile(`SET (\w+) = \w+ [+-]`).MatchString(s.Stmt) {
		return false
	}
	if a.Error == nil {
		return s.Result.Error == nil || s.Result.Error["write_type"] == "COUNTER"
	}
	return a.Error.WriteType == "COUNTER" && (a.Error.Consistency == s.CL || a.Error.Consistency == "ONE")
}

var noteRows = regexp.MustCompile(`^\d+ rows \('(\d+)', 1\) … \('(\d+)', 1\) inserted into (\S+)$`)

// note does what a step told in words says was done; false if it is not known how.
func (r *clusterRun) note(i int, s clusterStep) bool {
	m := noteRows.FindStringSubmatch(s.How)
	if m == nil {
		return false
	}
	var first, last int
	fmt.Sscan(m[1], &first)
	fmt.Sscan(m[2], &last)
	for k := first; k <= last; k++ {
		a := r.statement("n1", "ONE", fmt.Sprintf("INSERT INTO %s (k, c) VALUES ('%d', 1)", m[3], k))
		if a.Error != nil {
			r.differ(i, "%s: %s", m[3], a.Error.Message)
		}
	}
	return true
}
