package picture_test

import (
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"ringlab/engine"
	"ringlab/engine/picture"
	"ringlab/engine/view"
)

// The walk that is told takes the replicas of the strategy, in its order, on any ring.
func TestWalkTakesTheReplicas(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		one, two := rapid.IntRange(1, 7).Draw(rt, "dc1"), rapid.IntRange(1, 5).Draw(rt, "dc2")
		lab, err := engine.New(engine.Options{Ring: fmt.Sprintf("dc1=%d dc2=%d racks=%d vnodes=%d seed=%d", one, two, rapid.IntRange(1, 4).Draw(rt, "racks"),
			rapid.SampledFrom([]int{1, 3}).Draw(rt, "vnodes"), rapid.IntRange(1, 9).Draw(rt, "seed"))})
		if err != nil {
			rt.Skip(err)
		}
		replication := fmt.Sprintf("{'class': 'NetworkTopologyStrategy', 'dc1': %d, 'dc2': %d}", rapid.IntRange(1, 5).Draw(rt, "rf1"), rapid.IntRange(0, 4).Draw(rt, "rf2"))
		if rapid.Bool().Draw(rt, "simple") {
			replication = fmt.Sprintf("{'class': 'SimpleStrategy', 'replication_factor': %d}", rapid.IntRange(1, 5).Draw(rt, "rf"))
		}
		lab.Do("CREATE KEYSPACE k WITH replication = " + replication)
		lab.Do("CREATE TABLE k.t (k int PRIMARY KEY)")
		v := picture.New(lab.Core()).View(view.Need{Keyspace: "k", Table: "t", Key: fmt.Sprint(rapid.IntRange(0, 50).Draw(rt, "key")), Placement: view.PlacementLens{On: true}})
		var walked, replicas []int
		for _, w := range v.Placement.Walk {
			if w.Order > 0 {
				walked = append(walked, w.Node)
			}
		}
		for _, r := range v.Selection.Replicas {
			replicas = append(replicas, r.Node)
		}
		if !slices.Equal(walked, replicas) {
			rt.Fatalf("the walk takes %v, the replicas are %v", walked, replicas)
		}
	})
}
