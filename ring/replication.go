package ring

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
)

// Option is one entry of a keyspace's replication map, without its class.
type Option struct{ Key, Value string }

const factorOption = "replication_factor"

// ReplicationContext is what the check of a keyspace's replication depends on.
type ReplicationContext struct {
	Keyspace    string
	Datacenters []Datacenter // known ones; only Name and Nodes count
	Previous    []Option     // ALTER: the stored options so far; CREATE: nil
	DefaultRF   int          // default_keyspace_rf; 0 means 1
}

// NewStrategy checks the replication map of CREATE or ALTER KEYSPACE. It returns the
// strategy, the options as stored (expanded, sorted by key, without the class) and
// the warnings for the client. The class may carry its package; "" means it was not
// given. Of an option given twice the last counts. Errors are *ConfigError in
// Cassandra's words; where several options are wrong, the first by key is named.
// Source: Cassandra 5.0 KeyspaceAttributes, ReplicationParams, AbstractReplicationStrategy.
func NewStrategy(class string, options []Option, in ReplicationContext) (Strategy, []Option, []string, error) {
	name, err := strategyClass(class, len(options) > 0)
	if err != nil {
		return nil, nil, nil, err
	}
	stored := optionMap{}
	for _, o := range options {
		stored.put(o.Key, o.Value)
	}
	if name == ClassSimple {
		return in.simple(stored)
	}
	return in.networkTopology(stored)
}

func strategyClass(class string, haveOptions bool) (string, error) {
	if class == "" {
		if haveOptions {
			return "", configErrorf("Missing replication strategy class")
		}
		return "", &ConfigError{Code: CodeServerError, Message: `java.lang.NullPointerException: Cannot invoke "String.contains(java.lang.CharSequence)" because "cls" is null`}
	}
	full := class
	if !strings.Contains(class, ".") {
		full = "org.apache.cassandra.locator." + class
	}
	switch short, _ := strings.CutPrefix(full, "org.apache.cassandra.locator."); short {
	case ClassSimple, ClassNetworkTopology:
		return short, nil
	case ClassLocal:
		return "", &ConfigError{Code: CodeInvalid, Message: "Unable to use given strategy class: LocalStrategy is reserved for internal use."}
	case "OldNetworkTopologyStrategy":
		return "", configErrorf("The support for the OldNetworkTopologyStrategy has been removed in C* version 4.0. The keyspace strategy should be switch to NetworkTopologyStrategy")
	}
	return "", configErrorf("Unable to find replication strategy class '%s'", full)
}

func (in ReplicationContext) simple(o optionMap) (Strategy, []Option, []string, error) {
	if _, given := o[factorOption]; !given {
		o.put(factorOption, in.fallback())
	}
	rf, err := parseFactor(o[factorOption])
	if err != nil {
		return nil, nil, nil, err
	}
	for _, e := range o.sorted() {
		if e.Key != factorOption {
			return nil, nil, nil, in.unrecognized(e.Key, ClassSimple)
		}
	}
	nodes := 0
	for _, dc := range in.Datacenters {
		nodes += dc.Nodes
	}
	return SimpleStrategy(rf), o.sorted(), in.warning(nil, rf, nodes, ""), nil
}

// fallback is the factor of a map that names none.
func (in ReplicationContext) fallback() string {
	for _, o := range in.Previous {
		if o.Key == factorOption {
			return o.Value
		}
	}
	return strconv.Itoa(cmp.Or(in.DefaultRF, 1))
}

func (in ReplicationContext) networkTopology(o optionMap) (Strategy, []Option, []string, error) {
	in.expand(o)
	stored := o.sorted()
	factors := make([]DatacenterRF, 0, len(stored))
	for _, e := range stored {
		if strings.EqualFold(e.Key, factorOption) {
			return nil, nil, nil, configErrorf("replication_factor should not appear as an option at construction time for NetworkTopologyStrategy")
		}
		rf, err := parseFactor(e.Value)
		if err != nil {
			return nil, nil, nil, err
		}
		factors = append(factors, DatacenterRF{e.Key, rf})
	}
	if err := in.checkDatacenters(stored, o); err != nil {
		return nil, nil, nil, err
	}
	var warnings []string
	for _, f := range factors {
		warnings = in.warning(warnings, f.RF, in.nodesIn(f.DC), " for datacenter "+f.DC)
	}
	return NetworkTopologyStrategy(factors...), stored, warnings, nil
}

// expand replaces replication_factor by a factor for each known datacenter not
// listed, keeping earlier settings, and drops datacenters given '0'. A factor that
// cannot be read expands to nothing: Cassandra drops the failure here.
// Source: Cassandra 5.0 NetworkTopologyStrategy.prepareOptions.
func (in ReplicationContext) expand(o optionMap) {
	if len(o) == 0 {
		o.put(factorOption, in.fallback())
	}
	if text, given := o[factorOption]; given {
		delete(o, factorOption)
		for _, e := range in.Previous {
			if e.Key != factorOption {
				o.putIfAbsent(e.Key, e.Value)
			}
		}
		rf, err := parseFactor(text)
		if err != nil {
			return
		}
		for _, dc := range in.Datacenters {
			o.putIfAbsent(dc.Name, strconv.Itoa(rf))
		}
	}
	for _, e := range o.sorted() {
		if e.Value == "0" {
			delete(o, e.Key)
		}
	}
}

// Source: Cassandra 5.0 NetworkTopologyStrategy.validateExpectedOptions.
func (in ReplicationContext) checkDatacenters(stored []Option, o optionMap) error {
	if len(stored) == 0 {
		return configErrorf("Configuration for at least one datacenter must be present")
	}
	for _, e := range stored {
		if !slices.ContainsFunc(in.Datacenters, func(dc Datacenter) bool { return dc.Name == e.Key }) {
			return in.unrecognized(e.Key, ClassNetworkTopology)
		}
	}
	if !strings.EqualFold(in.Keyspace, "system_auth") {
		return nil
	}
	var missing []string
	for _, dc := range in.Datacenters {
		if _, listed := o[dc.Name]; !listed {
			missing = append(missing, dc.Name)
		}
	}
	if len(missing) == 0 {
		return nil
	}
	slices.Sort(missing)
	return configErrorf("Following datacenters have active nodes and must be present in replication options for keyspace system_auth: [%s]", strings.Join(missing, ", "))
}
