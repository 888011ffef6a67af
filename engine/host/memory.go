package host

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"

	"ringlab/engine/workspace"
)

// journal is where commands are kept: a workspace, or memory.
type journal interface {
	// Each visits the entries from number from on, in order.
	Each(from uint64, visit func(workspace.Entry) error) error
	// Append stores entries behind the others, all or none, and numbers them.
	Append(entries []workspace.Entry) error
	PutBlob(data []byte) (hash string, err error)
	Blob(hash string) ([]byte, error)
}

// memory is the journal of a lab without a workspace. It ends with the process.
type memory struct {
	entries []workspace.Entry
	blobs   map[string][]byte
	bytes   int
}

// mostMemory bounds the text that a lab without a workspace remembers.
const mostMemory = 256 << 20

// errForgotten says why a lab cannot go back.
var errForgotten = fmt.Errorf("this lab has run more than %d MB of commands and remembers them no longer; with -w WORKSPACE it does", mostMemory>>20)

// full says whether the journal has grown beyond what is kept: then it is given up.
func (m *memory) full() bool { return m.bytes > mostMemory }

func (m *memory) Append(entries []workspace.Entry) error {
	for _, e := range entries {
		if m.bytes += len(e.Text) + len(e.Data) + 128; m.full() {
			m.entries, m.blobs = nil, nil
			return nil
		}
		e.N = uint64(len(m.entries)) + 1
		m.entries = append(m.entries, e)
	}
	return nil
}

func (m *memory) Each(from uint64, visit func(workspace.Entry) error) error {
	if m.full() {
		return errForgotten
	}
	for i := from - 1; i < uint64(len(m.entries)); i++ {
		if err := visit(m.entries[i]); err != nil {
			return err
		}
	}
	return nil
}

func (m *memory) PutBlob(data []byte) (string, error) {
	sum := sha256.Sum256(data)
	hash := hex.EncodeToString(sum[:])
	if _, ok := m.blobs[hash]; !ok {
		if m.bytes += len(data); m.full() {
			m.entries, m.blobs = nil, nil
			return hash, nil
		}
		if m.blobs == nil {
			m.blobs = map[string][]byte{}
		}
		m.blobs[hash] = data
	}
	return hash, nil
}

func (m *memory) Blob(hash string) ([]byte, error) {
	data, ok := m.blobs[hash]
	if !ok {
		return nil, errors.New("its content is not remembered")
	}
	return data, nil
}
