package engine_test

import (
	"fmt"
	"slices"
	"testing"

	"ringlab/engine/native"
	"ringlab/engine/serve"
)

// TestFollowedEvents compares what is pushed when a table or a type changes that
// views and other tables hang on with what a real node pushes.
func TestFollowedEvents(t *testing.T) {
	s := serveRing(t, "datacenter1=1 racks=1", serve.Options{})
	w := open(t, s.Address(0), native.V5, "", native.SchemaEvent)
	for _, step := range []struct {
		text   string
		pushed []string
	}{
		{"CREATE KEYSPACE ev WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}", []string{"CREATED KEYSPACE "}},
		{"CREATE TABLE ev.s (k int, c int, v int, PRIMARY KEY (k, c))", []string{"CREATED TABLE s"}},
		{"CREATE MATERIALIZED VIEW ev.m AS SELECT * FROM ev.s WHERE k IS NOT NULL AND c IS NOT NULL PRIMARY KEY (c, k)", []string{"CREATED TABLE m"}},
		{"ALTER TABLE ev.s ADD f int", []string{"UPDATED TABLE s", "UPDATED TABLE m"}},
		{"CREATE INDEX i ON ev.s (v)", []string{"UPDATED TABLE s"}},
		{"ALTER TABLE ev.s RENAME k TO kk", []string{"UPDATED TABLE s", "UPDATED TABLE m"}},
		{"CREATE TYPE ev.ty (a int)", []string{"CREATED TYPE ty"}},
		{"CREATE TABLE ev.u (k int PRIMARY KEY, v ev.ty)", []string{"CREATED TABLE u"}},
		{"ALTER TYPE ev.ty ADD b int", []string{"UPDATED TYPE ty", "UPDATED TABLE u"}},
		{"DROP MATERIALIZED VIEW ev.m", []string{"DROPPED TABLE m"}},
	} {
		if out, err := s.Command(step.text); err != nil || out[0].Error != nil {
			t.Fatalf("%s: %v %+v", step.text, err, out)
		}
		var got []string
		for range step.pushed {
			f, err := w.frame()
			if err != nil {
				t.Fatalf("%s: after %q: %v", step.text, got, err)
			}
			e := f.Body.(*native.Event).Schema
			got = append(got, fmt.Sprintf("%s %s %s", e.Change, e.Target, e.Name))
		}
		if !slices.Equal(got, step.pushed) {
			t.Errorf("%s: %q, expected %q", step.text, got, step.pushed)
		}
	}
}
