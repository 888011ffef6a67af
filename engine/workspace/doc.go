// Package workspace stores a lab in one file: the header that starts it, the
// journal of its commands, the input files they read, and what the screen
// remembers. The state of a lab is its header and its commands in order; the
// caller rebuilds it by replaying them.
//
// The file is a bbolt database. Its buckets are
//
//	meta     "header" -> the header record
//	journal  first N (8 bytes), count (4 bytes) -> up to 256 entry records, one after the other
//	undone   as journal: what Truncate took away and Redo brings back
//	before   1, 2, … -> what Reset put aside: a header and a journal
//	blobs    SHA-256 -> a blob record
//	ui       "state" -> a record
//	history  1, 2, … -> a record with one line
//
// Every value is made of records (record.go): each carries a magic number, its
// length and a checksum, so that it can be found and trusted in the raw bytes of
// a file whose pages are damaged. Salvage does that; Open never tries to. Before
// bbolt maps a file, Open walks its pages (pages.go), because bbolt trusts them.
//
// Acknowledged means committed: Append returns after the group is on disk.
// Writer groups the commands of a caller that runs ahead.
package workspace
