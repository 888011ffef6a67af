package storage

// keyIndex finds a memtable's partitions by key: a hash table of their places in
// the memtable's list. It holds no pointers, so that the garbage collector need
// not look into it, and a part of each hash, so that growing and most misses
// touch no partition.
type keyIndex struct {
	slots []uint64 // upper half of the hash, then 1 + place; 0 is free
	used  int
}

// hashKey spreads a partition key over all bits. What a memtable answers does
// not depend on it.
func hashKey(key string) uint64 {
	h := digester{0x9ae16a3b2f90404f}
	h.str(key)
	return h.sum
}

// find is the place of the partition with that key, -1 if there is none. hash is
// the key's.
func (x *keyIndex) find(list []memPartition, key string, hash uint64) int {
	if len(x.slots) == 0 {
		return -1
	}
	mask := uint64(len(x.slots) - 1)
	for i := hash >> 32 & mask; x.slots[i] != 0; i = (i + 1) & mask {
		if slot := x.slots[i]; slot>>32 == hash>>32 {
			if at := int(uint32(slot)) - 1; list[at].Key == key {
				return at
			}
		}
	}
	return -1
}

// add remembers the place of a key that is not in it.
func (x *keyIndex) add(hash uint64, at int) {
	if 4*(x.used+1) > 3*len(x.slots) {
		x.grow()
	}
	x.used++
	x.put(hash&^0xffffffff | uint64(at+1))
}

func (x *keyIndex) put(slot uint64) {
	mask := uint64(len(x.slots) - 1)
	i := slot >> 32 & mask
	for x.slots[i] != 0 {
		i = (i + 1) & mask
	}
	x.slots[i] = slot
}

func (x *keyIndex) grow() {
	old := x.slots
	x.slots = make([]uint64, max(16, 2*len(old)))
	for _, slot := range old {
		if slot != 0 {
			x.put(slot)
		}
	}
}
