package cql

import (
	"strings"
	"unicode/utf8"
)

// Piece is one statement of a script: its text without the semicolon, and where
// it begins in everything that was fed.
type Piece struct {
	Text string
	Pos  Pos
}

// Split cuts a whole script into statements; the last needs no semicolon.
func Split(script string) []Piece {
	var s Splitter
	s.Feed(script)
	var out []Piece
	for {
		p, ok := s.Next()
		if !ok {
			break
		}
		out = append(out, p)
	}
	if p, ok := s.Flush(); ok {
		out = append(out, p)
	}
	return out
}

// Splitter cuts text that arrives in parts into statements. A statement ends at
// a semicolon outside strings, quoted names and comments; one that begins with
// BEGIN … BATCH ends at the semicolon behind APPLY BATCH. Spaces and comments in
// front of a statement are skipped, and empty statements are left out. The zero
// Splitter is ready.
type Splitter struct {
	buf   []byte
	off   int  // next byte of buf to look at
	at    Pos  // its place; Line counts from 0 here
	begun bool // a statement has begun
	start int  // in buf
	first Pos
	mode  byte // 0, or the first byte of what is open: ' " $ - /
	word  int  // start of the open word in buf, or -1 with begun
	state batchState
}

// batchState follows the words of a statement.
type batchState uint8

const (
	firstWord   batchState = iota
	plainText              // not a batch
	behindBegin            // BEGIN, perhaps with a kind
	insideBatch
	behindApply
	behindBatch // APPLY BATCH was read
)

// Feed adds text.
func (s *Splitter) Feed(text string) {
	if s.start > 1<<16 && s.start > len(s.buf)/2 || !s.begun && s.off == len(s.buf) {
		s.compact()
	}
	s.buf = append(s.buf, text...)
}

func (s *Splitter) compact() {
	from := s.off
	if s.begun {
		from = s.start
	}
	s.buf = append(s.buf[:0], s.buf[from:]...)
	s.off -= from
	s.start = 0
	if s.word >= from {
		s.word -= from
	}
}

// Pending tells whether a statement has begun that no semicolon has ended yet, or
// a comment is open.
func (s *Splitter) Pending() bool { return s.begun || s.mode == '/' }

// Quoted tells whether a string, a quoted name or a comment over several lines is
// open.
func (s *Splitter) Quoted() bool { return s.mode != 0 && s.mode != '-' }

// Next gives the next complete statement; ok is false where more text is needed.
func (s *Splitter) Next() (p Piece, ok bool) { return s.scan(false) }

// Flush gives what is left at the end of the text, without a semicolon, and
// makes the Splitter ready for a new statement.
func (s *Splitter) Flush() (p Piece, ok bool) {
	if p, ok = s.scan(true); ok {
		return p, true
	}
	if s.begun {
		p, ok = s.cut(len(s.buf)), true
	}
	s.mode = 0
	return p, ok && p.Text != ""
}

// TrimStatement takes blanks and semicolons off the end of a statement, but not
// the line break that a comment there needs.
func TrimStatement(text string) string {
	t := strings.TrimRight(text, "; \t\r\n")
	last := t[strings.LastIndexByte(t, '\n')+1:]
	if strings.Contains(text[len(t):], "\n") && (strings.Contains(last, "--") || strings.Contains(last, "//")) {
		t += "\n"
	}
	return t
}

func (s *Splitter) cut(end int) Piece {
	text := TrimStatement(string(s.buf[s.start:end]))
	s.begun, s.state, s.word = false, firstWord, -1
	s.start = s.off
	return Piece{Text: text, Pos: Pos{Line: s.first.Line + 1, Col: s.first.Col, Offset: s.first.Offset}}
}

// scan looks at the bytes that have arrived. It waits for the second byte where
// two decide, unless the text is at its end.
func (s *Splitter) scan(final bool) (Piece, bool) {
	for s.off < len(s.buf) {
		c := s.buf[s.off]
		next, known := byte(0), s.off+1 < len(s.buf)
		if known {
			next = s.buf[s.off+1]
		} else if !final && strings.IndexByte("-/$*", c) >= 0 {
			return Piece{}, false
		}
		if s.mode != 0 {
			s.inside(c, next)
			continue
		}
		if charClass[c] == cLetter || s.begun && s.word >= 0 && (charClass[c] == cDigit || c == '_') {
			if s.begin(); s.word < 0 {
				s.word = s.off
			}
			s.step()
			continue
		}
		s.endWord()
		switch {
		case c == ';':
			end, ends := s.off, s.begun && s.state != insideBatch && s.state != behindApply
			s.step()
			if ends {
				return s.cut(end), true
			}
		case c == '-' && next == '-' || c == '/' && next == '/':
			s.mode = '-'
			s.step()
			s.step()
		case c == '/' && next == '*':
			s.mode = '/'
			s.step()
			s.step()
		case charClass[c] == cSpace:
			s.step()
		default:
			s.begin()
			if c == '\'' || c == '"' {
				s.mode = c
			} else if c == '$' && next == '$' {
				s.mode = c
				s.step()
			}
			s.otherWord()
			s.step()
		}
	}
	if final {
		s.endWord()
	}
	return Piece{}, false
}

// inside moves on in a string, a quoted name or a comment. A doubled quote ends
// and begins the same string again, which makes no difference here.
func (s *Splitter) inside(c, next byte) {
	switch s.mode {
	case '\'', '"':
		if c == s.mode {
			s.mode = 0
		}
	case '$':
		if c == '$' && next == '$' {
			s.mode = 0
			s.step()
		}
	case '/':
		if c == '*' && next == '/' {
			s.mode = 0
			s.step()
		}
	case '-':
		if c == '\n' || c == '\r' {
			s.mode = 0
		}
	}
	s.step()
}

// begin notes the start of a statement.
func (s *Splitter) begin() {
	if !s.begun {
		s.begun, s.start, s.first, s.word, s.state = true, s.off, s.at, -1, firstWord
	}
}

// step moves over one byte and keeps the place.
func (s *Splitter) step() {
	switch c := s.buf[s.off]; {
	case c == '\n':
		s.at.Line++
		s.at.Col = 0
	case c >= 0xF0:
		s.at.Col += 2
	case c < utf8.RuneSelf || c >= 0xC0:
		s.at.Col++
	}
	s.off++
	s.at.Offset++
}

// otherWord notes that something other than a word stands here.
func (s *Splitter) otherWord() {
	switch s.state {
	case firstWord, behindBegin:
		s.state = plainText
	case behindApply:
		s.state = insideBatch
	}
}

// endWord looks at the word that ends in front of the next byte.
func (s *Splitter) endWord() {
	if !s.begun || s.word < 0 {
		return
	}
	k := wordKind(string(s.buf[s.word:s.off]))
	s.word = -1
	switch {
	case s.state == firstWord && k == kBegin:
		s.state = behindBegin
	case s.state == behindBegin && (k == kUnlogged || k == kCounter):
	case s.state == behindBegin && k == kBatch:
		s.state = insideBatch
	case s.state == insideBatch && k == kApply:
		s.state = behindApply
	case s.state == behindApply && k == kBatch:
		s.state = behindBatch
	case s.state == behindApply && k != kApply:
		s.state = insideBatch
	case s.state == firstWord || s.state == behindBegin:
		s.state = plainText
	}
}
