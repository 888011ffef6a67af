package storage

// keyCache remembers where partitions begin in files, so that a read need not
// search the index. It holds the newest places of one table on one node; how many
// is modelled: Cassandra's is one for all tables, of 5 % of the heap.
// Source: Cassandra 5.0 CacheService.initKeyCache.
type keyCache struct {
	places map[fileKey]struct{}
	order  []fileKey // as they came; a ring once it is full
	next   int

	requests, hits int64
	bytes          int64 // of the places, on a JVM's heap
}

type fileKey struct {
	gen int
	key string
}

const keyCacheSize = 1 << 15

// heap is what a place takes: the key's object, its bytes and the position.
// Source: Cassandra 5.0 KeyCacheKey.unsharedHeapSize, RowIndexEntry; that of 1883
// keys of a real node was 150.08 KiB.
func (k fileKey) heap() int64 { return 56 + 16 + (int64(len(k.key))+7)/8*8 }

// CacheCounts are what a cache has counted since it was made.
type CacheCounts struct{ Entries, Bytes, Hits, Requests int64 }

// KeyCache is the table's share of the node's key cache.
func (s *TableStore) KeyCache() CacheCounts {
	return CacheCounts{int64(len(s.keys.places)), s.keys.bytes, s.keys.hits, s.keys.requests}
}

// hit says whether the place is known, and remembers it.
func (c *keyCache) hit(gen int, key string) bool {
	k := fileKey{gen, key}
	c.requests++
	if _, known := c.places[k]; known {
		c.hits++
		return true
	}
	c.bytes += k.heap()
	if c.places == nil {
		c.places = map[fileKey]struct{}{}
	}
	if len(c.order) < keyCacheSize {
		c.order = append(c.order, k)
	} else {
		delete(c.places, c.order[c.next])
		c.bytes -= c.order[c.next].heap()
		c.order[c.next] = k
		c.next = (c.next + 1) % keyCacheSize
	}
	c.places[k] = struct{}{}
	return false
}
