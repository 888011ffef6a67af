package engine_test

import (
	"fmt"
	"hash/fnv"
	"testing"

	"pgregory.net/rapid"

	"ringlab/engine"
	"ringlab/engine/answer"
)

// TestHash holds the hash of an answer, which is stored with every command, to its
// definition: FNV-1a of what a driver sees.
func TestHash(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := fnv.New64a()
		var answers []*answer.Answer
		for range rapid.IntRange(0, 3).Draw(t, "answers") {
			a := &answer.Answer{Bytes: true, AtMicros: rapid.Int64().Draw(t, "at"), Latency: rapid.Int64().Draw(t, "latency")}
			if rapid.Bool().Draw(t, "refused") {
				a.Error = &answer.Error{Code: "0x2200", Message: rapid.String().Draw(t, "message")}
				fmt.Fprint(want, a.Error.Code, a.Error.Message)
			}
			for _, w := range rapid.SliceOfN(rapid.String(), 0, 2).Draw(t, "warnings") {
				a.Warnings = append(a.Warnings, w)
				fmt.Fprintln(want, w)
			}
			for _, row := range rapid.SliceOfN(rapid.SliceOfN(rapid.SliceOf(rapid.Byte()), 0, 3), 0, 4).Draw(t, "rows") {
				a.Values = append(a.Values, row)
				for _, v := range row {
					fmt.Fprintf(want, "%d:%s", len(v), v)
				}
			}
			fmt.Fprintf(want, "%d+%d\n", a.AtMicros, a.Latency)
			answers = append(answers, a)
		}
		if got := engine.Hash(answers); got != want.Sum64() {
			t.Fatalf("%x, want %x", got, want.Sum64())
		}
	})
}
