package simulation

import (
	"strings"

	"ringlab/engine/answer"
	"ringlab/engine/render"
)

// limits are how long statements may take, µs, beside the pauses of their coordinator.
var limits = map[Kind]int64{Insert: 2e6, Delete: 2e6, Read: 5e6, ReadAll: 10e6, Add: 5e6, ReadCount: 5e6, Compare: 20e6, ReadSerial: 20e6, Other: 10e6}

// checkTime: every statement ends within its timeout.
func (p *player) checkTime(a asked) {
	limit := limits[a.Kind] + 5000 // the way to the client and back
	if a.Batch {
		limit += 2e6 // the batchlog first
	}
	if to := p.pausedTo[a.Coordinator]; to > a.start {
		limit += to - a.start
	}
	if a.Latency > limit {
		p.fail("timeout", "%s took %d µs, its limit is %d µs", a.Statement, a.Latency, limit)
	}
}

// checkError: an error has a name, and its fields fit together.
func (p *player) checkError(a *answer.Answer) {
	e := a.Error
	bad := func(why string) { p.fail("named error", "%s: %s; %s", a.Statement, render.Error(e), why) }
	switch e.Name {
	case "Unavailable":
		loose := e.Consistency == "LOCAL_ONE" // it leaves out the replicas to come that it waits for too, as a real node does
		if e.Required == nil || e.Alive == nil || *e.Required < 1 || *e.Alive < 0 || *e.Alive >= *e.Required && !loose {
			bad("alive is less than required")
		}
	case "WriteTimeout":
		if e.Received == nil || e.BlockFor == nil || *e.Received < 0 || *e.Received >= *e.BlockFor || e.Definite == nil || *e.Definite || e.WriteType == "" {
			bad("fewer came than were waited for, and the write may have happened")
		}
	case "ReadTimeout":
		if e.Received == nil || e.BlockFor == nil || e.DataPresent == nil || *e.Received < 0 || *e.DataPresent && *e.Received >= *e.BlockFor {
			bad("with data, fewer came than were waited for")
		}
	case "ReadFailure": // of replicas whose files cannot be read
		if e.Received == nil || e.BlockFor == nil || e.Failures == nil || *e.Failures < 1 || *e.Failures != len(e.ErrorCodeMap) || *e.Received >= *e.BlockFor {
			bad("some failed, and fewer came than were waited for")
		}
		for node := range e.ErrorCodeMap {
			if !p.broken.files[node] {
				bad("nothing is wrong with the files of " + node)
			}
		}
	case "CASWriteUnknown":
		if e.Received == nil || e.BlockFor == nil || *e.Received < 1 || *e.Received >= *e.BlockFor {
			bad("some have accepted, but too few")
		}
	case "NoHostAvailable", "CommandError", "NodetoolError", "InvalidRequest":
		if e.Message == "" {
			bad("it says nothing")
		}
	case "ConfigurationException": // a data center has gone
		if !p.script.Rough || !strings.HasPrefix(a.Statement, "ALTER KEYSPACE") {
			bad("nothing in these scripts should fail like that")
		}
	case "ServerError":
		stopped := strings.HasSuffix(e.Message, "closed its connections while the statement ran") || strings.HasSuffix(e.Message, "went down while the statement ran")
		if !stopped || !p.script.Rough && !p.broken.nodes[a.Coordinator] { // the coordinator has left, or its disk has failed
			bad("nothing in these scripts should fail like that")
		}
	default:
		bad("nothing in these scripts should fail like that")
	}
}
