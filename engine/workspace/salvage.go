package workspace

import (
	"fmt"
	"io"
	"os"
	"strings"
)

// Salvage reads the raw bytes of a damaged workspace, without bbolt and without
// changing anything, and returns every whole entry of its journal by number,
// each once. Numbers that are missing were lost; what was undone or put aside by
// a reset is left out. The report says in sentences what was found. The error is
// *Foreign or *Newer, or the system's; a file of which nothing is left is no error.
func Salvage(path string) (Header, []Entry, string, error) {
	real, err := resolve(path)
	if err != nil {
		return Header{}, nil, "", err
	}
	if err := examine(path, real); err != nil {
		return Header{}, nil, "", err
	}
	file, err := os.Open(real)
	if err != nil {
		return Header{}, nil, "", opening(path, err)
	}
	defer file.Close()
	s, entries, err := salvage(path, file)
	if err != nil {
		return Header{}, nil, "", err
	}
	return s.head.Header, entries, s.report(path), nil
}

func salvage(path string, file *os.File) (*findings, []Entry, error) {
	info, err := file.Stat()
	if err != nil {
		return nil, nil, opening(path, err)
	}
	if !seemsOurs(file, info.Size()) {
		return nil, nil, &Foreign{Path: path, Seems: sniff(file, info.Size())}
	}
	s := survey(file, info.Size())
	if s.newer > 0 && !s.haveHead {
		return nil, nil, &Newer{Path: path, Known: Format}
	}
	entries, err := s.load(file)
	if err != nil {
		return nil, nil, fmt.Errorf("reading %s: %w", path, err)
	}
	return s, entries, nil
}

// load decodes the entries that were found.
func (s *findings) load(r io.ReaderAt) ([]Entry, error) {
	var reader entryReader
	entries := make([]Entry, 0, len(s.entries))
	var buf []byte
	for _, f := range s.entries {
		if cap(buf) < f.size {
			buf = make([]byte, f.size)
		}
		buf = buf[:f.size]
		if _, err := r.ReadAt(buf, f.at); err != nil {
			return nil, err
		}
		payload, err := readWhole(buf, kindEntry)
		if err != nil {
			return nil, err
		}
		e, _, err := reader.decode(payload)
		if err != nil {
			return nil, err
		}
		entries = append(entries, e)
	}
	return entries, nil
}

// report says what was found, a sentence a line.
func (s *findings) report(path string) string {
	var b strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	line("%s: %s whole.", path, commands(uint64(len(s.entries))))
	if !s.haveHead {
		line("The header is lost: the ring and the seed that the commands ran on are not known.")
	}
	for i, gaps, next := 0, 0, uint64(1); i < len(s.entries); i++ {
		n := s.entries[i].n
		if n != next {
			if gaps++; gaps > 10 {
				line("There are further gaps.")
				break
			}
			if n == next+1 {
				line("Command %d is missing.", next)
			} else {
				line("Commands %d to %d are missing.", next, n-1)
			}
		}
		next = n + 1
	}
	if whole := s.intact(); whole < uint64(len(s.entries)) {
		line("The first %d can be replayed; those after the first gap ran on a state that is lost.", whole)
	}
	if len(s.blobs) > 0 {
		line("%d input files are whole.", len(s.blobs))
	}
	if s.broken > 0 {
		line("%d records are broken.", s.broken)
	}
	if s.gaveUp {
		line("There are too many broken records to look at all of them.")
	}
	return b.String()
}
