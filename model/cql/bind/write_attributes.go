package bind

import (
	"math"

	"ringlab/model/cql"
	"ringlab/model/plan"
	"ringlab/model/types"
)

// maxTTL is twenty years in seconds. Source: Cassandra 5.0 Attributes.MAX_TTL.
const maxTTL = 20 * 365 * 24 * 60 * 60

// maxExpiration is the last second at which a cell may expire while the storage
// is kept compatible with Cassandra 4: 2038-01-19T03:14:06Z.
// Source: Cassandra 5.0 Cell.MAX_DELETION_TIME_UNSIGNED_INTEGER, ExpirationDateOverflowHandling.
const maxExpiration = 1<<31 - 2

// usingClause is USING TIMESTAMP and USING TTL.
// Source: Cassandra 5.0 Attributes.
type usingClause struct {
	timestamp, ttl *term
}

var (
	timestampSpec = spec{name: "[timestamp]", typ: types.BigInt}
	ttlSpec       = spec{name: "[ttl]", typ: types.Int}
)

// attributes prepares both. A replaced marker keeps its place among the values,
// of which Cassandra knows no type: it fails with a NullPointerException.
func (p *preparation) attributes(a cql.Attributes) (usingClause, error) {
	if a.Timestamp == nil && a.TTL == nil {
		return usingClause{}, nil
	}
	return p.givenAttributes(a)
}

func (p *preparation) givenAttributes(a cql.Attributes) (out usingClause, err error) {
	for _, r := range a.Replaced {
		if r.TTL {
			p.marker(r.Marker, ttlSpec)
		} else {
			p.marker(r.Marker, timestampSpec)
		}
	}
	for _, x := range []struct {
		raw  cql.Term
		spec spec
		to   **term
	}{{a.Timestamp, timestampSpec, &out.timestamp}, {a.TTL, ttlSpec, &out.ttl}} {
		if x.raw == nil {
			continue
		}
		t, err := p.prepare(x.raw, x.spec)
		if err != nil {
			return out, err
		}
		*x.to = &t
	}
	return out, nil
}

// bind checks timestamp and TTL and puts them into the plan.
// Source: Cassandra 5.0 Attributes.getTimestamp, getTimeToLive.
func (a *usingClause) bind(out *plan.Write, env *Env) error {
	if a.timestamp != nil {
		var err error
		if out.Timestamp, err = bindTimestamp(a.timestamp, env); err != nil {
			return err
		}
	}
	if err := a.bindTTL(out, env); err != nil {
		return err
	}
	if out.Timestamp != nil && *out.Timestamp == math.MinInt64 {
		return invalid("Out of bound timestamp, must be in [%d, %d]", math.MinInt64+1, math.MaxInt64)
	}
	return nil
}

// bindTimestamp is the value of USING TIMESTAMP, nil for one that is not set.
func bindTimestamp(t *term, env *Env) (*int64, error) {
	v, unset, err := t.bind(env)
	switch {
	case err != nil || unset:
		return nil, err
	case v == nil:
		return nil, invalid("Invalid null value of timestamp")
	case len(v) == 0:
		return nil, noNumber("Long.longValue", "LongType")
	}
	at := types.DecodeInt64(v)
	return &at, nil
}

func (a *usingClause) bindTTL(out *plan.Write, env *Env) error {
	if a.ttl == nil {
		return checkExpiration(out, int32(out.Table.Options.DefaultTTL), env)
	}
	v, unset, err := a.ttl.bind(env)
	if err != nil || unset {
		return err
	}
	var ttl int32
	if len(v) > 0 {
		ttl = types.DecodeInt32(v)
	}
	switch {
	case ttl < 0:
		return invalid("A TTL must be greater or equal to 0, but was %d", ttl)
	case ttl > maxTTL:
		return invalid("ttl is too large. requested (%d) maximum (%d)", ttl, maxTTL)
	}
	out.TTL = &ttl
	return checkExpiration(out, ttl, env)
}

// checkExpiration refuses cells that would expire too far in the future.
// Source: Cassandra 5.0 ExpirationDateOverflowHandling.maybeApplyExpirationDateOverflowPolicy.
func checkExpiration(out *plan.Write, ttl int32, env *Env) error {
	if ttl == 0 || env.Now == nil || env.Now()/1_000_000+int64(ttl) <= maxExpiration {
		return nil
	}
	return invalid("Request on table %s.%s with %sttl of %d seconds exceeds maximum supported expiration date of 2038-01-19T03:14:06+00:00. "+
		"In order to avoid this use a lower TTL, change the expiration date overflow policy or upgrade to a version where this limitation "+
		"is fixed. See CASSANDRA-14092 and CASSANDRA-14227 for more details.",
		out.Table.Keyspace, out.Table.Name, defaultWord(out.TTL == nil), ttl)
}

func defaultWord(yes bool) string {
	if yes {
		return "default "
	}
	return ""
}
