package admin

import (
	"fmt"
	"strconv"
	"strings"

	"ringlab/engine/answer"
	"ringlab/engine/sim"
)

func init() {
	register(
		&Command{Name: "undo", Group: "workspace", Class: Travel, Help: "take the last command back, with everything that it changed", Run: noJournal},
		&Command{Name: "redo", Group: "workspace", Class: Travel, Help: "do what was undone again; possible until another command is given", Run: noJournal},
		&Command{Name: "rewind", Group: "workspace", Class: Travel, Usage: "N | TIME", Run: noJournal,
			Help: "go to where the lab was behind N commands, or at the last point between two commands by a time: +00:01:30 or 90s; forward again as well"},
		&Command{Name: "fork", Group: "workspace", Class: Travel, Usage: "NAME", Help: "begin a branch here and go on there", Run: noJournal},
		&Command{Name: "branch", Group: "workspace", Class: Travel, Usage: "NAME", Help: "go to another branch, to where it was left", Run: noJournal},
		&Command{Name: "branches", Group: "workspace", Class: Travel, Help: "the branches: where each began, its commands, its clock", Run: noJournal},
		&Command{Name: "diff", Group: "workspace", Class: Travel, Usage: "BRANCH", Run: noJournal,
			Help: "what this branch and another one answered otherwise since they parted, and the rows that a node holds on one only"},
		&Command{Name: "replay", Group: "workspace", Class: Travel, Usage: "with [cl=QUORUM] [serial=LOCAL_SERIAL] [skew=0] [as=NAME] [without COMMAND…]", Run: noJournal,
			Words: []string{"with", "cl=", "serial=", "skew=0", "as=", "without"},
			Help:  "run this branch's commands again on a new branch at another level, with every clock right, or without some commands, and show what is answered otherwise"},
		&Command{Name: "open", Group: "workspace", Class: Travel, Usage: "FILE.lab [as=NAME]", Help: "run a script in an empty lab, on a branch of its own; `:branch` leads back", Run: noJournal},
	)
}

// noJournal refuses what only the keeper of a journal can do.
func noJournal(*Context, Args) ([]*answer.Answer, error) {
	return nil, fmt.Errorf("this lab keeps no journal, so it cannot go back in it; `ringlab run` and the workbench keep one")
}

// Journey is a command of class Travel.
type Journey struct {
	Verb    string   // the command's name
	Name    string   // of the branch that it names, "" for none
	Count   int      // of commands, of a rewind; -1 with a time
	Micros  sim.Time // of a rewind to a time
	Changes Changes  // of a replay
	File    string   // of an open
}

// ParseJourney reads a command of class Travel; it is nil for all others.
func ParseJourney(line string) (*Journey, error) {
	text, ok := strings.CutPrefix(strings.TrimSpace(line), ":")
	name, rest, _ := strings.Cut(strings.TrimSpace(text), " ")
	c := byName[name]
	if !ok || c == nil || c.Class != Travel {
		return nil, nil
	}
	j := &Journey{Verb: name, Count: -1}
	args, err := parseArgs(rest)
	if err != nil {
		return j, err
	}
	words := len(args.Words)
	if len(args.Named) > 0 && name != "replay" && name != "open" {
		return j, usageError(c)
	}
	switch name {
	case "undo", "redo", "branches":
		if words > 0 {
			return j, usageError(c)
		}
		return j, nil
	case "rewind":
		if words != 1 {
			return j, usageError(c)
		}
		return j, j.point(args.Words[0])
	case "replay":
		return j, j.replay(c, rest)
	case "open":
		if words != 1 || len(args.Named) > 1 || len(args.Named) == 1 && args.Named["as"] == "" {
			return j, usageError(c)
		}
		if j.File, j.Name = args.Words[0], args.Named["as"]; j.Name == "" {
			return j, nil
		}
	default: // fork, branch, diff
		if words != 1 {
			return j, usageError(c)
		}
		j.Name = args.Words[0]
	}
	return j, branchName(j.Name)
}

// point reads where a rewind goes to.
func (j *Journey) point(word string) (err error) {
	if n, err := strconv.Atoi(word); err == nil && n >= 0 && word[0] != '+' {
		j.Count = n
		return nil
	}
	if strings.Contains(word, ":") {
		j.Micros, err = parseClock(word)
		return err
	}
	if j.Micros, err = parseTime(strings.TrimPrefix(word, "+")); err != nil {
		return fmt.Errorf("%q is neither a number of commands nor a time such as +00:01:30.500 or 90s, counted from the beginning", word)
	}
	return nil
}

// parseClock reads a virtual time as the lab shows it: +00:02:14.380, or
// +1095d01:30:10 with days.
func parseClock(text string) (sim.Time, error) {
	bad := fmt.Errorf("%q is not a time of the lab, which is written +00:02:14.380, or +3d01:30:10 with days", text)
	rest := strings.TrimPrefix(text, "+")
	total := sim.Time(0)
	if days, clock, ok := strings.Cut(rest, "d"); ok {
		n, err := strconv.Atoi(days)
		if err != nil || n < 0 || n > int(endOfTime/sim.Day) {
			return 0, bad
		}
		total, rest = sim.Time(n)*sim.Day, clock
	}
	parts := strings.Split(rest, ":")
	if len(parts) != 3 {
		return 0, bad
	}
	for i, unit := range []sim.Time{sim.Hour, sim.Minute} {
		n, err := strconv.Atoi(parts[i])
		if err != nil || n < 0 || n > 99 {
			return 0, bad
		}
		total += sim.Time(n) * unit
	}
	seconds, err := strconv.ParseFloat(parts[2], 64)
	if err != nil || !(seconds >= 0 && seconds < 60) {
		return 0, bad
	}
	return total + sim.Time(seconds*float64(sim.Second)+0.5), nil
}

// branchName checks the name of a branch.
func branchName(name string) error {
	for i := range len(name) {
		if c := name[i]; !(c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || i > 0 && (c == '-' || c == '_' || c == '.')) {
			return fmt.Errorf("%q cannot be the name of a branch: letters, digits, and behind the first of them - _ . can", name)
		}
	}
	if name == "" || len(name) > 40 {
		return fmt.Errorf("the name of a branch has 1 to 40 letters, not %d", len(name))
	}
	return nil
}
