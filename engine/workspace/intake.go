package workspace

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"slices"

	"go.etcd.io/bbolt"
)

// The intake is a value of the file that is written in place: a stretch of blocks
// which takes small groups with one write and one sync, where a commit of bbolt
// takes a dozen writes and two. Every transaction of bbolt moves what has been
// taken in to the journal, so that the intake is read only after an unclean end.
//
// Each group begins at a block of its own, behind a record of kind 'I', and is
// written once the group before it is on disk. So nothing that was acknowledged
// is ever written over, and only the last group can be there in part. Which
// groups count is told by the journal: those of its generation that begin behind
// its last entry and follow each other. All others are of earlier fillings,
// since numbers only rise within a generation.
type intake struct {
	at, size int64 // of the blocks within the file; size 0: there is none
	used     int64 // bytes of blocks that are written; size: nothing more goes in
	groups   []group
	buf      []byte // the values of the groups, one behind the other
}

const (
	intakeBlock = 4096
	intakeBytes = 1 << 20
	intakeGroup = intakeBytes / 8 // larger groups are as quick in a commit of their own
)

// intakeAfter is how many commits of entries there are before a file gets an
// intake: one that is written little needs none.
var intakeAfter = 8

var errNotTaken = errors.New("a group that is not whole")

// count is how many entries were taken in.
func (k *intake) count() (n uint64) {
	for _, g := range k.groups {
		n += uint64(g.count)
	}
	return n
}

// find looks for the intake of a file, which a page of bbolt's holds: the only
// element of its bucket.
func (k *intake) find(tx *bbolt.Tx, file io.ReaderAt) error {
	*k = intake{buf: k.buf[:0]}
	b := tx.Bucket(bucketIntake)
	if b == nil {
		return nil
	}
	pageSize := int64(tx.DB().Info().PageSize)
	page := int64(b.Root()) * pageSize
	head := make([]byte, pageSize)
	if _, err := file.ReadAt(head, page); err != nil {
		return err
	}
	length := (1 + int64(native.Uint32(head[12:]))) * pageSize
	items, err := elements(io.NewSectionReader(file, page, length), head, length)
	if err != nil || native.Uint16(head[8:]) != leafPage || len(items) != 1 || string(items[0].key) != string(keyIntake) {
		return &groupFault{text: "the place for new commands is not what was written"}
	}
	from := (page + items[0].at + intakeBlock - 1) &^ (intakeBlock - 1)
	k.at, k.size = from, (page+items[0].at+items[0].size-from)&^(intakeBlock-1)
	return nil
}

// load reads what an unclean end left in the intake: whole groups behind the
// journal's last entry. It is a fault where one is broken and another comes
// behind it, since that was begun when the first was on disk.
func (k *intake) load(file io.ReaderAt, h head, last uint64) error {
	if k.size <= 0 {
		return nil
	}
	all := make([]byte, k.size)
	if _, err := file.ReadAt(all, k.at); err != nil {
		return err
	}
	at := 0
	for at < len(all) {
		g, size, err := readIntake(all[at:], h.gen)
		if err != nil || g.first != last+1 {
			break
		}
		k.add(g)
		last = g.last()
		at += size
	}
	for ; at < len(all); at += intakeBlock {
		_, payload, _, err := readRecord(all[at:])
		if err != nil || all[at+4] != kindIntake {
			continue
		}
		if i := new(intakeHead); i.decode(payload) && i.gen == h.gen && i.first > last+1 {
			return &groupFault{last + 1, fmt.Sprintf("command %d is missing among the newest", last+1)}
		}
	}
	if len(k.groups) > 0 {
		k.used = k.size // the next commit moves them
	}
	return nil
}

// add keeps a group in memory; there is always room for what fits into the blocks.
func (k *intake) add(g group) {
	if k.buf == nil {
		k.buf = make([]byte, 0, k.size)
	}
	at := len(k.buf)
	k.buf = append(k.buf, g.value...)
	g.value = k.buf[at:]
	k.groups = append(k.groups, g)
}

// from copies the groups that hold entry n and those behind it.
func (k *intake) from(n uint64) (out []group) {
	for _, g := range k.groups {
		if g.last() >= n {
			g.value = slices.Clone(g.value)
			out = append(out, g)
		}
	}
	return out
}

// merged are the groups as the journal takes them: as large as groups may be.
func (k *intake) merged() (out []group) {
	at := 0 // where the last of them begins
	for _, g := range k.groups {
		if n := len(out); n > 0 && out[n-1].count+g.count <= groupEntries {
			last := &out[n-1]
			last.count += g.count
			last.value = k.buf[at : at+len(last.value)+len(g.value)]
			continue
		}
		if n := len(out); n > 0 {
			at += len(out[n-1].value)
		}
		out = append(out, g)
	}
	return out
}

// empty forgets the groups, which the journal has.
func (k *intake) empty() { k.groups, k.buf, k.used = k.groups[:0], k.buf[:0], 0 }

// readIntake reads the group at the beginning of a block; size is how many bytes
// of blocks it takes.
func readIntake(b []byte, gen uint64) (g group, size int, err error) {
	kind, payload, rest, err := readRecord(b)
	if err != nil {
		return g, 0, err
	}
	var h intakeHead
	if kind != kindIntake || !h.decode(payload) || h.gen != gen || h.size > uint64(len(rest)) || h.count == 0 || h.count > groupEntries {
		return g, 0, errNotTaken
	}
	value := rest[:h.size:h.size]
	if crc32.Checksum(value, castagnoli) != h.sum {
		return g, 0, errChecksum
	}
	g = group{first: h.first, count: uint32(h.count), value: value}
	return g, blocks(len(b) - len(rest) + len(value)), g.each(new(entryReader), func(Entry) error { return nil })
}

// intakeHead is what stands before the value of a group.
type intakeHead struct {
	first, count, gen, size uint64
	sum                     uint32 // CRC-32C of the value
}

func (h *intakeHead) decode(payload []byte) bool {
	f := fields{b: payload}
	h.first, h.count, h.gen, h.size, h.sum = f.uvarint(), f.uvarint(), f.uvarint(), f.uvarint(), uint32(f.uvarint())
	return f.done()
}

// appendIntake appends a group as it goes into blocks.
func appendIntake(dst []byte, g *group, gen uint64) ([]byte, error) {
	start := len(dst)
	dst = beginRecord(dst)
	for _, v := range []uint64{g.first, uint64(g.count), gen, uint64(len(g.value)), uint64(crc32.Checksum(g.value, castagnoli))} {
		dst = binary.AppendUvarint(dst, v)
	}
	if err := sealRecord(dst[start:], kindIntake); err != nil {
		return dst, err
	}
	dst = append(dst, g.value...)
	used := len(dst) - start
	return append(dst, make([]byte, blocks(used)-used)...), nil
}

// blocks is a size rounded up to whole blocks.
func blocks(n int) int { return (n + intakeBlock - 1) &^ (intakeBlock - 1) }

// takeIn appends a group to the intake; false where that is not the way, and
// nothing has happened. Whether a group that the disk did not confirm is stored
// shows when the file is opened again.
func (f *File) takeIn(groups []group) (bool, error) {
	k := &f.intake
	if f.readOnly || f.undone > 0 || len(groups) != 1 || len(groups[0].value) > intakeGroup || k.used == k.size {
		return false, nil
	}
	if int64(blocks(len(groups[0].value)+recordHead+5*binary.MaxVarintLen64)) > k.size-k.used {
		return false, nil
	}
	if err := f.long(); err != nil {
		return false, err
	}
	if err := f.named(); err != nil {
		return false, err
	}
	var err error
	if f.wire, err = appendIntake(f.wire[:0], &groups[0], f.head.gen); err != nil {
		return false, err
	}
	if _, err = f.disk.WriteAt(f.wire, k.at+k.used); err == nil {
		err = syncData(f.disk)
	}
	if err != nil {
		f.failed = &Unsure{f.path, err}
		return false, f.failed
	}
	k.used += int64(len(f.wire))
	k.add(groups[0])
	return true, nil
}

// makeIntake gives a file that is written a lot its intake. Where there is no
// room for it, the file goes on without.
func (f *File) makeIntake() {
	h := f.head
	h.Format = Format
	err := f.update(func(tx *bbolt.Tx) error {
		b, err := tx.CreateBucket(bucketIntake)
		if err != nil {
			return err
		}
		if err := b.Put(keyIntake, make([]byte, intakeBytes+intakeBlock)); err != nil {
			return err
		}
		return putHead(tx, h)
	})
	if err != nil {
		return
	}
	f.head = h
	_ = f.guarded(func() error { return f.db.View(func(tx *bbolt.Tx) error { return f.intake.find(tx, f.disk) }) })
}
