package bind

import (
	"ringlab/model/schema"
)

// restrictions are those of the columns of one kind, in order of position and
// then of name. A restriction of several columns stands at each of them.
// Source: Cassandra 5.0 RestrictionSet.
type restrictions struct {
	columns []*schema.Column
	at      []*restriction
	hasIN   bool
	slice   bool
	contain bool
	notOnly bool // something else than = and IN was added
}

func (s *restrictions) find(c *schema.Column) *restriction {
	for i, d := range s.columns {
		if d == c {
			return s.at[i]
		}
	}
	return nil
}

func (s *restrictions) put(c *schema.Column, r *restriction) {
	i := 0
	for ; i < len(s.columns); i++ {
		d := s.columns[i]
		if d == c {
			s.at[i] = r
			return
		}
		if p, q := rank(c), rank(d); p < q || p == q && c.Name < d.Name {
			break
		}
	}
	s.columns = append(s.columns, nil)
	s.at = append(s.at, nil)
	copy(s.columns[i+1:], s.columns[i:])
	copy(s.at[i+1:], s.at[i:])
	s.columns[i], s.at[i] = c, r
}

// add merges a restriction with those of its columns.
// Source: Cassandra 5.0 RestrictionSet.addRestriction.
func (s *restrictions) add(r *restriction) error {
	s.hasIN = s.hasIN || r.kind == membership
	s.slice = s.slice || r.kind == interval
	s.contain = s.contain || r.kind == containment
	s.notOnly = s.notOnly || r.kind != equality && r.kind != membership
	var existing []*restriction
	for _, c := range r.columns {
		if e := s.find(c); e != nil && !containsRestriction(existing, e) {
			existing = append(existing, e)
		}
	}
	merged := r
	for _, e := range existing {
		m, err := e.merge(r)
		if err != nil {
			return err
		}
		merged = m
	}
	for _, c := range r.columns {
		s.put(c, merged)
	}
	return nil
}

func containsRestriction(rs []*restriction, r *restriction) bool {
	for _, x := range rs {
		if x == r {
			return true
		}
	}
	return false
}

// each walks over the restrictions, those of several columns once in a row.
func (s *restrictions) each(yield func(*restriction) bool) {
	var previous *restriction
	for _, r := range s.at {
		if r == previous {
			continue
		}
		previous = r
		if !yield(r) {
			return
		}
	}
}

func (s *restrictions) empty() bool { return len(s.columns) == 0 }
func (s *restrictions) size() int   { return len(s.columns) }

func (s *restrictions) lastRestriction() *restriction {
	if len(s.at) == 0 {
		return nil
	}
	return s.at[len(s.at)-1]
}

// addClustering adds a restriction of clustering columns; without filtering, or
// an index that finds what it asks for, nothing may follow an interval.
// Source: Cassandra 5.0 ClusteringColumnRestrictions.mergeWith.
func (s *restrictions) addClustering(r *restriction, filtering bool) error {
	last, wasEmpty := s.lastRestriction(), s.empty()
	if err := s.add(r); err != nil {
		return err
	}
	if wasEmpty || filtering {
		return nil
	}
	from, to := last.first(), r.first()
	if last.kind == interval && to.Position > from.Position {
		return invalid("Clustering column \"%s\" cannot be restricted (preceding column \"%s\" is restricted by a non-EQ relation)", to.Name, from.Name)
	}
	if to.Position < from.Position && r.kind == interval {
		return invalid("PRIMARY KEY column \"%s\" cannot be restricted (preceding column \"%s\" is restricted by a non-EQ relation)", s.next(to).Name, to.Name)
	}
	return nil
}

// next is the restricted column after c.
func (s *restrictions) next(c *schema.Column) *schema.Column {
	for i, d := range s.columns {
		if d == c && i+1 < len(s.columns) {
			return s.columns[i+1]
		}
	}
	return c
}

// asFilter says whether a restriction cannot be part of the clustering prefix.
// Source: Cassandra 5.0 ClusteringColumnRestrictions.handleInFilter.
func asFilter(r *restriction, at int) bool {
	return r.kind == containment || r.kind == likeness || r.first().Position != at
}

// clusteringNeedsFilter says whether rows have to be filtered by clustering
// columns. Source: Cassandra 5.0 ClusteringColumnRestrictions.needFiltering.
func (s *restrictions) clusteringNeedsFilter() bool {
	at, need := 0, false
	s.each(func(r *restriction) bool {
		if asFilter(r, at) {
			need = true
			return false
		}
		if r.kind != interval {
			at = r.last().Position + 1
		}
		return true
	})
	return need || s.contain
}
