package storage

// flawTies makes the smaller of two values of one timestamp win: a fault of this
// program that a test of the package switches on, to see that the simulation's
// checkers find it. It is always false outside of tests.
var flawTies bool
