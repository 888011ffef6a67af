package nodetool

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/google/uuid"

	"ringlab/engine/cluster"
	"ringlab/engine/sim"
	"ringlab/model/schema"
	"ringlab/model/types"
	"ringlab/ring"
)

func repairVerb() *Verb {
	return &Verb{Name: "repair", Usage: "[<keyspace> <tables>...]", Help: "Repair one or more tables", most: list, run: repair, options: []option{
		{names: "-seq --sequential"}, {names: "-dcpar --dc-parallel"}, {names: "-local --in-local-dc"}, {names: "-dc --in-dc", title: "specific_dc", many: true},
		{names: "-hosts --in-hosts", title: "specific_host", many: true}, {names: "-st --start-token", title: "start_token"}, {names: "-et --end-token", title: "end_token"},
		{names: "-pr --partitioner-range"}, {names: "-full --full"}, {names: "-force --force"}, {names: "-prv --preview"}, {names: "-vd --validate"},
		{names: "-j --job-threads", title: "job_threads", number: true}, {names: "-tr --trace"}, {names: "-pl --pull"}, {names: "-os --optimise-streams"},
		{names: "-skip-paxos --skip-paxos"}, {names: "-paxos-only --paxos-only"}, {names: "-iuk --ignore-unreplicated-keyspaces"}}}
}

// beyondRepair are the options that a lab's repair does not have, with the way around.
var beyondRepair = []struct{ option, name, instead string }{
	{"-tr", "--trace", "the events of a repair tell of each step"},
	{"-paxos-only", "--paxos-only", "a read at SERIAL finishes what was left undecided of a partition"},
}

// repairing is a repair as it was asked for.
type repairing struct {
	*call
	full, primary bool
	preview       cluster.Preview
	centers       []string // that take part, all if there are none
	hosts         []string // likewise, as they were named
	within        *ring.Range
	parallelism   string
	threads       string
}

// repair does one keyspace after the other.
// Source: Cassandra 5.0 Repair, RepairRunner, RepairCoordinator, StorageService.repair.
func repair(k *call) error {
	if k.has("-pr") && (k.has("-dc") || k.has("-hosts")) {
		return failed("Primary range repair should be performed on all nodes in the cluster.")
	}
	for _, o := range beyondRepair {
		if k.has(o.option) && !(o.option == "-paxos-only" && (k.has("-prv") || k.has("-vd"))) { // a preview takes it for false
			return beyond("repair with "+o.name, o.instead)
		}
	}
	keyspaces := k.Schema.Names()
	var names []string
	if len(k.args) > 0 {
		ks := k.args[0]
		if schema.System(ks) && !schema.Virtual(ks) {
			return beyond("repair of "+ks, "nodes of a lab keep none of it; take a keyspace of your own")
		}
		if k.Schema.Keyspace(ks) == nil {
			return misused("Keyspace [%s] does not exist.", ks)
		}
		keyspaces = []string{ks}
		for _, n := range k.args[1:] {
			if !slices.Contains(names, n) {
				names = append(names, n)
			}
		}
		types.SortAsJava(names, 16)
	}
	r := &repairing{call: k, full: k.has("-full"), primary: k.has("-pr"), parallelism: "parallel", threads: "1"}
	switch {
	case k.has("-seq"):
		r.parallelism = "sequential"
	case k.has("-dcpar"):
		r.parallelism = "dc_parallel"
	}
	switch {
	case k.has("-vd"):
		r.preview = cluster.PreviewRepaired
	case k.has("-prv") && r.full:
		r.preview = cluster.PreviewAll
	case k.has("-prv"):
		r.preview = cluster.PreviewUnrepaired
	}
	if k.has("-local") {
		r.centers = []string{k.node.DC}
	} else if k.has("-dc") {
		r.centers = strings.Split(k.options["-dc"], "\n")
		types.SortAsJava(r.centers, 16)
		r.centers = slices.Compact(r.centers)
	}
	if k.has("-hosts") {
		r.hosts = strings.Split(k.options["-hosts"], "\n")
		types.SortAsJava(r.hosts, 16)
		r.hosts = slices.Compact(r.hosts)
	}
	if (r.centers != nil || r.hosts != nil) && !r.full && r.preview == cluster.NoPreview {
		return beyond("incremental repair of some replicas", "`-full` compares all that they hold")
	}
	for _, ks := range keyspaces {
		if k.Strategy(ks).RF() < 2 {
			k.say(k.Now(), "Replication factor is 1. No repair is needed for keyspace '%s'", ks)
			continue
		}
		if err := r.keyspace(ks, names); err != nil {
			return err
		}
	}
	return nil
}

// say prints a line with the hour of a moment that is not to come.
func (k *call) say(at sim.Time, format string, args ...any) {
	k.printf("[%s] ", k.moment(at))
	k.line(fmt.Sprintf(format, args...))
}

// check reads the options that are wrong for one keyspace only when its repair begins.
// Source: Cassandra 5.0 RepairOption.parse.
func (r *repairing) check() error {
	if r.has("-st") || r.has("-et") {
		left, err := r.token("-st")
		if err != nil {
			return err
		}
		right, err := r.token("-et")
		if err != nil {
			return err
		}
		r.within = &ring.Range{Left: left, Right: right}
	}
	if n, ok := r.options["-j"]; ok {
		r.threads = n
		switch {
		case strings.HasPrefix(n, "-") || strings.Trim(n, "0+") == "":
			return beyond("repair with "+n+" job threads", "take one to four")
		case strings.TrimLeft(n, "0+") > "4" || len(strings.TrimLeft(n, "0+")) > 1:
			return failed("Too many job threads. Max is 4")
		}
	}
	if r.has("-pl") && len(r.hosts) != 2 {
		return failed("Pull repair can only be performed between two hosts. Please specify two hosts, one of which must be this host.")
	}
	if r.has("-pl") && r.within == nil {
		return failed("Token ranges must be specified when performing pull repair. Please specify at least one token range which both hosts have in common.")
	}
	return nil
}

func (r *repairing) token(option string) (ring.Token, error) {
	text := r.options[option]
	t, err := r.Partitioner().Parse(text)
	if err != nil && r.Partitioner().Name() == "Murmur3Partitioner" {
		return t, failed("Invalid token for Murmur3Partitioner. Got %s but expected a long value (unsigned 8 bytes integer).", text)
	} else if err != nil {
		return t, failed("%s", err)
	}
	return t, nil
}

// ranges are what is to be repaired of a keyspace: what the node holds, of that what it
// is the first replica of (of those that take part, in its data center), or one range.
func (r *repairing) ranges(ks string) []cluster.RepairRange {
	held := r.RepairRanges(ks, r.Covers(r.node.Index, ks))
	if r.centers != nil {
		for i := range held {
			held[i].Replicas = slices.DeleteFunc(slices.Clone(held[i].Replicas), func(n int) bool { return !slices.Contains(r.centers, r.Nodes[n].DC) })
		}
	}
	if r.hosts != nil {
		for i := range held {
			held[i].Replicas = slices.DeleteFunc(slices.Clone(held[i].Replicas), func(n int) bool { return !r.named(n) })
		}
	}
	if r.within == nil && r.primary {
		held = slices.DeleteFunc(held, func(s cluster.RepairRange) bool { return s.Replicas[0] != r.node.Index })
	}
	return held
}

// keyspace repairs one.
func (r *repairing) keyspace(ks string, names []string) error {
	if err := r.check(); err != nil {
		return err
	}
	if r.centers != nil && !slices.Contains(r.centers, r.node.DC) {
		r.NextRepair(r.node.Index)
		return failed("the local data center must be part of the repair; requested [%s] but DC is %s", strings.Join(r.centers, ", "), r.node.DC)
	}
	shares := r.ranges(ks)
	count := len(shares)
	if r.within != nil {
		count = 1
	} else if count == 0 {
		return nil
	}
	number := r.node.Repairs() + 1
	id := func(n int) uuid.UUID {
		return uuid.UUID(types.NewTimeUUID(types.TicksOfMillis(0)+uint64(r.Unix())*10, uint64(r.node.Index)<<32|uint64(number)<<16|uint64(n)))
	}
	fail := func(why string) error {
		r.say(r.Now(), "Repair command #%d failed with error %s", number, why)
		r.say(r.Now(), "Repair command #%d finished with error", number)
		return &Error{Text: r.out.String() + "error: " + (&cluster.RepairError{Number: number, Why: why}).Error()}
	}
	var tables []*schema.Table
	for _, name := range names {
		t := r.Schema.Table(ks, name)
		if t == nil {
			r.NextRepair(r.node.Index)
			return fail(fmt.Sprintf("Unknown keyspace/cf pair (%s.%s)", ks, name))
		}
		tables = append(tables, t)
	}
	if names == nil {
		for _, name := range r.Schema.Keyspace(ks).TableNames() {
			tables = append(tables, r.Schema.Table(ks, name))
		}
	}
	start := r.Now()
	r.say(start, "Starting repair command #%d (%s), repairing keyspace %s with repair options (parallelism: %s, primary range: %t, incremental: %t, job threads: %s, "+
		"ColumnFamilies: [%s], dataCenters: [%s], hosts: [%s], previewKind: %s, # of ranges: %d, pull repair: %t, force repair: %t, optimise streams: %t, "+
		"ignore unreplicated keyspaces: %t, repairPaxos: %t, paxosOnly: false)", number, id(0), ks, r.parallelism, r.primary, !r.full, r.threads,
		strings.Join(names, ", "), strings.Join(r.centers, ", "), strings.Join(r.hosts, ", "), r.preview, count, r.has("-pl"), r.has("-force"),
		r.has("-os"), r.has("-iuk"), !r.has("-skip-paxos") && r.preview == cluster.NoPreview)
	if r.within != nil {
		one, wrong := r.one(ks, shares)
		if wrong != "" {
			r.NextRepair(r.node.Index)
			return fail(wrong)
		}
		if shares = one; len(shares) == 0 {
			return beyond("repair of a range that the node holds nothing of", "`nodetool describering` tells who does")
		}
	}
	wrong := r.alone(ks, shares)
	if at := slices.IndexFunc(shares, func(s cluster.RepairRange) bool { return len(s.Replicas) < 2 }); wrong == "" && at >= 0 && !r.has("-iuk") {
		wrong = fmt.Sprintf("Nothing to repair for %s in %s - aborting", r.RangeText(shares[at].Range), ks)
	}
	if wrong != "" {
		r.NextRepair(r.node.Index)
		return fail(wrong)
	}
	if r.has("-os") && slices.ContainsFunc(shares, func(s cluster.RepairRange) bool { return len(s.Replicas) > 2 }) {
		return beyond("repair with --optimise-streams of more than two replicas", "without it every two replicas that differ send each other what they hold")
	}
	done, err := r.RepairOf(r.node.Index, ks, tables, shares, cluster.RepairOptions{Full: r.full, Preview: r.preview, Pull: r.has("-pl"), Force: r.has("-force")})
	for err == nil && !done.Finished() {
		next, ok := r.NextAt()
		if !ok {
			break
		}
		r.Advance(next)
	}
	if err == nil {
		err = done.Err
		for i, s := range done.Sessions() {
			var text []string
			for _, one := range s.Ranges {
				text = append(text, r.RangeText(one))
			}
			r.say(s.End, "Repair session %s for range [%s] finished (progress: 57%%)", id(i+1), strings.Join(text, ", "))
		}
	}
	var why *cluster.RepairError
	if errors.As(err, &why) {
		return fail(why.Why)
	}
	success := "Repair completed successfully"
	if r.preview != cluster.NoPreview {
		if len(done.Foreseen) > 0 {
			return beyond("the estimate of files and bytes of a preview whose replicas differ", "`:repair "+r.node.Name+" "+ks+" preview` names the ranges that differ")
		}
		what := "Previewed data was in sync"
		if r.preview == cluster.PreviewRepaired {
			what = "Repaired data is in sync"
		}
		r.say(done.End, "%s", what)
		success = "Repair preview completed successfully; " + what
	}
	r.say(done.End, "%s", success)
	r.say(done.End, "Repair command #%d finished in %s", number, duration(int64((done.End-start)/sim.Millisecond)))
	r.say(done.End, "condition satisfied queried for parent session status and discovered repair completed.")
	r.say(done.End, "%s", success)
	return nil
}

// named says whether a node is among the hosts that were given.
func (r *repairing) named(node int) bool {
	n := r.Nodes[node]
	return slices.ContainsFunc(r.hosts, func(h string) bool { h = strings.TrimSpace(h); return h == n.Address || h == n.Name })
}

// alone says what is wrong with the hosts that were given: the node must be one of them,
// and share each range with another one.
// Source: Cassandra 5.0 ActiveRepairService.getNeighbors.
func (r *repairing) alone(ks string, shares []cluster.RepairRange) string {
	if r.hosts == nil {
		return ""
	}
	for _, h := range r.hosts {
		h = strings.TrimSpace(h)
		if !slices.ContainsFunc(r.Members(), func(n *cluster.Node) bool { return n.Name == h }) && strings.Trim(h, "0123456789.") != "" {
			return "Unknown host specified " + h
		}
	}
	if !r.named(r.node.Index) {
		return "The current host must be part of the repair"
	}
	for _, s := range shares {
		if len(s.Replicas) > 1 {
			continue
		}
		var others []string
		for _, all := range r.RepairRanges(ks, r.Covers(r.node.Index, ks)) {
			if !all.Range.ContainsRange(s.Range) {
				continue
			}
			for _, n := range all.Replicas {
				if n != r.node.Index {
					others = append(others, fmt.Sprintf("Full(/%s:7000,%s)", r.Nodes[n].Address, r.RangeText(all.Range)))
				}
			}
		}
		return fmt.Sprintf("Specified hosts [%s] do not share range %s needed for repair. Either restrict repair ranges with -st/-et options, or specify one of the "+
			"neighbors that share this range with this node: [%s].", strings.Join(r.hosts, ", "), r.RangeText(s.Range), strings.Join(others, ", "))
	}
	return ""
}

// one is the range between the tokens that were given, with the replicas of the range
// that contains it.
// Source: Cassandra 5.0 ActiveRepairService.getNeighbors.
func (r *repairing) one(ks string, held []cluster.RepairRange) (out []cluster.RepairRange, wrong string) {
	for _, h := range held {
		if h.Range.ContainsRange(*r.within) {
			return []cluster.RepairRange{{Range: *r.within, Replicas: h.Replicas}}, ""
		}
		if len(h.Range.Intersection(*r.within)) > 0 {
			return nil, fmt.Sprintf("Requested range %s intersects a local range (%s) but is not fully contained in one; this would lead to imprecise repair. keyspace: %s",
				r.RangeText(*r.within), r.RangeText(h.Range), ks)
		}
	}
	return nil, ""
}
