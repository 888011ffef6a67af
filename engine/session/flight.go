package session

import (
	"ringlab/engine/answer"
	"ringlab/engine/cluster"
	"ringlab/engine/storage"
	"ringlab/model/plan"
	"ringlab/model/schema"
)

// flight is one statement between its start and its answer.
type flight struct {
	core    *Core
	client  *Client
	op      *cluster.Op
	ans     *answer.Answer
	plan    plan.Plan              // what it does, nil if it was refused
	finish  func(a *answer.Answer) // fills the answer once op is done
	page    Page                   // of a SELECT that is answered in pages
	queries []*storage.Query       // of a single-partition read, to know what is stale
	table   *schema.Table          // that the statement is about, nil for none
	key     []byte                 // the one partition key that it writes to, nil for none
	bulk    bool                   // one of so many that nobody reads its verdict
	coord   int                    // of a statement of the classic language
	rows    []CellRow              // what a read of the classic language found
	cells   bool                   // it is such a read
	hand    Hand                   // what is asked of the rows of queries
	stamp   *int64                 // write timestamp that the client has chosen, µs; nil for none
	request *Request               // of a driver; nil for a statement that was typed
	bound   *Prepared              // that it executes, nil for none
	known   bool                   // it was prepared by an earlier request, or is a message of a batch: nothing is parsed
	second  *int64                 // what the client takes for now, Unix seconds; nil for the coordinator's clock
}

// timestamp is that of what a statement writes.
func (f *flight) timestamp(coord int) int64 {
	if f.stamp != nil {
		return *f.stamp
	}
	return f.core.Cluster.Timestamp(coord, f.client.Skew)
}

// seconds is the clock that a statement's TTLs run by.
func (f *flight) seconds(coord int) int64 {
	if f.second != nil {
		return *f.second
	}
	return f.core.Cluster.Seconds(coord)
}

// end gives the answer of a statement whose operation is done.
func (f *flight) end() *answer.Answer {
	a := f.ans
	if f.op == nil {
		return a
	}
	if f.op.Err != nil {
		a.Error = f.core.failure(f.op.Err)
		if f.op.Err.Code == plan.UnavailableErr {
			a.Fix = f.core.revive(f)
		}
		if w := f.op.Scanned; w != nil && f.op.Err.Code == plan.ReadFailure && f.core.Cluster.Set.TombstoneWarn > 0 {
			// Whoever counted stopped at the first one too many.
			w.Dead = min(w.Dead, f.core.Cluster.Set.TombstoneFail+1)
			a.Warnings = append(a.Warnings, f.core.tombstones(f.table, w))
		}
	} else if f.finish != nil {
		f.finish(a)
		if f.queries != nil {
			f.core.hand = f.hand
			f.core.hand.queries = f.queries
		}
	}
	a.Latency = int64(f.op.End - f.op.Start)
	a.Op = int(f.op.ID)
	if f.op.Traced {
		a.Trace = f.op.Trace()
		f.core.keepTrace(f)
	}
	if !f.bulk {
		f.core.verdict(f, a)
	}
	if f.core.Recorder != nil {
		f.core.Recorder.ended(f, a)
	}
	return a
}
