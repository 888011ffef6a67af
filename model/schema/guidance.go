package schema

// What a partition should not pass, as the articles name it; a megabyte is 10^6
// bytes. None of it is a limit that Cassandra enforces.
const (
	GuideRows      = 100_000     // Skinny on wide rows
	GuideBytes     = 100_000_000 // Skinny on wide rows
	GuideCells     = 1_000_000   // the e-library
	GuideBytesMost = 200_000_000 // the e-library
)
