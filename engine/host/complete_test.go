package host

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestComplete(t *testing.T) {
	h := fresh(t)
	well(t, h, tables+`CREATE TABLE ks."WideRows" ("Key" int PRIMARY KEY, "vAl" text);
CREATE KEYSPACE other WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1};
CREATE TABLE other.events (day date PRIMARY KEY, what text);
CREATE INDEX note_l_idx ON ks.note (l);
USE ks;`)
	for _, c := range []struct {
		typed string // | is the cursor
		from  int    // where the word begins
		want  string // the first completions
	}{
		{"SELECT * FROM |", 14, `"WideRows" note t ks."WideRows" ks.note ks.t other.events`},
		{"SELECT * FROM n|", 14, "note"},
		{"SELECT * FROM ks.n|", 14, "ks.note"},
		{"select * from OTHER.|", 14, "other.events"},
		{`SELECT * FROM "W|`, 14, `"WideRows"`},
		{"SELECT * FROM w|", 14, `"WideRows"`},
		{"INSERT INTO no|te", 12, "note"},
		{"SELECT | FROM other.events", 7, `day what "WideRows"`},
		{"SELECT i| FROM note", 7, "id"},
		{"SELECT d| FROM other.events", 7, "day DISTINCT"},
		{`SELECT v| FROM "WideRows"`, 7, `"vAl"`},
		{"USE |", 4, "ks other"},
		{"DROP INDEX |", 11, "note_l_idx ks.note_l_idx"},
		{"DESCRIBE INDEX no|", 15, "note_l_idx"},
		{"CREATE INDEX ON no|", 16, "note"},
		{"USE ks; DROP INDEX ks.|", 19, "ks.note_l_idx"},
		{"DESCRIBE KEYSPACE o|", 18, "other"},
		{":str|", 0, ":stress"},
		{":stress p.yaml o|", 15, "ops(insert=1) other.events other"},
		{":stress t|", 8, "table= threads= t"},
		{"CONSISTENCY local|", 12, "LOCAL_ONE LOCAL_QUORUM"},
		{"sel|", 0, "SELECT"},
		{"|", 0, "ADD ALTER BEGIN CREATE"},
		{"con|", 0, "CONSISTENCY"},
		{"SELECT * FROM note WHERE id = 1 |", 32, "ALLOW AND GROUP LIMIT ORDER PER"},
		{"SELECT * FROM note WHERE id |", 28, "CONTAINS IN IS LIKE"},
		{"SELECT 1; DELETE FROM note WHERE id = 1 i|", 40, "IF"},
		{"CREATE TABLE x (a t|", 18, "text time timestamp"},
		{"BEGIN BATCH INSERT INTO note (id) VALUES (1); u|", 46, "UPDATE"},
		{":|", 0, ":add :advance :answer :as"},
		{":comp|", 0, ":compact :compaction"},
		{":compare-h|", 0, ":compare-hashers"},
		{"  :dow|", 2, ":down"},
		{":down |", 6, "n1 n2 n3"},
		{":down n1,n|", 9, "n1 n2"},
		{":flush n1 ks.n|", 10, "ks.note"},
		{":help compare|", 6, "compare-hashers"},
		{":down n1\nSELECT * FROM no|", 23, "note"},
		{"SELECT 1;\n:dow|", 10, ":down"},
		{"nodet|", 0, "nodetool"},
		{"nodetool |", 9, "assassinate cleanup compact compactionhistory"},
		{"nodetool gete|", 9, "getendpoints"},
		{"nodetool -h |", 12, "n1 n2 n3"},
		{"nodetool -h n2 tablest|", 15, "tablestats"},
		{"nodetool help tabl|", 14, "tablehistograms tablestats"},
		{"nodetool tablestats ks.n|", 20, "ks.note"},
		{"nodetool status o|", 16, "other"},
		{"SELECT 'é|", 8, ""},
		{"zzz|", 0, ""},
	} {
		cursor := strings.IndexByte(c.typed, '|')
		text := strings.Replace(c.typed, "|", "", 1)
		from, items := h.Complete(text, cursor)
		var got []string
		for _, i := range items {
			got = append(got, i.Text)
		}
		list := strings.Join(got, " ")
		if from != c.from || !strings.HasPrefix(list, c.want) || c.want == "" && list != "" {
			t.Errorf("%q: from %d: %.100s; expected from %d: %s", c.typed, from, list, c.from, c.want)
		}
	}
	for _, text := range []string{"", "é\xffü", ":", "\"", ": ", "SELECT \"\" FROM \"", strings.Repeat("x", 5000)} {
		for cursor := -1; cursor <= len(text)+1 && cursor < 40; cursor++ {
			from, items := h.Complete(text, cursor)
			if from < 0 || from > len(text) || from > max(cursor, 0) {
				t.Errorf("%q at %d: from %d", text, cursor, from)
			}
			for _, i := range items {
				if !utf8.ValidString(i.Text) {
					t.Errorf("%q", i.Text)
				}
			}
		}
	}
}
