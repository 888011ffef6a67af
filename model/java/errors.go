package java

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// note is one complaint of the compiler; lines count from 1.
type note struct {
	line int
	text string
}

// CompileError is what the compiler says of a body.
type CompileError struct {
	lines   []note
	problem string // of the source around the body
	source  string // and that source
}

// Error is the text that CREATE FUNCTION answers with.
// Source: Cassandra 5.0 JavaBasedUDFunction.
func (e *CompileError) Error() string {
	var b strings.Builder
	b.WriteString("Java source compilation failed:\n" + e.problem)
	slices.SortStableFunc(e.lines, func(x, y note) int { return cmp.Compare(x.line, y.line) })
	for _, n := range e.lines {
		fmt.Fprintf(&b, "Line %d: %s\n", n.line, n.text)
	}
	b.WriteString(e.source)
	return b.String()
}

// Refused is a body that compiles and that Cassandra does not let run.
// Source: Cassandra 5.0 UDFByteCodeVerifier.
type Refused struct{ Text string }

func (e *Refused) Error() string { return e.Text }

// Limit is a construct of Java that this package does not know, or that gives
// nothing that could be repeated.
type Limit struct{ What string }

func (e *Limit) Error() string { return e.What + " in the body of a function" }

// Failure is what a call ended with: Text is the exception as Java prints it.
type Failure struct {
	Text    string
	Stopped bool // it ran too long; Text is empty
}

func (e *Failure) Error() string { return e.Text }
