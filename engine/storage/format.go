package storage

import "encoding/binary"

// Format is a version of the files: what a node writes follows from its
// storage_compatibility_mode and sstable.selected_format.
// Source: Cassandra 5.0 BigFormat.BigVersion, BtiFormat.BtiVersion.
type Format uint8

const (
	NB Format = iota // big, of Cassandra 4.0, which 5.0 writes by default
	OA               // big, of 5.0
	DA               // bti, of 5.0: tries in place of Index.db and Summary.db
)

func (f Format) String() string { return [...]string{"nb", "oa", "da"}[f] }

// Family is the name of the format in the names of files.
func (f Format) Family() string {
	if f == DA {
		return "bti"
	}
	return "big"
}

// deletionBytes is the size of a partition's deletion: a live one is a single
// byte since oa.
func (f Format) deletionBytes(d Deletion) int64 {
	if f != NB && d.IsLive() {
		return 1
	}
	return 12
}

// appendDeletion writes a partition's deletion. Source: DeletionTime.Serializer,
// DeletionTime.LegacySerializer.
func (f Format) appendDeletion(b []byte, d Deletion) []byte {
	switch {
	case f == NB && d.IsLive():
		b = append(b, 0x7f, 0xff, 0xff, 0xff)
		return append(b, 0x80, 0, 0, 0, 0, 0, 0, 0)
	case f == NB:
		b = binary.BigEndian.AppendUint32(b, uint32(d.Local))
		return binary.BigEndian.AppendUint64(b, uint64(d.At))
	case d.IsLive():
		return append(b, 0x80)
	}
	b = binary.BigEndian.AppendUint64(b, uint64(d.At))
	return binary.BigEndian.AppendUint32(b, uint32(d.Local))
}
