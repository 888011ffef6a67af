package nodetool

import (
	"math"
	"strconv"
	"strings"

	"ringlab/model/types"
)

// grid lines words up in columns, left aligned.
// Source: Cassandra 5.0 TableBuilder.
type grid struct {
	between string
	rows    [][]string
	widths  []int
}

func (g *grid) add(row ...string) {
	for len(g.widths) < len(row) {
		g.widths = append(g.widths, 0)
	}
	for i, c := range row {
		g.widths[i] = max(g.widths[i], len([]rune(c)))
	}
	g.rows = append(g.rows, row)
}

func (g *grid) print(to *call) {
	for _, row := range g.rows {
		for i, w := range g.widths {
			cell := ""
			if i < len(row) {
				cell = row[i]
			}
			to.printf("%-*s", w, cell)
			if i < len(g.widths)-1 {
				to.print(g.between)
			}
		}
		to.line("")
	}
}

// share gives several grids the same widths. Source: TableBuilder.SharedTable.
func share(grids []*grid) {
	var widths []int
	for _, g := range grids {
		for i, w := range g.widths {
			if i == len(widths) {
				widths = append(widths, 0)
			}
			widths[i] = max(widths[i], w)
		}
	}
	for _, g := range grids {
		g.widths = widths
	}
}

// fileSize is a number of bytes as 90.53 KiB.
// Source: Cassandra 5.0 FileUtils.stringifyFileSize.
func fileSize(bytes int64) string {
	v, unit := float64(bytes), "bytes"
	for _, u := range []struct {
		size float64
		name string
	}{{1 << 40, "TiB"}, {1 << 30, "GiB"}, {1 << 20, "MiB"}, {1 << 10, "KiB"}} {
		if v >= u.size {
			v, unit = v/u.size, u.name
			break
		}
	}
	text := strconv.FormatFloat(v, 'f', 2, 64)
	return strings.TrimSuffix(strings.TrimRight(text, "0"), ".") + " " + unit
}

// decimal is a double as Java prints it, NaN included.
func decimal(v float64) string { return types.JavaDouble(v) }

// fixed is a number with so many decimals, NaN included. A tie of its shortest decimal
// form goes away from zero, as in Java.
func fixed(v float64, decimals int) string {
	text := strconv.FormatFloat(v, 'f', -1, 64)
	_, digits, _ := strings.Cut(text, ".")
	if len(digits) == decimals+1 && digits[decimals] == '5' { // a tie in decimal, whatever it is in binary
		return strconv.FormatFloat(math.Nextafter(v, math.Copysign(math.Inf(1), v)), 'f', decimals, 64)
	}
	return strconv.FormatFloat(v, 'f', decimals, 64)
}

// duration is a length of time in words, the largest units that it has.
// Source: org.apache.commons.lang3.time.DurationFormatUtils.formatDurationWords
// without zeros at both ends.
func duration(millis int64) string {
	s := millis / 1000
	parts := []struct {
		n    int64
		unit string
	}{{s / 86400, "day"}, {s / 3600 % 24, "hour"}, {s / 60 % 60, "minute"}, {s % 60, "second"}}
	for len(parts) > 1 && parts[0].n == 0 {
		parts = parts[1:]
	}
	for len(parts) > 1 && parts[len(parts)-1].n == 0 {
		parts = parts[:len(parts)-1]
	}
	var out []string
	for _, p := range parts {
		unit := p.unit + "s"
		if p.n == 1 {
			unit = p.unit
		}
		out = append(out, strconv.FormatInt(p.n, 10)+" "+unit)
	}
	return strings.Join(out, " ")
}
