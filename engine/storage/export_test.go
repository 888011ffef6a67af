package storage

// PlantTies switches a fault on or off: ties go to the smaller value.
func PlantTies(on bool) { flawTies = on }
