package ring_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"ringlab/ring"
)

func TestParseRefusesInCassandrasWords(t *testing.T) {
	for _, c := range []struct {
		p          ring.Partitioner
		text, want string
	}{
		{ring.Murmur3, "-894763734895827651234", "Invalid token for Murmur3Partitioner. Got -894763734895827651234 but expected a long value (unsigned 8 bytes integer)."},
		{ring.Murmur3, "x", "Invalid token for Murmur3Partitioner. Got x but expected a long value (unsigned 8 bytes integer)."},
		{ring.Random, "-894763734895827651234", "Token must be >= 0 and <= 2**127"},
		{ring.Random, "170141183460469231731687303715884105729", "Token must be >= 0 and <= 2**127"},
		{ring.Random, "x", `For input string: "x"`},
		{ring.ByteOrdered, "4g", "Token 4g contains non-hex digits"},
		{ring.OrderPreserving, "a,b", "Tokens may not contain the character ,"},
		{ring.SlideMD5, "-1", "Token must be >= 0 and < 2**128"},
	} {
		_, err := c.p.Parse(c.text)
		var refused *ring.ConfigError
		if !errors.As(err, &refused) || refused.Message != c.want {
			t.Errorf("%s %q: %v", c.p.Name(), c.text, err)
		}
	}
	if token, err := ring.Random.Parse("170141183460469231731687303715884105728"); err != nil || ring.Random.Format(token) != "170141183460469231731687303715884105728" {
		t.Errorf("2^127: %v", err)
	}
}

func TestByName(t *testing.T) {
	for _, name := range []string{"RandomPartitioner", "org.apache.cassandra.dht.RandomPartitioner"} {
		if p, err := ring.ByName(name); err != nil || p != ring.Random {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := ring.ByName("CollatingOrderPreservingPartitioner"); err == nil || !strings.Contains(err.Error(), "Murmur3Partitioner, RandomPartitioner") {
		t.Errorf("unknown name: %v", err)
	}
}

func TestEvenTokens(t *testing.T) {
	for _, c := range []struct {
		p    ring.Partitioner
		want string
	}{
		{ring.Murmur3, "[-9223372036854775808 -3074457345618258603 3074457345618258602]"},
		{ring.Random, "[0 56713727820156410577229101238628035242 113427455640312821154458202477256070485]"},
		{ring.ByteOrdered, "[0000 5555 aaaa]"},
		{ring.OrderPreserving, "[00 Kf fK]"},
		{ring.SlideMD5, "[0 113427455640312821154458202477256070485 226854911280625642308916404954512140970]"},
	} {
		var got []string
		for _, token := range c.p.Even(3) {
			got = append(got, c.p.Format(token))
		}
		if fmt.Sprint(got) != c.want {
			t.Errorf("%s: %v", c.p.Name(), got)
		}
		many := c.p.Even(5000)
		for i := 1; i < len(many); i++ {
			if !many[i-1].Less(many[i]) || many[i-1].Compare(many[i]) >= 0 {
				t.Fatalf("%s: 5000 tokens do not ascend at %d", c.p.Name(), i)
			}
		}
	}
}

func TestOffset(t *testing.T) {
	for _, c := range []struct {
		p           ring.Partitioner
		token, want string
	}{
		{ring.Murmur3, "-3074457345618258603", "-3074457345618258503"},
		{ring.Murmur3, "9223372036854775807", "-9223372036854775709"},
		{ring.Random, "170141183460469231731687303715884105728", "100"},
		{ring.ByteOrdered, "5555", "55b9"},
		{ring.ByteOrdered, "55ff", "5663"},
		{ring.OrderPreserving, "Kf", "Kf1c"},
		{ring.SlideMD5, "340282366920938463463374607431768211455", "99"},
	} {
		token, err := c.p.Parse(c.token)
		if got := c.p.Format(c.p.Offset(token, 100)); err != nil || got != c.want {
			t.Errorf("%s: %s + 100 = %s, %v", c.p.Name(), c.token, got, err)
		}
	}
}

func TestOrderPreservingOrderIsJavas(t *testing.T) {
	order := []string{"", "A", "a", "é", "\U0001F600", "\ue000", "\uffff"}
	for i := 1; i < len(order); i++ {
		a, b := ring.OrderPreserving.Token([]byte(order[i-1])), ring.OrderPreserving.Token([]byte(order[i]))
		if !a.Less(b) {
			t.Errorf("%q does not stand before %q", order[i-1], order[i])
		}
	}
}

func TestZeroTokenIsTheMinimum(t *testing.T) {
	for _, name := range ring.Names() {
		p, _ := ring.ByName(name)
		if p.Minimum() != (ring.Token{}) {
			t.Error(name)
		}
	}
	p := ring.ByteOrdered
	if mid := p.Format(p.Midpoint(p.Minimum(), p.Minimum())); mid != "80" {
		t.Errorf("the middle of the full ring is %s", mid)
	}
}

func TestCompositeKey(t *testing.T) {
	one := ring.CompositeKey([][]byte{[]byte("a")})
	two := ring.CompositeKey([][]byte{[]byte("a"), []byte("b")})
	if string(one) != "a" || string(two) != "\x00\x01a\x00\x00\x01b\x00" {
		t.Errorf("%x, %x", one, two)
	}
	if got := ring.Murmur3.Format(ring.Murmur3.Token(two)); got != "7470152180878494447" {
		t.Error(got)
	}
}

func TestMurmur3TokenDoesNotAllocate(t *testing.T) {
	keys := [][]byte{[]byte("carol"), {0xff, 0xff}, make([]byte, 100), []byte("日本語のとても長い鍵")}
	p := ring.Murmur3
	if n := testing.AllocsPerRun(100, func() {
		for _, k := range keys {
			p.Token(k)
		}
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}
