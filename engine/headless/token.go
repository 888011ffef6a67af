package headless

import (
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"ringlab/engine/answer"
	"ringlab/engine/render"
	"ringlab/engine/session"
	"ringlab/model/schema"
	"ringlab/model/types"
	"ringlab/ring"
)

// TokenOptions are the flags of `ringlab token`.
type TokenOptions struct {
	Partitioner string
	Type        string // CQL types joined by commas; "" is text
	Hex         bool   // keys are given in hex
	Ring        string // "" for none
	RF          int
	Output      Output
}

// Tokens prints the token of every key and, with a ring, its replicas.
func Tokens(o TokenOptions, keys []string, out io.Writer) error {
	spec := session.DefaultRing()
	if o.Ring != "" {
		var err error
		if spec, err = session.ParseRing(strings.Fields(o.Ring)); err != nil {
			return err
		}
	}
	if o.Partitioner != "" {
		spec.Partitioner = o.Partitioner
	}
	p, err := ring.ByName(spec.Partitioner)
	if err != nil {
		return err
	}
	spec.Partitioner = p.Name()
	var placement *ring.Placement
	var nodes []ring.Node
	if o.Ring != "" {
		if _, nodes, err = spec.Build(); err != nil {
			return err
		}
		tm, err := ring.NewTokenMap(p, nodes)
		if err != nil {
			return err
		}
		placement = ring.NewPlacement(tm, ring.SimpleStrategy(max(o.RF, 1)))
	}
	var kinds []*types.Type
	for _, name := range strings.Split(o.Type, ",") {
		if name = strings.TrimSpace(name); name == "" {
			name = "text"
		}
		t, ok := types.Native(name)
		if !ok {
			return fmt.Errorf("%s is no CQL type that a key can have; --type takes text, int, uuid and the like, joined by commas", name)
		}
		kinds = append(kinds, t)
	}
	table := &answer.Answer{Rows: [][]answer.Cell{}}
	for _, c := range []string{"key", "partitioner", "token", "replicas"} {
		table.Columns = append(table.Columns, answer.Column{Name: c, Type: "text"})
	}
	for _, text := range keys {
		key, err := keyBytes(text, kinds, o.Hex)
		if err != nil {
			return err
		}
		t := p.Token(key)
		replicas := []string{}
		if placement != nil {
			for _, n := range placement.Replicas(t) {
				replicas = append(replicas, nodes[n].Name)
			}
		}
		if o.Output == JSON {
			line := struct {
				Key         string   `json:"key"`
				Text        *string  `json:"text"`
				Partitioner string   `json:"partitioner"`
				Token       string   `json:"token"`
				Replicas    []string `json:"replicas"`
			}{hex.EncodeToString(key), nil, p.Name(), p.Format(t), replicas}
			if utf8.Valid(key) {
				s := string(key)
				line.Text = &s
			}
			enc := json.NewEncoder(out)
			enc.SetEscapeHTML(false)
			if err := enc.Encode(line); err != nil {
				return err
			}
			continue
		}
		table.Rows = append(table.Rows, []answer.Cell{{Text: types.Text.Text([]byte(text))}, {Text: p.Name()}, {Text: p.Format(t)}, {Text: strings.Join(replicas, ",")}})
	}
	if o.Output == JSON {
		return nil
	}
	_, err = io.WriteString(out, render.Table(table, false))
	return err
}

// keyBytes reads a key: components joined by ':' where there are several types.
func keyBytes(text string, kinds []*types.Type, isHex bool) ([]byte, error) {
	if isHex {
		b, err := hex.DecodeString(strings.TrimPrefix(text, "0x"))
		if err != nil {
			return nil, fmt.Errorf("%q is not hex: %w", text, err)
		}
		return b, nil
	}
	parts := []string{text}
	if len(kinds) > 1 {
		if parts = strings.Split(text, ":"); len(parts) != len(kinds) {
			return nil, fmt.Errorf("%q has %d components, --type names %d", text, len(parts), len(kinds))
		}
	}
	values := make([][]byte, len(parts))
	for i, part := range parts {
		v, err := kinds[i].FromString(part)
		if err != nil {
			return nil, fmt.Errorf("%q is no %s: %w", part, kinds[i], err)
		}
		values[i] = v
	}
	return schema.PartitionKeyBytes(values), nil
}
