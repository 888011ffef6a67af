package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const plainLesson = `# Two rows
> level: basic · minutes: 2

What a **second** INSERT of one key does.

## Write it twice
The key is ` + "`k`" + `.

` + "```cql\nCREATE KEYSPACE ks WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1};\nCREATE TABLE ks.t (k int PRIMARY KEY, v text);\nINSERT INTO ks.t (k, v) VALUES (1, 'a');\n```" + `

` + "```quiz\nHow many rows are there after another INSERT of 1?\n\n1. one\n2. two\n\nanswer: 1, an INSERT overwrites.\n```" + `

` + "```clue\nThere is one key.\n```" + `

` + "```lab\nINSERT INTO ks.t (k, v) VALUES (1, 'b');\nSELECT * FROM ks.t;\n:expect rows 1\n```" + `

## Look
` + "```cql\nSELECT * FROM ks.nothing;\n```\n"

// The guide works without a screen: lessons are read out, predictions asked for and
// put to the test, and everything is said in words.
func TestPlainLesson(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "rows.md")
	if err := os.WriteFile(file, []byte(plainLesson), 0o600); err != nil {
		t.Fatal(err)
	}
	text := output(t, strings.Join([]string{":next", ":scenario no-such-lesson", ":scenario", ":scenario " + file, ":answer 1", ":next", ":answer 3", ":answer 2", ":answer 1", ":clue", ":clue", ":next", ":answer 1",
		":answer", ":next", ":next", ":goto 7", ":goto 1", "SELECT v FROM ks.t;", ""}, "\n"), "--plain", filepath.Join(dir, "lab.ringlab"))
	at := 0
	for _, want := range []string{
		"No lesson is open.", "There is no lesson no-such-lesson", "00-first-ring: Your first ring, basic, ",
		"Lesson: Two rows. Level basic, about 2 minutes, 2 steps.\nWhat a second INSERT of one key does.\n", "Step 1 of 2: Write it twice.\nThe key is k.\nTo be run, in cql:\nCREATE KEYSPACE", "`:next` runs it.\n",
		"Nothing is asked yet", "Statement: INSERT INTO ks.t (k, v) VALUES (1, 'a')\nOperation 1: applied, ", "Question: How many rows are there", "2. two\n", "The question has the answers 1 to 2",
		"Your prediction is 2: two.\nTo be run, in lab:\nINSERT INTO ks.t (k, v) VALUES (1, 'b');\nSELECT * FROM ks.t;\n`:next` runs it.\n", "Your prediction is 1: one.\n", "Clue 1 of 1: There is one key.", "There is no further clue",
		"Row 1 of 1.\nk: 1\nv: b\n", "As expected: rows 1.\nYour prediction, 1, was right. 1, an INSERT overwrites.\n", "This was step 1. `:next` goes to step 2: Look.", "has been put to the test already", "Answer: 1, an INSERT overwrites.",
		"Step 2 of 2: Look.", "Statement: SELECT * FROM ks.nothing\nInvalidRequest: ", "This did not go as the lesson has it.", "The lesson has the steps 1 to 2", "Step 1 of 2: Write it twice.", "Row 1 of 1.\nv: b\n",
	} {
		i := strings.Index(text[at:], want)
		if i < 0 {
			t.Fatalf("%q is missing behind\n%s", want, text[at:])
		}
		at += i + len(want)
	}
	if strings.ContainsFunc(text, func(r rune) bool { return r >= 0x2500 && r < 0x2900 || r == 0x1b }) || strings.Contains(text, "-+-") {
		t.Error("something is drawn")
	}
}
