package storage_test

import (
	"testing"

	"ringlab/engine/simulation"
	"ringlab/engine/storage"
)

// TestSimulationFindsFlaws: with ties that go to the smaller value the simulation
// fails, and with few seeds.
func TestSimulationFindsFlaws(t *testing.T) {
	storage.PlantTies(true)
	defer storage.PlantTies(false)
	simulation.Planted(t, "a wrong tie-break", false, 6, nil)
}
