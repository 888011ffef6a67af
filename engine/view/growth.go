package view

// Growth is how a partition goes on growing. Slices by unit are in the order
// rows, cells, bytes, tombstones.
type Growth struct {
	Keyspace, Table string
	Key, Node       string
	Err             string // why there is no forecast; what the partition holds stands all the same
	PrimaryKey      string // PRIMARY KEY (sensor_id, ts)
	Have            [4]int64
	Exact           bool       // not estimated from a part of the rows
	Each            [4]float64 // of a row
	PerDay          float64    // rows
	Span            int64      // µs between the first write and the last, which show the rate
	Bucket          string     // the stretch of time in its key with which it stops: "day 2026-11-21"; "" for none
	End             float64    // days until then; 0 when it is over
	TTL             int        // seconds that a row lives, 0 for ever
	Final           [4]float64 // the most that it gets to be; 0 where it grows without end
	Days            float64    // that the curve covers
	Curve           [4][]float64
	Limits          []GrowthLimit
	Buckets         []GrowthBucket
}

// The units of a Growth.
const (
	GrowthRows = iota
	GrowthCells
	GrowthBytes
	GrowthTombstones
)

// GrowthLimit is a size that a partition should not pass.
type GrowthLimit struct {
	Name, From string // "100 MB", who says so
	Unit       int
	Value      float64
	Days       float64 // until it is passed: 0 it is already, -1 never
	Date       string  // "" where there is none
}

// GrowthBucket is what partitions would be with a stretch of time in the key.
type GrowthBucket struct {
	Name string // hour, day, week, month
	Key  string // PRIMARY KEY ((sensor_id, day), ts)
	Size [4]float64
	Year float64 // partitions a year
	Week float64 // partitions that a read of a week touches
	Over string  // the first limit that a full one passes, "" for none
}
