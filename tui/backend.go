// Package tui is the terminal workbench: six panes, a console and overlays over
// one lab. It reads pictures (engine/view), sends text and shows answers; it
// knows nothing of how a ring works.
package tui

import (
	"io"
	"time"

	"ringlab/engine/answer"
	"ringlab/engine/view"
	"ringlab/scenarios"
)

// Lab is what the workbench drives. The real one lives behind a goroutine and
// a journal; tests use a fake. Every method returns at once.
type Lab interface {
	// Do runs one input, which may hold several statements and lab commands.
	// The channel carries their answers in order and is closed when all is done.
	Do(text string) <-chan answer.Answer
	// Show says what the panes need from the next View on.
	Show(view.Need)
	// View returns the latest picture, never nil.
	View() *view.View
	// Wake has capacity one and receives when there is a newer View.
	Wake() <-chan struct{}
	// Tick says that real time has passed; the lab advances by speed × elapsed
	// if it runs.
	Tick(elapsed time.Duration)
	// Hurry lets running work give way for a moment: somebody waits for the screen.
	Hurry()
	// Cancel stops the running work.
	Cancel()
	// Complete returns what may stand at cursor, a byte offset, and the offset
	// at which the word to be replaced begins.
	Complete(text string, cursor int) (from int, items []Completion)
	// Commands returns the registry of lab commands for palette and help.
	Commands() []CommandInfo
	// History returns earlier console input, oldest first.
	History() []string
	// LoadUI and SaveUI keep the layout of this workspace as opaque bytes.
	LoadUI() []byte
	SaveUI([]byte)
}

// Completion is one way to go on in the prompt.
type Completion struct{ Text, Kind, Detail string }

// CommandInfo is one lab command: ":down", ":down NODE", what it does, "nodes".
type CommandInfo struct{ Name, Usage, Help, Group string }

// Options say how the workbench looks and where it runs.
type Options struct {
	Scenarios     []*scenarios.Scenario
	ASCII         bool
	ReducedMotion bool
	NoColor       bool
	Theme         string // a name of Themes, "" for dark or light as the terminal is
	ResetUI       bool   // forget the stored layout
	Notice        string // said once at the start
	Table, Key    string // selected at the start: ks.table and a partition key
	Input         io.Reader
	Output        io.Writer
	Width, Height int // a fixed size instead of the terminal's

	// Workspaces, where there are some; all three or none. Open and New say what is
	// to be opened once this one is left.
	Recent func() []Recent
	Open   func(path string)
	New    func(name string) error
}
