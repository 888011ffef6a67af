package storage

// keyCache remembers where partitions begin in files, so that a read need not
// search the index. It holds the newest places of one table on one node; how many
// is modelled: Cassandra's is one for all tables, of 5 % of the heap.
// Source: Cassandra 5.0 CacheService.initKeyCache.
type keyCache struct {
	places map[fileKey]struct{}
	order  []fileKey // as they came; a ring once it is full
	next   int
}

type fileKey struct {
	gen int
	key string
}

const keyCacheSize = 1 << 15

// hit says whether the place is known, and remembers it.
func (c *keyCache) hit(gen int, key string) bool {
	k := fileKey{gen, key}
	if _, known := c.places[k]; known {
		return true
	}
	if c.places == nil {
		c.places = map[fileKey]struct{}{}
	}
	if len(c.order) < keyCacheSize {
		c.order = append(c.order, k)
	} else {
		delete(c.places, c.order[c.next])
		c.order[c.next] = k
		c.next = (c.next + 1) % keyCacheSize
	}
	c.places[k] = struct{}{}
	return false
}
