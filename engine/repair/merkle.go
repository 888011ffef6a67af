// Package repair compares what replicas hold without sending it: each replica
// makes a Merkle tree of its part of a range, and where two trees differ the data
// differs too. It knows ranges and hashes, neither nodes nor files.
package repair

import (
	"math"

	"ringlab/ring"
)

// Tree is a Merkle tree over one range of the ring. Its leaves are parts of the
// range, halved again and again; a leaf's hash is that of the partitions in it, an
// inner node's that of the leaves below.
// Source: Cassandra 5.0 MerkleTree.
type Tree struct {
	partitioner ring.Partitioner
	full        ring.Range
	root        *node
	leaves      int
}

// node is a leaf, or the midpoint between two halves.
type node struct {
	left, right *node // both nil in a leaf
	middle      ring.Token
	hash        uint64
}

func (n *node) isLeaf() bool { return n.left == nil }

// deepest is how often a range is halved at most. Source: MerkleTree.RECOMMENDED_DEPTH.
const deepest = 126

// NewTree is a tree without partitions over a range, halved evenly so that it has
// 2^depth leaves, fewer where the range has too few tokens for that.
func NewTree(p ring.Partitioner, full ring.Range, depth int) *Tree {
	t := &Tree{partitioner: p, full: full}
	t.root = t.grow(full.Left, full.Right, min(depth, deepest))
	return t
}

func (t *Tree) grow(left, right ring.Token, depth int) *node {
	if depth > 0 {
		if m := t.partitioner.Midpoint(left, right); m != left && m != right {
			return &node{middle: m, left: t.grow(left, m, depth-1), right: t.grow(m, right, depth-1)}
		}
	}
	t.leaves++
	return &node{}
}

// Leaves is the number of leaves.
func (t *Tree) Leaves() int { return t.leaves }

// Range is what the tree covers.
func (t *Tree) Range() ring.Range { return t.full }

// descend finds the leaf of a token, and its ends and depth.
func (t *Tree) descend(token ring.Token) (at *node, left, right ring.Token, depth int) {
	at, left, right = t.root, t.full.Left, t.full.Right
	for !at.isLeaf() {
		if (ring.Range{Left: left, Right: at.middle}).Contains(token) {
			at, right = at.left, at.middle
		} else {
			at, left = at.right, at.middle
		}
		depth++
	}
	return at, left, right, depth
}

// Split halves the leaf that a token lies in; false if it is too small. It is for
// trees that have no partitions yet.
// Source: Cassandra 5.0 MerkleTree.split.
func (t *Tree) Split(token ring.Token) bool {
	leaf, left, right, depth := t.descend(token)
	if depth >= deepest {
		return false
	}
	m := t.partitioner.Midpoint(left, right)
	if m == left || m == right {
		return false
	}
	*leaf = node{middle: m, left: &node{}, right: &node{}}
	t.leaves++
	return true
}

// Add puts a partition's hash into the leaf of its token. Partitions may come in
// any order. Source: Cassandra 5.0 Validator.add, MerkleTree.OnHeapLeaf.addHash.
func (t *Tree) Add(token ring.Token, hash uint64) {
	at, left := t.root, t.full.Left
	for {
		at.hash ^= hash
		switch {
		case at.isLeaf():
			return
		case (ring.Range{Left: left, Right: at.middle}).Contains(token):
			at = at.left
		default:
			at, left = at.right, at.middle
		}
	}
}

// Difference is where two trees over the same range differ: neighbouring parts
// that differ as a whole are one. Trees may be halved differently; what is one
// leaf in either is compared as one.
// Source: Cassandra 5.0 MerkleTree.difference.
func Difference(a, b *Tree) []ring.Range {
	if a.full != b.full {
		panic("repair: trees over different ranges compared")
	}
	if a.root.hash == b.root.hash {
		return nil
	}
	d := differ{partitioner: a.partitioner}
	if d.inside(a.root, b.root, a.full) {
		d.out = append(d.out, a.full)
	}
	return d.out
}

type differ struct {
	partitioner ring.Partitioner
	out         []ring.Range
}

// inside notes the parts of a range whose hashes differ; true if all of it does,
// which is then noted by the caller.
// Source: Cassandra 5.0 MerkleTree.differenceHelper.
func (d *differ) inside(a, b *node, r ring.Range) bool {
	if a.isLeaf() || b.isLeaf() {
		return true
	}
	first := ring.Range{Left: r.Left, Right: a.middle}
	second := ring.Range{Left: a.middle, Right: r.Right}
	at := len(d.out)
	left := a.left.hash != b.left.hash && d.inside(a.left, b.left, first)
	if left {
		d.out = append(d.out, first)
	}
	right := a.right.hash != b.right.hash && d.inside(a.right, b.right, second)
	switch {
	case left && right:
		d.out = d.out[:at]
		return true
	case right:
		d.out = append(d.out, second)
	}
	return false
}

// Limits of the size of trees. Source: Cassandra 5.0 Config.repair_session_space,
// a sixteenth of the heap, of 2 GiB here; repair_session_max_tree_depth; what a leaf
// and an inner node take is estimated.
const (
	sessionSpace = 128 << 20
	maxDepth     = 20
	nodePair     = 160 // bytes
)

// Depth is how often a range is halved for so many partitions: often enough that
// each has a leaf, as far as the memory of a session allows. all is the number of
// partitions in all ranges of the session, rf the replication factor, since the
// trees of all replicas are held at once.
// Source: Cassandra 5.0 ValidationManager.createMerkleTrees.
func Depth(partitions, all, rf int) int {
	if partitions <= 0 {
		return 0
	}
	space := float64(sessionSpace/max(rf, 1)) * float64(float64(partitions)/float64(max(all, partitions)))
	fits := max(1, int(math.Floor(math.Log2(math.Max(1, space/nodePair)))))
	return min(int(math.Ceil(math.Log2(float64(partitions)))), fits, maxDepth)
}
