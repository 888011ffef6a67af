package ring_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"ringlab/ring"
)

// options reads "key=value key=value".
func options(text string) []ring.Option {
	var out []ring.Option
	for _, pair := range strings.Fields(text) {
		key, value, _ := strings.Cut(pair, "=")
		out = append(out, ring.Option{Key: key, Value: value})
	}
	return out
}

func TestNewStrategy(t *testing.T) {
	two := []ring.Datacenter{{Name: "dc1", Nodes: 3}, {Name: "dc2", Nodes: 2}}
	one := []ring.Datacenter{{Name: "datacenter1", Nodes: 1}}
	const simple, nts = "SimpleStrategy", "NetworkTopologyStrategy"
	for _, c := range []struct {
		class, options, previous string
		dcs                      []ring.Datacenter
		want                     string // stored options with RF and warnings, or the error
	}{
		{simple, "replication_factor=1", "", one, "RF 1 [{replication_factor 1}]"},
		{"org.apache.cassandra.locator.SimpleStrategy", "replication_factor=1", "", one, "RF 1 [{replication_factor 1}]"},
		{"", "", "", one, `0x0000 java.lang.NullPointerException: Cannot invoke "String.contains(java.lang.CharSequence)" because "cls" is null`},
		{"", "replication_factor=1", "", one, "0x2300 Missing replication strategy class"},
		{"NoSuchStrategy", "", "", one, "0x2300 Unable to find replication strategy class 'org.apache.cassandra.locator.NoSuchStrategy'"},
		{"EverywhereStrategy", "", "", one, "0x2300 Unable to find replication strategy class 'org.apache.cassandra.locator.EverywhereStrategy'"},
		{"a.B", "", "", one, "0x2300 Unable to find replication strategy class 'a.B'"},
		{"LocalStrategy", "", "", one, "0x2200 Unable to use given strategy class: LocalStrategy is reserved for internal use."},
		{simple, "", "", one, "RF 1 [{replication_factor 1}]"},
		{simple, "replication_factor=x", "", one, `0x2300 For input string: "x"`},
		{simple, "replication_factor=-1", "", one, "0x2300 Replication factor must be non-negative, found -1"},
		{simple, "replication_factor=3/1", "", one, "0x2300 Transient replication is not enabled on this node"},
		{simple, "replication_factor=1/2/3", "", one, "0x2300 Replication factor format is <replicas> or <replicas>/<transient>"},
		{simple, "replication_factor=1 bogus=2", "", one, "0x2300 Unrecognized strategy option {bogus} passed to SimpleStrategy for keyspace ks"},
		{simple, "replication_factor=0", "", one, "RF 0 [{replication_factor 0}]"},
		{simple, "replication_factor=9", "", two, "RF 9 [{replication_factor 9}] Your replication factor 9 for keyspace ks is higher than the number of nodes 5"},
		{nts, "nodc=1", "", one, "0x2300 Unrecognized strategy option {nodc} passed to NetworkTopologyStrategy for keyspace ks"},
		{nts, "dc9=x", "", one, `0x2300 For input string: "x"`},
		{nts, "dc1=-1", "", two, "0x2300 Replication factor must be non-negative, found -1"},
		{nts, "dc1=3/1", "", two, "0x2300 Transient replication is not enabled on this node"},
		{nts, "", "", one, "RF 1 [{datacenter1 1}]"},
		{nts, "datacenter1=1", "", one, "RF 1 [{datacenter1 1}]"},
		{nts, "replication_factor=2", "", two, "RF 4 [{dc1 2} {dc2 2}]"},
		{nts, "replication_factor=2 dc2=1", "", two, "RF 3 [{dc1 2} {dc2 1}]"},
		{nts, "dc1=2 dc2=0", "", two, "RF 2 [{dc1 2}]"},
		{nts, "dc1=0", "", two, "0x2300 Configuration for at least one datacenter must be present"},
		{nts, "replication_factor=x", "", two, "0x2300 Configuration for at least one datacenter must be present"},
		{nts, "Replication_Factor=1", "", two, "0x2300 replication_factor should not appear as an option at construction time for NetworkTopologyStrategy"},
		{nts, "dc1=9", "", two, "RF 9 [{dc1 9}] Your replication factor 9 for keyspace ks is higher than the number of nodes 3 for datacenter dc1"},
		{nts, "replication_factor=3", "dc1=1", two, "RF 4 [{dc1 1} {dc2 3}] Your replication factor 3 for keyspace ks is higher than the number of nodes 2 for datacenter dc2"},
		{nts, "", "replication_factor=2", two, "RF 4 [{dc1 2} {dc2 2}]"},
		{simple, "", "replication_factor=2", two, "RF 2 [{replication_factor 2}]"},
	} {
		in := ring.ReplicationContext{Keyspace: "ks", Datacenters: c.dcs, Previous: options(c.previous)}
		strategy, stored, warnings, err := ring.NewStrategy(c.class, options(c.options), in)
		var got string
		var refused *ring.ConfigError
		switch {
		case errors.As(err, &refused):
			got = fmt.Sprintf("0x%04x %s", refused.Code, refused.Message)
		case err != nil:
			got = err.Error()
		default:
			got = strings.TrimSpace(fmt.Sprintf("RF %d %v %s", strategy.RF(), stored, strings.Join(warnings, "; ")))
		}
		if got != c.want {
			t.Errorf("%s %s, after %s:\n got %s\nwant %s", c.class, c.options, c.previous, got, c.want)
		}
	}
}

func TestStrategyFactors(t *testing.T) {
	nts := ring.NetworkTopologyStrategy(ring.DatacenterRF{DC: "dc2", RF: 2}, ring.DatacenterRF{DC: "dc1", RF: 3})
	if nts.RF() != 5 || nts.RFIn("dc1") != 3 || nts.RFIn("dc9") != 0 || fmt.Sprint(nts.DCs()) != "[dc1 dc2]" {
		t.Error(nts.RF(), nts.RFIn("dc1"), nts.RFIn("dc9"), nts.DCs())
	}
	if s := ring.SimpleStrategy(3); s.RF() != 3 || s.RFIn("dc1") != 3 || s.DCs() != nil || s.Class() != "SimpleStrategy" {
		t.Error("SimpleStrategy")
	}
	tm := deck4(t, ring.Murmur3)
	if l := ring.LocalStrategy(2); l.RF() != 1 || fmt.Sprint(l.Replicas(tm, 0)) != "[2]" {
		t.Error("LocalStrategy")
	}
	if owner := ring.LocalStrategy(-1).Replicas(tm, 0); len(owner) != 1 || owner[0] != tm.Node(0) {
		t.Error("LocalStrategy of the owner")
	}
}
