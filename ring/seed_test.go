package ring_test

import (
	"encoding/hex"
	"fmt"
	"strings"
	"testing"

	"ringlab/ring"
)

// deck4 is the ring of four nodes A, B, C, D, where D's range wraps; further nodes
// may follow.
func deck4(t *testing.T, p ring.Partitioner, more ...ring.Node) *ring.TokenMap {
	t.Helper()
	even := p.Even(4)
	if p == ring.ByteOrdered {
		for i, text := range []string{"00", "40", "80", "c0"} {
			even[i], _ = p.Parse(text)
		}
	}
	nodes := []ring.Node{
		{Name: "A", Tokens: even[1:2]}, {Name: "B", Tokens: even[2:3]},
		{Name: "C", Tokens: even[3:4]}, {Name: "D", Tokens: even[0:1]},
	}
	tm, err := ring.NewTokenMap(p, append(nodes, more...))
	if err != nil {
		t.Fatal(err)
	}
	return tm
}

// place gives the names of a key's replicas under SimpleStrategy.
func place(tm *ring.TokenMap, rf int, key string) string {
	var names strings.Builder
	for _, n := range ring.SimpleStrategy(rf).Replicas(tm, tm.Primary(tm.Partitioner().Token([]byte(key)))) {
		names.WriteString(tm.Nodes()[n].Name)
	}
	return names.String()
}

var deckHashers = []ring.Partitioner{ring.SlideMD5, ring.Random, ring.Murmur3}

func TestDeckTokens(t *testing.T) {
	want := map[string]string{
		"SlideMD5":               "85070591730234615865843651857942052864 170141183460469231731687303715884105728 255211775190703847597530955573826158592 0",
		"RandomPartitioner":      "42535295865117307932921825928971026432 85070591730234615865843651857942052864 127605887595351923798765477786913079296 0",
		"Murmur3Partitioner":     "-4611686018427387904 0 4611686018427387904 -9223372036854775808",
		"ByteOrderedPartitioner": "40 80 c0 00",
	}
	for _, p := range append(deckHashers, ring.ByteOrdered) {
		var got []string
		for _, n := range deck4(t, p).Nodes() {
			got = append(got, p.Format(n.Tokens[0]))
		}
		if s := strings.Join(got, " "); s != want[p.Name()] {
			t.Errorf("%s: %s", p.Name(), s)
		}
	}
}

func TestKeyTable(t *testing.T) {
	for _, row := range []struct{ key, random, murmur, slide, owners string }{
		{"jim", "124960160596152451487514980668577126683", "2680261686609811218", "5e027396789a18c37aeda616e3d7991b", "BCC"},
		{"carol", "114811550929324739366097345421126983000", "-3169904368870211108", "a9a0198010a6073db96434f6cc5f22a8", "CCB"},
		{"johnny", "14729738800958119953238598696305462552", "-2876970619340914070", "f4eb27cea7255cea4d1ffabf593372e8", "DAB"},
		{"suzy", "160442646100152835130820477969237982212", "4113135677556563029", "78b421309e310f1950b83b418b1ebc04", "BDC"},
		{"group1", "107955375062483687453225538606152863977", "-2413872665919611707", "513772ee53011ad9f4dc374b2d34d0e9", "BCB"},
		{"group2", "13170128207415590495277513183260282844", "5483485865352394673", "f617868bd8c41043dc4bebc7952c7024", "DAD"},
		{"group3", "160105711955579199105580337541585265969", "145839926267368247", "78733d0dd44e9bbca1d931c569676531", "BDC"},
		{"itemid1", "133509882992362828404616105715544397589", "-5399272977062304378", "6471117273f1bc633f7143adb06c9715", "BDA"},
		{"userid1", "53529342446538625927885090186436817384", "-9002157380764436403", "d7ba9fa7634764f2fd5bb81e8183ce18", "DBA"},
		{"sellerid1", "70511328602216408309019006600248121746", "3979551258548783603", "caf40317d92acf8aa8d57c33c51ea66e", "DBC"},
		{"123", "42767516990368493138776584305024125808", "-7468325962851647638", "202cb962", "ABA"},
		{"456", "49248787793033167054075185248614390274", "7758250825761041707", "250cf8b5", "ABD"},
		{"111", "140302709094137701773086334180578563688", "-175843201295106731", "698d51a1", "BDB"},
		{"222", "89399924833928266479949771762211212067", "8631679318418369280", "bcbe3365", "CCD"},
		{"12071214", "160955570426020994533853026691544437386", "-4963009369152298693", "", "?DA"},
	} {
		digest := ring.MD5([]byte(row.key))
		if got := hex.EncodeToString(digest[:]); !strings.HasPrefix(got, row.slide) {
			t.Errorf("%s: MD5 %s", row.key, got)
		}
		if got := ring.Random.Format(ring.Random.Token([]byte(row.key))); got != row.random {
			t.Errorf("%s: random token %s", row.key, got)
		}
		if got := ring.Murmur3.Format(ring.Murmur3.Token([]byte(row.key))); got != row.murmur {
			t.Errorf("%s: murmur3 token %s", row.key, got)
		}
		for i, p := range deckHashers {
			if got := place(deck4(t, p), 1, row.key); row.owners[i] != '?' && got != row.owners[i:i+1] {
				t.Errorf("%s: %s owner %s, not %c", row.key, p.Name(), got, row.owners[i])
			}
		}
	}
}

func TestSeed_R2_endOfRangeBelongsToIt(t *testing.T) {
	tm := deck4(t, ring.SlideMD5)
	if got := tm.Nodes()[tm.Node(tm.Primary(ring.SlideMD5.Minimum()))].Name; got != "D" {
		t.Errorf("token 0 belongs to %s", got)
	}
	if r := tm.Range(0); !r.IsWrapAround() || tm.Nodes()[tm.Node(0)].Name != "D" {
		t.Error("D does not have the wrapping range")
	}
}

func TestSeed_R3_R4_walks(t *testing.T) {
	want := map[string]string{
		"SlideMD5":           "BCD CDA DAB BCD",
		"RandomPartitioner":  "CDA CDA ABC DAB",
		"Murmur3Partitioner": "CDA BCD BCD CDA",
	}
	for _, p := range deckHashers {
		tm := deck4(t, p)
		var got []string
		for _, key := range []string{"jim", "carol", "johnny", "suzy"} {
			got = append(got, place(tm, 3, key))
			for _, rf := range []int{4, 5} {
				if all := place(tm, rf, key); len(all) != 4 {
					t.Errorf("%s %s: RF %d gives %s", p.Name(), key, rf, all)
				}
			}
		}
		if s := strings.Join(got, " "); s != want[p.Name()] {
			t.Errorf("%s: %s", p.Name(), s)
		}
	}
}

func TestSeed_R5_fifthNodeBisectsA(t *testing.T) {
	p := ring.Murmur3
	tm := deck4(t, p)
	fifth := ring.Node{Name: "E", Tokens: []ring.Token{p.Midpoint(tm.Range(1).Left, tm.Range(1).Right)}}
	owns, err := deck4(t, p, fifth).Owns()
	if got := fmt.Sprint(owns); err != nil || got != "[0.125 0.25 0.25 0.25 0.125]" {
		t.Errorf("owns %s, %v", got, err)
	}
}

func TestSeed_R7_orderedKeys(t *testing.T) {
	tm := deck4(t, ring.ByteOrdered)
	for _, key := range []string{"jim", "carol", "johnny", "suzy"} {
		if got := place(tm, 1, key); got != "B" {
			t.Errorf("%s lands on %s", key, got)
		}
	}
	if got := spread(tm, hourKeys()); got != "A24 B0 C0 D0" {
		t.Errorf("hour keys fall %s", got)
	}
}

func hourKeys() []string {
	var keys []string
	for hour := range 24 {
		keys = append(keys, fmt.Sprintf("120712%02d", hour))
	}
	return keys
}

func byType(hours []string) []string {
	var keys []string
	for _, hour := range hours {
		for _, kind := range strings.Fields("BID BUY SELL WATCH OFFER VIEW LIKE ASK") {
			keys = append(keys, hour+"|"+kind)
		}
	}
	return keys
}

func spread(tm *ring.TokenMap, keys []string) string {
	counts := map[string]int{}
	for _, key := range keys {
		counts[place(tm, 1, key)]++
	}
	return fmt.Sprintf("A%d B%d C%d D%d", counts["A"], counts["B"], counts["C"], counts["D"])
}

func TestSeed_M9_M10_keySpread(t *testing.T) {
	murmur, random := deck4(t, ring.Murmur3), deck4(t, ring.Random)
	for _, c := range []struct {
		tm   *ring.TokenMap
		keys []string
		want string
	}{
		{murmur, hourKeys(), "A7 B5 C7 D5"},
		{random, hourKeys(), "A5 B8 C4 D7"},
		{murmur, byType([]string{"12071214"}), "A2 B2 C2 D2"},
		{random, byType([]string{"12071214"}), "A2 B1 C1 D4"},
		{murmur, byType(hourKeys()), "A40 B53 C48 D51"},
		{random, byType(hourKeys()), "A49 B48 C48 D47"},
	} {
		if got := spread(c.tm, c.keys); got != c.want {
			t.Errorf("%s, %d keys: %s, not %s", c.tm.Partitioner().Name(), len(c.keys), got, c.want)
		}
	}
}
