package admin

import (
	"fmt"
	"regexp"
	"slices"
	"sort"
	"strconv"
	"strings"

	"ringlab/engine/answer"
)

func init() {
	register(&Command{Name: "for", Group: "teaching", Usage: "n=1..100 [m=00..59] STATEMENT with $n", Text: true, Run: loop,
		Help: "run a statement for each number, or each pair of numbers; those with leading zeros keep them"})
}

// mostRuns is how often :for runs a statement at most.
const mostRuns = 1_000_000

// counted is a variable of :for with the numbers that it takes, as text.
type counted struct {
	name string
	all  []string
}

var countedForm = regexp.MustCompile(`^([a-z]\w*)=(\d{1,9})\.\.(\d{1,9})\s+`)

// countedIn reads the variables in front of the statement of a :for.
func countedIn(text string) (vars []counted, statement string, err error) {
	runs := 1
	for {
		m := countedForm.FindStringSubmatch(text)
		if m == nil {
			break
		}
		from, _ := strconv.Atoi(m[2]) // digits only, and few
		to, _ := strconv.Atoi(m[3])
		step, n := 1, to-from+1
		if to < from {
			step, n = -1, from-to+1
		}
		if n > mostRuns || runs*n > mostRuns {
			return nil, "", fmt.Errorf(":for runs a statement at most %s times", num(mostRuns))
		}
		runs *= n
		v := counted{name: m[1]}
		width := 0
		if m[2][0] == '0' && len(m[2]) == len(m[3]) {
			width = len(m[2])
		}
		for i := range n {
			v.all = append(v.all, fmt.Sprintf("%0*d", width, from+i*step))
		}
		vars = append(vars, v)
		text = text[len(m[0]):]
	}
	if len(vars) == 0 || strings.TrimSpace(text) == "" {
		return nil, "", usageError(byName["for"])
	}
	return vars, strings.TrimSpace(text), nil
}

// loop runs a statement for each number; the first that fails ends it.
func loop(ctx *Context, a Args) ([]*answer.Answer, error) {
	vars, statement, err := countedIn(a.Raw)
	if err != nil {
		return nil, err
	}
	word, _, _ := strings.Cut(statement, " ")
	name, isCommand := strings.CutPrefix(word, ":")
	c := byName[name]
	if isCommand && c != nil && (c.Class != Pure || c.Name == "for") || slices.Contains([]string{"source", "copy", "capture"}, strings.ToLower(word)) {
		return nil, fmt.Errorf(":for repeats statements, and commands that change the lab alone; %s is none", word)
	}
	runs := 0
	at := make([]int, len(vars))
	for {
		runs++
		for _, one := range ctx.Do(filledIn(statement, vars, at)) {
			if one.Error != nil {
				one.Statement = ""
				return []*answer.Answer{one}, nil
			}
		}
		i := len(vars) - 1
		for i >= 0 && at[i] == len(vars[i].all)-1 {
			at[i] = 0
			i--
		}
		if i < 0 {
			return message("%s statements; virtual time is %s.", num(float64(runs)), answer.Clock(int64(ctx.Cluster.Now()))), nil
		}
		at[i]++
	}
}

// filledIn is the statement with the numbers of this run; a name that begins
// another one does not hide it.
func filledIn(statement string, vars []counted, at []int) string {
	var pairs [][2]string
	for i, v := range vars {
		pairs = append(pairs, [2]string{"$" + v.name, v.all[at[i]]})
	}
	sort.Slice(pairs, func(i, j int) bool { return len(pairs[i][0]) > len(pairs[j][0]) })
	var flat []string
	for _, p := range pairs {
		flat = append(flat, p[0], p[1])
	}
	return strings.NewReplacer(flat...).Replace(statement)
}
