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
		simulation.Planted(t, f.Name, f.Twice, f.Seed, func(l *engine.Lab) { l.Core().Cluster.Plant(f.Flaw) })
	}
}
