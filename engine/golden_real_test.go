package engine_test

import "testing"

// TestRecordedFromARealNode plays statements on which ringlab once differed from
// Cassandra 5.0.5. They have the shape of the golden recordings, and none of
// them may differ.
func TestRecordedFromARealNode(t *testing.T) {
	playCQL(t, "real cql", cqlFilesIn(t, "testdata/real"), nil)
}
