package ring_test

import (
	"encoding/hex"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"ringlab/ring"
)

// parse reads a recorded token; unlike Parse it takes the minimum too.
func parse(p ring.Partitioner, text string) ring.Token {
	if text == p.Format(p.Minimum()) {
		return p.Minimum()
	}
	t, err := p.Parse(text)
	if err != nil {
		panic(err)
	}
	return t
}

func nameVectors(g *goldenRun, text []byte) error {
	vectors, err := cases[struct {
		Name, Key, MD5 string
		Unsigned       string `json:"md5_unsigned"`
		Random         string `json:"random_partitioner_token"`
		RandomHex      string `json:"random_partitioner_token_hex"`
		Murmur         string `json:"murmur3_token"`
		MurmurHex      string `json:"murmur3_token_hex"`
		SlideNode      string `json:"slide_node_unsigned_md5"`
		RandomNode     string `json:"node_random_partitioner_4"`
		MurmurNode     string `json:"node_murmur3_4"`
	}](text, "names")
	for i, v := range vectors {
		var d differ
		key := []byte(v.Name)
		digest := ring.MD5(key)
		d.same("key", hex.EncodeToString(key), v.Key)
		d.same("md5", hex.EncodeToString(digest[:]), v.MD5)
		slide := ring.SlideMD5.Format(ring.SlideMD5.Token(key))
		d.same("slide token", slide, v.Unsigned)
		fromHex, _ := ring.SlideMD5.Parse("0x" + v.MD5)
		d.same("slide token from hex", fromHex == ring.SlideMD5.Token(key), true)
		d.same("random token", ring.Random.Format(ring.Random.Token(key)), v.Random)
		randomHex, _ := ring.SlideMD5.Parse("0x" + v.RandomHex)
		d.same("random token in hex", ring.SlideMD5.Format(randomHex), v.Random)
		d.same("murmur3 token", ring.Murmur3.Format(ring.Murmur3.Token(key)), v.Murmur)
		h1, _ := ring.Murmur3Hash(key)
		d.same("murmur3 token in hex", fmt.Sprintf("%016x", uint64(h1)), v.MurmurHex)
		d.same("slide node", quarter(ring.SlideMD5, key), v.SlideNode)
		d.same("random node", quarter(ring.Random, key), v.RandomNode)
		d.same("murmur3 node", quarter(ring.Murmur3, key), v.MurmurNode)
		g.check(fmt.Sprint(i), d.err())
	}
	return err
}

// quarter is the letter of the quarter of the ring, from its minimum, that holds a key.
func quarter(p ring.Partitioner, key []byte) string {
	even := p.Even(4)
	at, t := 0, p.Token(key)
	for i, start := range even {
		if start.Less(t) {
			at = i
		}
	}
	return "ABCD"[at : at+1]
}

func mathVectors(g *goldenRun, text []byte) error {
	vectors, err := cases[struct {
		Partitioner, Left, Right, Midpoint, Split string
		Ratio                                     *float64
		Size                                      float64
	}](text, "vectors")
	for i, v := range vectors {
		p, err := ring.ByName(v.Partitioner)
		if err != nil {
			return err
		}
		var d differ
		l, r := parse(p, v.Left), parse(p, v.Right)
		d.same("midpoint", p.Format(p.Midpoint(l, r)), v.Midpoint)
		if v.Ratio != nil {
			split, err := p.Split(l, r, *v.Ratio)
			d.same("error of Split", err, nil)
			d.same("split", p.Format(split), v.Split)
			size, err := p.Size(l, r)
			d.same("error of Size", err, nil)
			d.same("size", size, v.Size)
		}
		g.check(fmt.Sprint(i), d.err())
	}
	return err
}

func rangeVectors(g *goldenRun, text []byte) error {
	type ends [2]string
	vectors, err := cases[struct {
		A, B          ends
		Point         string
		Contains      bool   `json:"a_contains_point"`
		Wraps         bool   `json:"a_wraps"`
		TrulyWraps    bool   `json:"a_truly_wraps"`
		Unwrap        []ends `json:"a_unwrap"`
		ContainsRange bool   `json:"a_contains_b"`
		Intersection  []ends
		Minus         []ends `json:"a_minus_b"`
	}](text, "vectors")
	p := ring.Murmur3
	read := func(e ends) ring.Range { return ring.Range{Left: parse(p, e[0]), Right: parse(p, e[1])} }
	// Recorded lists are sorted as text.
	list := func(ranges []ring.Range) string {
		var out []string
		for _, r := range ranges {
			out = append(out, fmt.Sprint(ends{p.Format(r.Left), p.Format(r.Right)}))
		}
		slices.Sort(out)
		return strings.Join(out, " ")
	}
	recorded := func(all []ends) string {
		var out []ring.Range
		for _, e := range all {
			out = append(out, read(e))
		}
		return list(out)
	}
	for i, v := range vectors {
		var d differ
		a, b := read(v.A), read(v.B)
		d.same("a contains point", a.Contains(parse(p, v.Point)), v.Contains)
		d.same("a wraps", a.IsWrapAround(), v.Wraps)
		d.same("a truly wraps", a.IsTrulyWrapAround(p.Minimum()), v.TrulyWraps)
		d.same("a unwrapped", list(a.Unwrap(p.Minimum())), recorded(v.Unwrap))
		d.same("a contains b", a.ContainsRange(b), v.ContainsRange)
		d.same("intersection", list(a.Intersection(b)), recorded(v.Intersection))
		d.same("a minus b", list(a.Subtract(b)), recorded(v.Minus))
		g.check(strconv.Itoa(i), d.err())
	}
	return err
}
