package cli

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

var redraw = flag.Bool("redraw", false, "write the pictures of the documents anew")

// moment is the lab that the pictures show: n4 was down while a row was overwritten,
// came back without hints, and answers reads with the old value.
func moment(t *testing.T) string {
	t.Helper()
	var b strings.Builder
	b.WriteString("CREATE KEYSPACE sensor WITH replication = {'class': 'NetworkTopologyStrategy', 'dc1': 3};\nUSE sensor;\n" +
		"CREATE TABLE readings (sensor_id text, day text, ts int, v double, PRIMARY KEY ((sensor_id, day), ts)) WITH CLUSTERING ORDER BY (ts DESC);\n")
	for i := range 200 {
		fmt.Fprintf(&b, "INSERT INTO readings (sensor_id, day, ts, v) VALUES ('a-%02d', '2026-11-%02d', %d, %d.5);\n", i*7%24, 19+i%3, i, 20+i%5)
		if i%50 == 49 {
			b.WriteString(":flush\n")
		}
	}
	b.WriteString("INSERT INTO readings (sensor_id, day, ts, v) VALUES ('a-17', '2026-11-21', 1, 21.4);\n:hints off\n:down n4\nCONSISTENCY QUORUM\n" +
		"INSERT INTO readings (sensor_id, day, ts, v) VALUES ('a-17', '2026-11-21', 1, 99.9);\n:up n4\nCONSISTENCY ONE\n" +
		"SELECT ts, v FROM readings WHERE sensor_id = 'a-17' AND day = '2026-11-21' AND ts = 1;\n")
	ws := filepath.Join(t.TempDir(), "sensors.ringlab")
	output(t, "", "run", "-w", ws, write(t, "moment.cql", b.String()))
	return ws
}

// TestPictures compares screens of a real lab, as text at the four sizes that people
// have, and those of the documents as SVG, with what is kept beside the workbench;
// -redraw keeps them as they are now.
func TestPictures(t *testing.T) {
	ws := moment(t)
	dir := filepath.Join("..", "pictures")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	keep := func(name string, args ...string) {
		got := output(t, "", append([]string{"screen", "-w", ws, "--table", "sensor.readings", "--key", "a-17:2026-11-21"}, args...)...)
		path := filepath.Join(dir, name)
		if *redraw {
			if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		kept, err := os.ReadFile(path)
		if err != nil {
			t.Error(err)
		} else if string(kept) != got {
			t.Errorf("%s differs; go test ./tui/cli -run TestPictures -redraw writes it anew", name)
		}
	}
	for _, picture := range []string{"strip", "placement", "files", "consistency"} {
		for _, size := range []string{"160x45", "100x30", "80x24", "60x16"} {
			keep(picture+"_"+size+".txt", picture, "--size", size)
		}
	}
	keep("strip_ascii_80x24.txt", "strip", "--size", "80x24", "--ascii")
	for _, picture := range []string{"workbench", "placement", "consistency"} {
		keep(picture+".svg", picture, "--size", map[string]string{"workbench": "160x45"}[picture]+map[bool]string{true: "100x30"}[picture != "workbench"], "--format", "svg", "--theme", "dark")
	}
}
