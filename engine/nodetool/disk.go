package nodetool

import "ringlab/engine/cluster"

// diskVerbs look at files and put them right.
func diskVerbs() []*Verb {
	return []*Verb{
		{Name: "scrub", Usage: "[<keyspace> <tables>...]", Help: "Scrub (rebuild sstables for) one or more tables", most: list, run: scrub,
			options: []option{{names: "-ns --no-snapshot"}, {names: "-s --skip-corrupted"}, {names: "-n --no-validate"}, {names: "-r --reinsert-overflowed-ttl"},
				jobs}},
		{Name: "verify", Usage: "[<keyspace> <tables>...]", Help: "Verify (check data checksum for) one or more tables", most: list, run: verify,
			options: []option{{names: "-e --extended-verify"}, {names: "-c --check-version"}, {names: "-f --force"}, {names: "-d --dfp"}, {names: "-r --rsc"},
				{names: "-t --check-tokens"}, {names: "-q --quick"}}},
		{Name: "statusbinary", Help: "Status of native transport (binary protocol)", run: running},
		{Name: "statusgossip", Help: "Status of gossip", run: running},
	}
}

// running says whether gossip and the client transport run; a lab stops both
// together. Source: Cassandra 5.0 StatusBinary, StatusGossip.
func running(k *call) error {
	if k.node.Quiet {
		k.line("not running")
	} else {
		k.line("running")
	}
	return nil
}

// scrub says nothing where all went well; the node's log does.
// Source: Cassandra 5.0 Scrub.
func scrub(k *call) error {
	tables, err := k.tablesOr(misused)
	if err != nil {
		return err
	}
	k.checkJobs(2)
	for _, t := range tables {
		done, err := k.Scrub(k.node.Index, t, cluster.ScrubOptions{NoSnapshot: k.has("-ns"), SkipCorrupt: k.has("-s"), Reinsert: k.has("-r")})
		if err != nil {
			return failed("%s", err)
		}
		k.Advance(k.Now() + done.Took)
	}
	return nil
}

// verify says nothing where all files are sound. Source: Cassandra 5.0 Verify.
func verify(k *call) error {
	switch {
	case !k.has("-f"):
		return &Error{Text: "verify is disabled unless a [-f|--force] override flag is provided. See CASSANDRA-9947 and CASSANDRA-17017 for details."}
	case k.has("-t") && !k.has("-e"):
		return &Error{Text: "Token verification requires --extended-verify"}
	case k.has("-t"):
		return beyond("verify -t", "`nodetool cleanup` rewrites what holds tokens of other nodes")
	case k.has("-c"):
		return beyond("verify -c", "`:components` shows the versions of the files")
	}
	tables, err := k.tables()
	if err != nil {
		return err
	}
	for _, t := range tables {
		o := cluster.VerifyOptions{Extended: k.has("-e"), Quick: k.has("-q"), Policy: k.has("-d"), Unrepair: k.has("-r")}
		if err := k.Verify(k.node.Index, t, o); err != nil {
			return failed("%s", err)
		}
	}
	return nil
}
