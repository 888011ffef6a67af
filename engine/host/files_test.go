package host

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ringlab/engine"
	"ringlab/engine/admin"
)

// inFolder runs a test in a folder of its own, where relative names lead.
func inFolder(t *testing.T) {
	t.Helper()
	t.Chdir(t.TempDir())
}

func write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func contents(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// A COPY FROM is journaled with what it read: the replay and a saved script need
// the files no more.
func TestCopyIsReplayedWithoutItsFiles(t *testing.T) {
	inFolder(t)
	h := open(t, "lab.ringlab")
	well(t, h, tables)
	write(t, "a1.csv", "k,c,v\n1,1,one\n1,2,\"two, and\nmore\"\n")
	write(t, "a2.csv", "k,c,v\r\n2,1,three\r\n")
	if got := well(t, h, "COPY ks.t FROM 'a*.csv' WITH HEADER = true;"); !strings.Contains(got, "3 rows imported from 2 files") {
		t.Error(got)
	}
	well(t, h, "COPY ks.t (k, c, v) FROM STDIN\n3,1,.four\n.\n")
	const rows = "SELECT k, c, v, writetime(v) FROM ks.t;\n:partition ks.t 1"
	before := well(t, h, rows)
	for _, name := range []string{"a1.csv", "a2.csv"} {
		if err := os.Remove(name); err != nil {
			t.Fatal(err)
		}
	}
	well(t, h, ":save lab.lab")
	h.Close()
	h = open(t, "lab.ringlab")
	if got := well(t, h, rows); got != before {
		t.Errorf("the replay has\n%s\nnot\n%s", got, before)
	}
	h.Close()
	script := contents(t, "lab.lab")
	again := open(t, "again.ringlab")
	well(t, again, script)
	if got := well(t, again, rows); got != before {
		t.Errorf("the saved script\n%s\nmakes\n%s\nnot\n%s", script, got, before)
	}
}

// Rows that are lost are kept in a file; one of that name is put aside. Another
// replay writes nothing.
func TestCopyKeepsLostRows(t *testing.T) {
	inFolder(t)
	h := open(t, "lab.ringlab")
	well(t, h, tables)
	write(t, "a.csv", "1,1,one\nx,1,two\n2,2,\n3\n")
	write(t, "lost.err", "older")
	list := do(t, h, "COPY ks.t FROM 'a.csv' WITH ERRFILE = 'lost.err';")
	if len(list) != 2 || list[1].Error == nil || !strings.Contains(list[1].Error.Message, "(line 2)") ||
		!strings.Contains(list[1].Error.Message, "Failed to process 2 rows; failed rows written to lost.err") {
		t.Fatalf("%+v", list)
	}
	if got := contents(t, "lost.err"); got != "x,1,two\r\n3\r\n" {
		t.Errorf("%q", got)
	}
	aside, _ := filepath.Glob("lost.err.*")
	if len(aside) != 1 || contents(t, aside[0]) != "older" {
		t.Errorf("the older file is not put aside: %v", aside)
	}
	if got := well(t, h, "COPY ks.t TO 'out.csv';"); !strings.Contains(got, "2 rows exported to 1 files") {
		t.Error(got)
	}
	if got := contents(t, "out.csv"); got != "1,1,one\r\n2,2,\r\n" {
		t.Errorf("%q", got)
	}
	well(t, h, "COPY ks.t TO 'part.csv' WITH MAXOUTPUTSIZE = 1 AND HEADER = true;")
	if got := contents(t, "part.csv") + contents(t, "part.csv.1"); got != "k,c,v\r\n1,1,one\r\n2,2,\r\n" {
		t.Errorf("%q", got)
	}
	h.Close()
	for _, name := range []string{"out.csv", "lost.err", "part.csv", "part.csv.1"} {
		os.Remove(name)
	}
	open(t, "lab.ringlab")
	for _, name := range []string{"out.csv", "lost.err", "part.csv"} {
		if _, err := os.Stat(name); err == nil {
			t.Errorf("the replay wrote %s", name)
		}
	}
}

// A COPY that is cancelled keeps what it has done, and its replay does the same.
func TestCopyCanBeCancelled(t *testing.T) {
	inFolder(t)
	var rows strings.Builder
	for i := range 2000 {
		fmt.Fprintf(&rows, "%d,1,v\n", i)
	}
	write(t, "a.csv", rows.String())
	s, err := Open("lab.ringlab", OpenOptions{Epoch: engine.DefaultEpoch})
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range strings.SplitAfter(strings.TrimSpace(tables), "\n") {
		_, receipt := s.Run(strings.TrimSuffix(strings.TrimSpace(text), ";"))
		s.Commit(receipt, func(error) {})
	}
	s.Watch(func(p admin.Progress) bool { return p.Done < 300 })
	answers, receipt := s.Run("COPY ks.t FROM 'a.csv' WITH HEADER = false")
	if n := len(answers); n != 2 || answers[1].Error == nil || !strings.HasPrefix(answers[1].Error.Message, "Cancelled after 320 rows") {
		t.Fatalf("%+v", answers[n-1].Error)
	}
	s.Commit(receipt, func(err error) {
		if err != nil {
			t.Error(err)
		}
	})
	count := func() string {
		out, r := s.Run("SELECT count(*) FROM ks.t")
		s.Commit(r, func(error) {})
		return out[0].Rows[0][0].Text
	}
	if got := count(); got != "320" {
		t.Errorf("%s rows are there", got)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if s, err = Open("lab.ringlab", OpenOptions{}); err != nil || s.Differs != "" {
		t.Fatal(err, s.Differs)
	}
	defer s.Close()
	if got := count(); got != "320" {
		t.Errorf("%s rows are there after the replay", got)
	}
}

// While CAPTURE is on, results go to the file and errors to the screen.
func TestCapture(t *testing.T) {
	inFolder(t)
	h := open(t, "lab.ringlab")
	well(t, h, tables+"INSERT INTO ks.t (k, c, v) VALUES (1, 1, 'x');")
	if got := well(t, h, "CAPTURE"); got != "Currently not capturing query output.\n" {
		t.Error(got)
	}
	if list := do(t, h, "CAPTURE OFF"); list[0].Error == nil || list[0].Error.Message != "Not currently capturing output." {
		t.Errorf("%+v", list)
	}
	if got := well(t, h, "CAPTURE 'out.txt';"); got != "Now capturing query output to 'out.txt'.\n" {
		t.Error(got)
	}
	list := do(t, h, "SELECT v FROM ks.t; SELECT nope FROM ks.t;\nCONSISTENCY\nCAPTURE\nCAPTURE 'b.txt'\nCAPTURE OFF\nSELECT c FROM ks.t;")
	got := ""
	for _, a := range list {
		if a.Error != nil {
			got += "error " + a.Error.Message + "\n"
		}
	}
	got += said(list)
	for _, want := range []string{"Undefined column name nope", "Currently capturing query output to 'out.txt'.", "Already capturing output to out.txt. Use CAPTURE OFF to disable.",
		"Current consistency level is ONE.", " c\n---\n 1\n"} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is not in\n%s", want, got)
		}
	}
	if strings.Contains(got, " v\n") {
		t.Errorf("the captured result is shown as well:\n%s", got)
	}
	if got := contents(t, "out.txt"); got != "\n v\n---\n x\n\n(1 rows)\n" {
		t.Errorf("%q", got)
	}
	if list := do(t, h, "CAPTURE out.txt"); list[0].Error == nil || list[0].Error.Message != "Improper CAPTURE command." {
		t.Errorf("%+v", list)
	}
}

// HISTORY lists the last inputs.
func TestHistoryCommand(t *testing.T) {
	h := fresh(t)
	for _, text := range []string{"CONSISTENCY", "TRACING", "EXPAND"} {
		well(t, h, text)
	}
	if got := well(t, h, "HISTORY 2"); got != "EXPAND\nHISTORY 2\n" {
		t.Errorf("%q", got)
	}
	if list := do(t, h, "HISTORY x"); list[0].Error == nil {
		t.Error("HISTORY x is taken")
	}
}
