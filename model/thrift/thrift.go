// Package thrift is the classic language: the statements of cassandra-cli 1.0
// to 2.1, from text to a syntax tree and back. It knows no schema; the words of
// the classic model (row key, column family, super column, comparator) live in
// this package and the one below it.
package thrift

import "fmt"

// SyntaxError is a refusal of the lexer or the parser. Column counts characters
// from 0 in the statement as the client joins it: lines trimmed, with a blank
// between two.
type SyntaxError struct {
	Column int
	Msg    string
}

// Error is the text of cassandra-cli.
// Source: Cassandra 2.1 Cli.g, reportError.
func (e *SyntaxError) Error() string {
	return fmt.Sprintf("Syntax error at position %d: %s", e.Column, e.Msg)
}
