package admin

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"ringlab/engine/sim"
	"ringlab/engine/stress"
	"ringlab/model/plan"
)

// stressArgs are the words of :stress.
type stressArgs struct {
	profile  string // a file's name, or the profile itself from { to }
	inline   bool
	table    string // in the place of a profile: the one that an export of this table makes
	n        int64
	ops      []stress.OpRatio
	cl       *plan.Consistency // nil for the client's
	rate     int64             // operations a second of virtual time, 0 for no limit
	threads  int
	seq      *[2]int64
	dist     *stress.Spec
	readable bool  // texts are of letters and digits
	ignore   bool  // errors do not end the load
	stop     int64 // statements and batches after which it ends, -1 for none
}

const (
	stressUsage = "PROFILE.yaml | table=ks.table n=COUNT ops(insert=3,read1=1) [cl=LEVEL] [rate=5000/s] [threads=50] [seq=1..N | dist=DISTRIBUTION] [errors=ignore] [texts=readable] [stop=COUNT] | export ks.table [FILE]"

	defaultThreads = 50
	mostThreads    = 4096
)

// stressWords are what completion offers behind :stress.
var stressWords = []string{"table=", "n=", "ops(insert=1)", "cl=", "rate=", "threads=", "seq=", "dist=", "errors=ignore", "texts=readable", "stop=", "export"}

// parseStress reads the words of cassandra-stress: those of a command line
// `cassandra-stress user profile=… -pop … -rate …` may stand as they are.
// Source: Cassandra 5.0 SettingsCommandUser, SettingsPopulation, SettingsRate.
func parseStress(raw string) (*stressArgs, error) {
	a := &stressArgs{threads: defaultThreads, ops: []stress.OpRatio{{Name: "insert", Ratio: 1}}, stop: -1}
	words, err := stressSplit(raw)
	if err != nil {
		return nil, err
	}
	for _, w := range words {
		if err := a.word(w); err != nil {
			return nil, err
		}
	}
	switch {
	case a.profile != "" && a.table != "":
		return nil, fmt.Errorf("table= stands in the place of a profile; leave %s out", stressName(a))
	case a.profile == "" && a.table == "":
		return nil, fmt.Errorf(":stress is written `:stress %s`", stressUsage)
	case a.n == 0:
		return nil, fmt.Errorf("say how many operations: n=100000, or n=1M")
	case a.seq != nil && a.dist != nil:
		return nil, fmt.Errorf("seq= and dist= both say where the seeds of partitions come from; keep one of them")
	}
	return a, nil
}

// stressName is what a load's profile is called in complaints.
func stressName(a *stressArgs) string {
	switch {
	case a.inline:
		return "the profile"
	case a.table != "" && a.profile == "":
		return "the profile of " + a.table
	}
	return a.profile
}

func (a *stressArgs) word(w string) (err error) {
	if a.profile == "" && strings.HasPrefix(w, "{") {
		a.profile, a.inline = w, true
		return nil
	}
	if rest, ok := strings.CutPrefix(strings.ReplaceAll(w, `\`, ""), "ops("); ok {
		a.ops, err = parseOps(rest)
		return err
	}
	key, value, named := strings.Cut(w, "=")
	switch {
	case w == "user" || w == "no-warmup" || w == "-pop" || w == "-rate" || w == "-errors":
		return nil // words of a cassandra-stress command line that change nothing here
	case named && isKey(key):
		return a.option(key, value)
	case w == "ignore":
		a.ignore = true
		return nil
	case strings.HasPrefix(w, "-"):
		return fmt.Errorf(":stress has no %s: the lab is the cluster; what follows it stands in the profile or behind n=, ops(…), cl=, rate=, threads=, seq=, dist=", w)
	case a.profile == "" && a.table == "":
		a.profile = w
		return nil
	}
	return fmt.Errorf(":stress does not know %q; it is written `:stress %s`", w, stressUsage)
}

func (a *stressArgs) option(key, value string) (err error) {
	switch key {
	case "table":
		a.table = value
	case "profile":
		a.profile, a.inline = value, strings.HasPrefix(value, "{")
	case "n":
		a.n, err = stressCount(value, "n", 1)
	case "stop":
		a.stop, err = stressCount(value, "stop", 0)
	case "cl":
		cl, ok := plan.ParseConsistency(value)
		if !ok {
			return fmt.Errorf("there is no consistency level %s; cl is ONE, QUORUM, LOCAL_QUORUM, ALL or another one of Cassandra", value)
		}
		a.cl = &cl
	case "rate", "throttle":
		number, _ := strings.CutSuffix(value, "/s")
		a.rate, err = stressCount(number, key, 1)
	case "fixed":
		err = fmt.Errorf("fixed=%s is not supported, since latencies are counted from when a statement is sent: rate=%s sends as many", value, value)
	case "threads":
		var n int64
		n, err = stressCount(strings.TrimPrefix(value, ">="), "threads", 1)
		if a.threads = int(n); err == nil && n > mostThreads {
			err = fmt.Errorf("threads=%d: at most %d statements can be on their way at once", n, mostThreads)
		}
	case "seq":
		low, high, ok := strings.Cut(value, "..")
		var from, to int64
		if from, err = stressCount(low, "seq", 0); err == nil {
			to, err = stressCount(strings.TrimLeft(high, "."), "seq", 0)
		}
		if !ok || err != nil || from > to {
			return fmt.Errorf("seq takes a range of seeds, as in seq=1..1M; %q is none", value)
		}
		a.seq = &[2]int64{from, to}
	case "dist":
		s, e := stress.ParseSpec(value)
		if e != nil {
			return fmt.Errorf("dist: %w", e)
		}
		a.dist = &s
	case "texts":
		if a.readable = value == "readable"; !a.readable {
			err = fmt.Errorf("texts=%s: it can only be readable; without it texts are those of cassandra-stress, of all 7-bit characters", value)
		}
	case "errors":
		if a.ignore = value == "ignore"; !a.ignore {
			err = fmt.Errorf("errors=%s: it can only be ignore; without it the load ends at the first error that ten tries do not get over", value)
		}
	default:
		err = fmt.Errorf(":stress has no option %s=; it has table, n, ops(…), cl, rate, threads, seq, dist, errors and stop", key)
	}
	return err
}

// stressCount is a whole number that may end in k, m or b.
func stressCount(text, what string, least int64) (int64, error) {
	s, err := stress.ParseSpec("FIXED(" + text + ")")
	if err != nil || s.Min < least || s.Min > 1e15 || strings.ContainsAny(text, "(),") {
		return 0, fmt.Errorf("%s takes a whole number from %d on, which may end in k, m or b, not %q", what, least, text)
	}
	return s.Min, nil
}

// parseOps reads NAME=RATIO,…).
func parseOps(text string) ([]stress.OpRatio, error) {
	list, ok := strings.CutSuffix(strings.TrimSpace(text), ")")
	if !ok || strings.TrimSpace(list) == "" {
		return nil, fmt.Errorf("ops is written ops(insert=3,read1=1): names of operations, and how often each runs beside the others")
	}
	var out []stress.OpRatio
	for _, part := range strings.Split(list, ",") {
		name, ratio, _ := strings.Cut(strings.TrimSpace(part), "=")
		name = strings.ToLower(strings.TrimSpace(name))
		r, err := strconv.ParseFloat(strings.TrimSpace(ratio), 64)
		if err != nil || !(r > 0 && r < 1e9) || name == "" {
			return nil, fmt.Errorf("ops: %q is no operation and its ratio above 0, as in insert=3", strings.TrimSpace(part))
		}
		if slices.ContainsFunc(out, func(o stress.OpRatio) bool { return o.Name == name }) {
			return nil, fmt.Errorf("ops names %s twice", name)
		}
		out = append(out, stress.OpRatio{Name: name, Ratio: r})
	}
	return out, nil
}

// stressSplit splits at blanks outside of quotes and brackets.
func stressSplit(raw string) ([]string, error) {
	var out []string
	var cur strings.Builder
	depth, in := 0, byte(0)
	end := func() {
		if cur.Len() > 0 {
			out = append(out, cur.String())
			cur.Reset()
		}
	}
	for i := 0; i < len(raw); i++ {
		c := raw[i]
		json := strings.HasPrefix(strings.TrimPrefix(cur.String(), "profile="), "{")
		switch {
		case in != 0:
			if json && c == '\\' && i+1 < len(raw) {
				cur.WriteByte(c)
				i++
				cur.WriteByte(raw[i])
				continue
			}
			if c == in {
				in = 0
				if !json {
					continue
				}
			}
		case c == '"' || c == '\'' && !json:
			if in = c; !json {
				continue
			}
		case c == '(' || c == '{' || c == '[':
			depth++
		case c == ')' || c == '}' || c == ']':
			depth--
		case (c == ' ' || c == '\t') && depth <= 0:
			end()
			continue
		}
		cur.WriteByte(c)
	}
	switch {
	case in != 0:
		return nil, fmt.Errorf("a quote %c is not closed", in)
	case depth > 0:
		return nil, fmt.Errorf("a bracket is not closed")
	}
	end()
	return out, nil
}

// StressLimited is a :stress that was cancelled as one that ends there by
// itself.
func StressLimited(text string, done int) string {
	return strings.TrimSpace(text) + " stop=" + strconv.Itoa(done)
}

// StressText is a :stress of a file as one that carries its profile itself, so
// that a script of it needs nothing else. A profile that is none stays outside.
func StressText(text string, files []File) string {
	if len(files) != 1 {
		return text
	}
	p, err := stress.ParseProfile(files[0].Text)
	if err != nil {
		return text
	}
	words, err := stressSplit(strings.TrimPrefix(strings.TrimSpace(text), ":stress"))
	if err != nil {
		return text
	}
	a := &stressArgs{}
	for i, w := range words {
		if _ = a.word(w); a.profile != "" {
			words[i] = p.JSON()
			break
		}
	}
	return ":stress " + strings.Join(words, " ")
}

// paced is when the operation with that number may begin.
func (a *stressArgs) paced(began sim.Time, number int64) sim.Time {
	if a.rate == 0 {
		return began
	}
	return began + sim.Time(float64(number)/float64(a.rate)*float64(sim.Second))
}
