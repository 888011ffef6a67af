package nodetool

import (
	"slices"
	"strings"

	"ringlab/engine/session"
	"ringlab/engine/sim"
)

const releaseVersion = session.ReleaseVersion

// Verb is one command of nodetool.
type Verb struct {
	Name, Usage string
	Help        string // in nodetool's words
	options     []option
	most        int    // arguments: 0 for none, 1 for one, of which the last counts, 2 for a list
	required    string // what is missing if there are none, "" if none is right
	run         func(*call) error
}

const list = 2

var (
	format = option{names: "-F --format", title: "format"}
	human  = option{names: "-H --human-readable"}
	names  = option{names: "-r --resolve-ip"}
)

// verbs are the commands that a lab can do.
// Source: Cassandra 5.0 org.apache.cassandra.tools.nodetool.
var verbs []*Verb

func init() {
	verbs = []*Verb{
		{Name: "compact", Usage: "[<keyspace> <tables>...] or <SSTable file>...", most: list, run: compact,
			Help: "Force a (major) compaction on one or more tables or user-defined compaction on given SSTables",
			options: []option{{names: "-s --split-output"}, {names: "--user-defined"}, {names: "-st --start-token", title: "start_token"},
				{names: "-et --end-token", title: "end_token"}, {names: "--partition", title: "partition_key"}}},
		{Name: "compactionhistory", Help: "Print history of compaction", options: []option{format}, run: compactionHistory},
		{Name: "compactionstats", Help: "Print statistics on compactions", options: []option{human, {names: "-V --vtable"}}, run: compactionStats},
		{Name: "describecluster", Help: "Print the name, snitch, partitioner and schema version of a cluster", run: describeCluster},
		{Name: "describering", Usage: "<keyspace>", Help: "Shows the token ranges info of a given keyspace", most: 1, required: "keyspace", run: describeRing},
		{Name: "disablehandoff", Help: "Disable storing hinted handoffs", run: handoff(false)},
		{Name: "enablehandoff", Help: "Reenable future hints storing on the current node", run: handoff(true)},
		{Name: "failuredetector", Help: "Shows the failure detector information for the cluster", run: failureDetector},
		{Name: "flush", Usage: "[<keyspace> <tables>...]", Help: "Flush one or more tables", most: list, run: flush},
		{Name: "getcompactionthroughput", Help: "Print the MiB/s throughput cap for compaction in the system as a rounded number",
			options: []option{{names: "-d --precise-mib"}}, run: getCompactionThroughput},
		{Name: "getconcurrentcompactors", Help: "Get the number of concurrent compactors in the system.", run: func(k *call) error {
			k.printf("Current concurrent compactors in the system is: \n%d\n", k.Set.ConcurrentCompactors)
			return nil
		}},
		{Name: "getmaxhintwindow", Help: "Print the max hint window in ms", run: func(k *call) error {
			k.printf("Current max hint window: %d ms\n", k.Set.HintWindow/sim.Millisecond)
			return nil
		}},
		{Name: "getendpoints", Usage: "<keyspace> <table> <key>", Help: "Print the end points that owns the key", most: list, run: getEndpoints},
		{Name: "getsstables", Usage: "<keyspace> <cfname> <key>", Help: "Print the sstable filenames that own the key", most: list, run: getSSTables,
			options: []option{{names: "-hf --hex-format"}, {names: "-l --show-levels"}}},
		{Name: "gettimeout", Usage: "<timeout_type>", Help: "Print the timeout of the given type in ms", most: list, run: getTimeout},
		{Name: "gossipinfo", Help: "Shows the gossip information for the cluster", options: []option{names}, run: gossipInfo},
		{Name: "info", Help: "Print node information (uptime, load, ...)", options: []option{{names: "-T --tokens"}}, run: info},
		{Name: "netstats", Help: "Print network information on provided host (connecting node by default)", options: []option{human}, run: netStats},
		{Name: "proxyhistograms", Help: "Print statistic histograms for network operations", run: proxyHistograms},
		{Name: "rebuild_index", Usage: "<keyspace> <cfname> <indexName...>", Help: "A full rebuild of native secondary indexes for a given table",
			most: list, run: rebuildIndex},
		repairVerb(),
		{Name: "ring", Usage: "[<keyspace>]", Help: "Print information about the token ring", most: 1, options: []option{names}, run: ringTokens},
		{Name: "setcompactionthroughput", Usage: "<value_in_mb>", Help: "Set the MiB/s throughput cap for compaction in the system, or 0 to disable throttling",
			most: 1, required: "compaction_throughput", run: setCompactionThroughput},
		{Name: "settimeout", Usage: "<timeout_type> <timeout_in_ms>", Help: "Set the specified timeout in ms, or 0 to disable timeout", most: list, required: "args", run: setTimeout},
		{Name: "status", Usage: "[<keyspace>]", Help: "Print cluster information (state, load, IDs, ...)", most: 1, options: []option{names}, run: status},
		{Name: "statushandoff", Help: "Status of storing future hints on the current node", run: statusHandoff},
		{Name: "tablehistograms", Usage: "[<keyspace> <table> | <keyspace.table>]", Help: "Print statistic histograms for a given table", most: list, run: tableHistograms},
		{Name: "tablestats", Usage: "[<keyspace.table>...]", Help: "Print statistics on tables", most: list, run: tableStats,
			options: []option{{names: "-i"}, human, format, {names: "-s --sort", title: "sort_key"}, {names: "-t --top", title: "top", number: true}, {names: "-l --sstable-location-check"}}},
		{Name: "tpstats", Help: "Print usage statistics of thread pools", options: []option{format}, run: tpStats},
		{Name: "version", Help: "Print cassandra version", run: version},
	}
	verbs = append(verbs, memberVerbs()...)
	verbs = append(verbs, diskVerbs()...)
	verbs = append(verbs, handoffVerbs()...)
	verbs = append(verbs, rewriteVerbs()...)
	slices.SortFunc(verbs, func(a, b *Verb) int { return strings.Compare(a.Name, b.Name) })
}

// Verbs are the commands that a lab can do, by name.
func Verbs() []*Verb { return verbs }

func find(name string) *Verb {
	for _, v := range verbs {
		if v.Name == name {
			return v
		}
	}
	return nil
}

// others are nodetool's commands that a lab does not do, with the way around.
var others = func() map[string]string {
	out := map[string]string{}
	add := func(instead string, names string) {
		for _, n := range strings.Fields(names) {
			out[n] = instead
		}
	}
	add("", "bootstrap snapshot")
	add("`:help consistency` lists what brings replicas together", "repair_admin")
	add("`:save` keeps the lab as a script", "clearsnapshot import listsnapshots refresh getsnapshotthrottle setsnapshotthrottle")
	add("`:down` and `:up` stop and start a node", "disablebinary disablegossip drain enablebinary enablegossip stopdaemon")
	add("`:set autocompaction` switches it, and a table's compaction has the option enabled", "disableautocompaction enableautocompaction statusautocompaction")
	add("`:set max_hint_window` shows and changes it", "setmaxhintwindow")
	add("`:set hinted_handoff_throttle` shows and changes it", "sethintedhandoffthrottlekb")
	add("`:set concurrent_compactors` shows and changes it", "setconcurrentcompactors")
	add("ALTER TABLE … WITH compaction changes min_threshold and max_threshold", "getcompactionthreshold setcompactionthreshold")
	add("`nodetool compact` compacts all of a table", "forcecompact stop")
	add("CREATE MATERIALIZED VIEW is done when it answers", "viewbuildstatus getconcurrentviewbuilders setconcurrentviewbuilders")
	add("`nodetool getsstables` and `:sstables` name the files", "datapaths")
	add("`:partition` shows the size of one partition on each replica, `:tablehistograms` the percentiles of all", "profileload rangekeysample toppartitions")
	add("TRACING ON traces every statement of a client", "gettraceprobability settraceprobability")
	add("every change of the schema reaches the nodes by itself", "reloadlocalschema resetlocalschema reloadtriggers")
	add("batches that nobody finished are replayed by themselves", "getbatchlogreplaythrottle replaybatchlog setbatchlogreplaythrottle")
	add("a lab has no users and no permissions", `cidrfilteringstats dropcidrgroup getauthcacheconfig getcidrgroupsofip invalidatecidrpermissionscache invalidatecredentialscache
		invalidatejmxpermissionscache invalidatenetworkpermissionscache invalidatepermissionscache invalidaterolescache listcidrgroups reloadcidrgroupscache
		setauthcacheconfig updatecidrgroup`)
	add("`:log` shows what nodes write to their logs", `disableauditlog disablefullquerylog enableauditlog enablefullquerylog getauditlog getfullquerylog
		getlogginglevels resetfullquerylog setlogginglevel`)
	add("`:set` lists the settings that a lab has", `checktokenmetadata disablebackup disableoldprotocolversions enablebackup enableoldprotocolversions getcolumnindexsize
		getconcurrency getdefaultrf getguardrailsconfig getinterdcstreamthroughput getseeds getstreamthroughput invalidatecountercache invalidatekeycache
		invalidaterowcache refreshsizeestimates reloadseeds reloadssl setcachecapacity setcachekeystosave setcolumnindexsize setconcurrency setdefaultrf
		setguardrailsconfig setinterdcstreamthroughput setstreamthroughput statusbackup`)
	add("a lab runs on no Java machine; `nodetool info` and `nodetool tpstats` tell what nodes do", "clientstats gcstats sjk")
	return out
}()

// helpText lists the commands, as nodetool help does.
func helpText() string {
	k := &call{}
	k.line("usage: nodetool [(-h <host> | --host <host>)] [(-p <port> | --port <port>)]")
	k.line("        [(-pwf <passwordFilePath> | --password-file <passwordFilePath>)]")
	k.line("        [(-pp | --print-port)] [(-u <username> | --username <username>)]")
	k.line("        [(-pw <password> | --password <password>)] <command> [<args>]\n")
	k.line("The most commonly used nodetool commands are:")
	for _, v := range verbs {
		k.printf("    %-35s %s\n", v.Name, v.Help)
	}
	k.line("\nSee 'nodetool help <command>' for more information on a specific command.\n")
	return k.out.String()
}

// help describes one command.
func help(words []string) (Result, error) {
	if len(words) == 0 {
		return Result{Text: helpText()}, nil
	}
	v := find(words[0])
	if v == nil {
		if _, ok := others[words[0]]; ok {
			return Result{}, refused(words[0])
		}
		return Result{Text: "Unknown command " + words[0] + "\n\n"}, nil
	}
	k := &call{}
	k.printf("NAME\n        nodetool %s - %s\n\nSYNOPSIS\n        nodetool [-h <host>] %s", v.Name, v.Help, v.Name)
	for _, o := range v.options {
		k.printf(" [%s", strings.Join(strings.Fields(o.names), " | "))
		if o.title != "" {
			k.printf(" <%s>", o.title)
		}
		k.print("]")
	}
	if v.Usage != "" {
		k.print(" [--] " + v.Usage)
	}
	k.line("\n")
	return Result{Text: k.out.String()}, nil
}
