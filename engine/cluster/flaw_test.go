package cluster_test

import (
	"testing"

	"ringlab/engine"
	"ringlab/engine/cluster"
	"ringlab/engine/simulation"
)

// TestSimulationFindsFlaws: with a fault in the program the simulation fails, and with
// few seeds.
func TestSimulationFindsFlaws(t *testing.T) {
	for _, f := range cluster.Flaws {
		caught, first, by := simulation.Catch(1000, 1, func(l *engine.Lab) { l.Core().Cluster.Plant(f.Flaw) })
		if caught == 0 {
			t.Errorf("%s: not caught by 1000 seeds", f.Name)
			continue
		}
		t.Logf("%s: caught by seed %d, %s", f.Name, first, by)
	}
}
