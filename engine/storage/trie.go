package storage

import "math"

// page is the size of a page of the tries' files, in bytes: no node crosses the
// boundary of one, nor does a branch that fits on one.
// Source: Cassandra 5.0 PageAware.
const page = 4096

// trieNode is a node of a trie that is being laid out.
// Source: Cassandra 5.0 IncrementalTrieWriterPageAware.Node.
type trieNode struct {
	transition byte
	children   []*trieNode
	payload    int64 // bytes, 0 for none
	at         int64 // where it was written, -1 before
	branch     int64 // bytes of what is below it and not yet written
	size       int64
	far        bool // children are written already, on other pages
	farBelow   bool // those of nodes below it are
}

func newTrieNode(transition byte) *trieNode {
	return &trieNode{transition: transition, at: -1, branch: -1, size: -1, far: true}
}

// trieLayout finds where the nodes of a trie come to stand in a file, whose keys
// are added in order. Nothing is written: only places and sizes are kept.
// Source: Cassandra 5.0 IncrementalTrieWriterBase, IncrementalTrieWriterPageAware.
type trieLayout struct {
	pos   int64 // in the file
	stack []*trieNode
	last  []byte
}

// begin starts another trie behind what the file has.
func (w *trieLayout) begin() { w.stack, w.last = append(w.stack[:0], newTrieNode(0)), w.last[:0] }

// add adds a key, greater than the last, whose payload takes so many bytes.
func (w *trieLayout) add(key []byte, payload int64) {
	same := 0
	for same < len(key) && same < len(w.last) && key[same] == w.last[same] {
		same++
	}
	w.last = append(w.last[:0], key...)
	for len(w.stack) > same+1 {
		w.completeLast()
	}
	node := w.stack[len(w.stack)-1]
	for _, b := range key[same:] {
		child := newTrieNode(b)
		node.children = append(node.children, child)
		node = child
		w.stack = append(w.stack, node)
	}
	node.payload = payload
}

func (w *trieLayout) completeLast() *trieNode {
	node := w.stack[len(w.stack)-1]
	w.stack = w.stack[:len(w.stack)-1]
	w.complete(node)
	return node
}

// complete measures a node below which nothing more comes; what does not fit on a
// page with it is written.
func (w *trieLayout) complete(n *trieNode) {
	n.branch = 0
	for _, c := range n.children {
		n.branch += c.branch + c.size
	}
	size := n.sizeAt(w.pos)
	if size+n.branch >= page {
		w.layout(n)
		return
	}
	n.size, n.far, n.farBelow = size, false, false
	for _, c := range n.children {
		if c.at >= 0 {
			n.far = true
		} else if c.far || c.farBelow {
			n.farBelow = true
		}
	}
}

// finish writes what is left and gives the place of the root.
func (w *trieLayout) finish() int64 {
	var root *trieNode
	for len(w.stack) > 0 {
		root = w.completeLast()
	}
	if actual := w.recount(root, w.pos); actual > w.left() {
		if actual <= page {
			w.pad()
			actual = w.recount(root, w.pos)
		}
		if actual > w.left() {
			w.layout(root)
			if root.size > w.left() {
				w.pad()
				w.recount(root, w.pos)
			}
		}
	}
	return w.write(root)
}

// left is how many bytes the page has left.
func (w *trieLayout) left() int64 { return page - w.pos%page }

func (w *trieLayout) pad() { w.pos = (w.pos + page - 1) / page * page }

// layout writes the branches of a node, each on the page where the largest that
// fits comes first.
func (w *trieLayout) layout(n *trieNode) {
	var waiting []*trieNode
	for _, c := range n.children {
		if c.at < 0 {
			waiting = append(waiting, c)
		}
	}
	left := w.left()
	for len(waiting) > 0 {
		at := largest(waiting, left)
		if at < 0 {
			w.pad()
			left = page
			at = largest(waiting, math.MaxInt64)
		}
		c := waiting[at]
		if c.far || c.farBelow {
			if w.recount(c, w.pos) > left {
				if left == page {
					w.layout(c)
					left = w.left()
				}
				continue // it may have another size now
			}
		}
		waiting = append(waiting[:at], waiting[at+1:]...)
		c.settle(w.write(c))
		left = w.left()
	}
	n.branch, n.far, n.farBelow = 0, true, false
	n.size = n.sizeAt(w.pos)
}

// largest is the place of the node that takes most bytes, of those of up to so
// many; of equal ones the last. -1 for none.
func largest(nodes []*trieNode, most int64) int {
	best, size := -1, int64(-1)
	for i, n := range nodes {
		if s := n.branch + n.size; s <= most && (s > size || s == size && n.transition > nodes[best].transition) {
			best, size = i, s
		}
	}
	return best
}

// recount measures a node anew for another place in the file.
func (w *trieLayout) recount(n *trieNode, pos int64) int64 {
	if n.farBelow {
		sum := int64(0)
		for _, c := range n.children {
			sum += w.recount(c, pos+sum)
		}
		n.branch = sum
	}
	if n.far || n.farBelow {
		n.size = n.sizeAt(pos + n.branch)
	}
	return n.branch + n.size
}

// write puts a node into the file, behind those below it.
func (w *trieLayout) write(n *trieNode) int64 {
	for _, c := range n.children {
		if c.at < 0 {
			c.at = w.write(c)
		}
	}
	at := w.pos
	w.pos += n.sizeAt(at)
	return at
}

// settle forgets what is below a node that was written.
func (n *trieNode) settle(at int64) {
	*n = trieNode{transition: n.transition, at: at}
}

// reach is how far back the furthest child of a node stands or will stand.
// Source: Node.maxPositionDelta.
func (n *trieNode) reach(pos int64) int64 {
	if !n.far {
		return n.branch - n.children[0].branch
	}
	placed, waiting := int64(0), int64(-1)
	for _, c := range n.children {
		if c.at >= 0 {
			placed = max(placed, pos-c.at)
		} else if waiting < 0 {
			waiting = n.branch - c.branch
		}
	}
	return max(placed, waiting)
}

// reaches are how far pointers of each kind of node reach back.
// Source: Cassandra 5.0 TrieNode.Types.
var reaches = [...]int64{15, 1<<8 - 1, 1<<12 - 1, 1<<16 - 1, 1<<24 - 1, 1<<32 - 1, 1<<40 - 1, math.MaxInt64}

// The sizes of nodes with one child, and the bits of a pointer of those with many,
// by kind.
var (
	singleBytes = [...]int64{2, 3, 3, 4, 6, 7, 8, 11}
	sparseBits  = [...]int64{8, 8, 12, 16, 24, 40, 40, 0}
	denseBits   = [...]int64{12, 12, 12, 16, 24, 32, 40, 64}
)

// sizeAt is the size of a node at a place, with its payload.
// Source: TrieNode.typeFor, TrieNode.sizeofNode.
func (n *trieNode) sizeAt(pos int64) int64 {
	if len(n.children) == 0 {
		return 1 + n.payload
	}
	reach, kind := n.reach(pos), 0
	for reach > reaches[kind] {
		kind++
	}
	count := int64(len(n.children))
	if count == 1 {
		if n.payload != 0 && (kind == 0 || kind == 2) {
			kind++ // there is no room for the payload's bits
		}
		return singleBytes[kind] + n.payload
	}
	span := int64(n.children[count-1].transition) - int64(n.children[0].transition) + 1
	size := 3 + (span*denseBits[kind]+7)/8
	if bits := sparseBits[kind]; bits > 0 {
		size = min(size, 2+(count*(8+bits)+7)/8)
	}
	return size + n.payload
}
