package tui

import (
	"strconv"

	"ringlab/tui/draw"
)

// The named tokens every style comes from. Text is the terminal's own colour
// in the themes that can leave it so.
const (
	Text draw.Style = iota
	Dim
	Accent
	OK
	Warn
	Error
	Stale
	Border
	Focus
	Title
	Key
	Select
	Keyword
	String
	Number
	Comment
	Replica
	ValueText // values of results, as cqlsh colours them
	ValueNumber
	ValueBlob
	ValueNull
	ValueBracket
	NamePartition // names of result columns
	NameClustering
	NameStatic
	NameColumn
	Node1
	Node2
	Node3
	Node4
	Node5
	Node6
	Node7
	Node8
	tokenCount
)

// Theme gives each token a colour. Background is what contrast is computed
// against; the workbench never sets it.
type Theme struct {
	Name       string
	Background string
	FG         [tokenCount]string // #rrggbb, or SGR parameters as they are
	SelectBG   string
	palette    *draw.Palette
}

// Themes are what T walks through.
var Themes = []Theme{
	{Name: "dark", Background: "#1e1e2e", SelectBG: "#3b4261", FG: [tokenCount]string{
		Text: "#d5daf0", Dim: "#9aa2c4", Accent: "#7dcfff", OK: "#9ece6a", Warn: "#e8b86d", Error: "#ff7a93", Stale: "#ffb86c",
		Border: "#747ca1", Focus: "#7aa2f7", Title: "#c8d3f5", Key: "#7dcfff", Select: "#ffffff",
		Keyword: "#82aaff", String: "#a5d67c", Number: "#f5a97f", Comment: "#9097b8", Replica: "#ffcf70",
		ValueText: "#e8b86d", ValueNumber: "#9ece6a", ValueBlob: "#c3a0ff", ValueNull: "#ff7a93", ValueBracket: "#7aa2f7", NamePartition: "#ff7a93", NameClustering: "#7dcfff", NameStatic: "#ffffff", NameColumn: "#f5a0dc",
		Node1: "#7aa2f7", Node2: "#9ece6a", Node3: "#e8b86d", Node4: "#ff7a93", Node5: "#c3a0ff", Node6: "#7dcfff", Node7: "#ff9e64", Node8: "#73daca"}},
	{Name: "light", Background: "#ffffff", SelectBG: "#cfe0ff", FG: [tokenCount]string{
		Text: "#1c2030", Dim: "#565d75", Accent: "#00628f", OK: "#2d6a1e", Warn: "#8a5300", Error: "#b3123c", Stale: "#9a4a00",
		Border: "#7d849b", Focus: "#1f54c4", Title: "#1c2030", Key: "#00628f", Select: "#0a1020",
		Keyword: "#1f54c4", String: "#2d6a1e", Number: "#9a3d00", Comment: "#5c6379", Replica: "#8a5300",
		ValueText: "#8a5300", ValueNumber: "#2d6a1e", ValueBlob: "#6b35b8", ValueNull: "#b3123c", ValueBracket: "#1f54c4", NamePartition: "#b3123c", NameClustering: "#006680", NameStatic: "#1c2030", NameColumn: "#a0228f",
		Node1: "#1f54c4", Node2: "#2d6a1e", Node3: "#8a5300", Node4: "#b3123c", Node5: "#6b35b8", Node6: "#006680", Node7: "#a33e00", Node8: "#0a6655"}},
	{Name: "high-contrast", Background: "#000000", SelectBG: "#0000c0", FG: [tokenCount]string{
		Text: "#ffffff", Dim: "#e0e0e0", Accent: "#00ffff", OK: "#5cff5c", Warn: "#ffff00", Error: "#ff9090", Stale: "#ffc040",
		Border: "#c0c0c0", Focus: "#ffff00", Title: "#ffffff", Key: "#00ffff", Select: "#ffffff",
		Keyword: "#80c0ff", String: "#5cff5c", Number: "#ffc040", Comment: "#d0d0d0", Replica: "#ffff00",
		ValueText: "#ffff00", ValueNumber: "#5cff5c", ValueBlob: "#e0a0ff", ValueNull: "#ff9090", ValueBracket: "#80c0ff", NamePartition: "#ff9090", NameClustering: "#00ffff", NameStatic: "#ffffff", NameColumn: "#ffa0ff",
		Node1: "#80c0ff", Node2: "#5cff5c", Node3: "#ffff00", Node4: "#ff9090", Node5: "#e0a0ff", Node6: "#00ffff", Node7: "#ffc040", Node8: "#ffffff"}},
	{Name: "colour-blind", Background: "#1e1e1e", SelectBG: "#005a8c", FG: [tokenCount]string{
		Text: "#e6e6e6", Dim: "#adadad", Accent: "#56b4e9", OK: "#22b58c", Warn: "#f0e442", Error: "#ee7d2b", Stale: "#e69f00",
		Border: "#808080", Focus: "#56b4e9", Title: "#e6e6e6", Key: "#56b4e9", Select: "#ffffff",
		Keyword: "#56b4e9", String: "#22b58c", Number: "#e69f00", Comment: "#a8a8a8", Replica: "#f0e442",
		ValueText: "#f0e442", ValueNumber: "#22b58c", ValueBlob: "#d68ab5", ValueNull: "#ee7d2b", ValueBracket: "#56b4e9", NamePartition: "#ee7d2b", NameClustering: "#56b4e9", NameStatic: "#e6e6e6", NameColumn: "#d68ab5",
		Node1: "#e69f00", Node2: "#56b4e9", Node3: "#22b58c", Node4: "#f0e442", Node5: "#6f9fe8", Node6: "#ee7d2b", Node7: "#d68ab5", Node8: "#e6e6e6"}},
	{Name: "16-colour", FG: [tokenCount]string{
		Dim: "37", Accent: "36", OK: "32", Warn: "33", Error: "91", Stale: "93",
		Border: "37", Focus: "96", Title: "97", Key: "96", Select: "30;46",
		Keyword: "94", String: "32", Number: "33", Comment: "37", Replica: "93",
		ValueText: "93", ValueNumber: "92", ValueBlob: "35", ValueNull: "91", ValueBracket: "94", NamePartition: "91", NameClustering: "96", NameStatic: "97", NameColumn: "95",
		Node1: "94", Node2: "32", Node3: "33", Node4: "91", Node5: "95", Node6: "36", Node7: "93", Node8: "92"}},
	{Name: "none", FG: [tokenCount]string{
		Accent: "1", Warn: "1", Error: "1", Stale: "1", Focus: "1", Title: "1", Key: "1", Select: "7", Keyword: "1", Replica: "1"}},
}

// themeNamed returns a copy of the theme of that name, or the first one.
func themeNamed(name string) *Theme {
	for _, t := range Themes {
		if t.Name == name {
			return t.ready()
		}
	}
	return Themes[0].ready()
}

// after returns the theme that follows t.
func (t *Theme) after() *Theme {
	for i := range Themes {
		if Themes[i].Name == t.Name {
			return Themes[(i+1)%len(Themes)].ready()
		}
	}
	return Themes[0].ready()
}

func (t Theme) ready() *Theme {
	t.palette = &draw.Palette{}
	for i, fg := range t.FG {
		t.palette.Tokens[i] = sgr(fg, "38")
	}
	if t.SelectBG != "" {
		t.palette.Tokens[Select] += ";" + sgr(t.SelectBG, "48")
	}
	return &t
}

func sgr(colour, ground string) string {
	if len(colour) != 7 || colour[0] != '#' {
		return colour
	}
	r, g, b := rgb(colour)
	return ground + ";2;" + strconv.Itoa(r) + ";" + strconv.Itoa(g) + ";" + strconv.Itoa(b)
}

func rgb(hex string) (r, g, b int) {
	n, _ := strconv.ParseUint(hex[1:], 16, 32)
	return int(n >> 16), int(n >> 8 & 0xff), int(n & 0xff)
}

// nodeStyle is the colour of a node by its index; after eight it repeats.
func nodeStyle(node int) draw.Style { return Node1 + draw.Style(max(node, 0)%8) }
