package admin

import (
	"encoding/hex"
	"fmt"
	"strconv"

	"ringlab/engine/answer"
	"ringlab/engine/classic"
	"ringlab/engine/session"
	"ringlab/engine/sim"
	"ringlab/engine/storage"
	"ringlab/model/schema"
	"ringlab/model/thrift/bind"
)

func init() {
	slice := "cf=FAMILY key=KEY [super=NAME] [start=NAME] [finish=NAME] [reversed] [count=100] | names=A,B"
	operation := func(name, usage, help string) {
		register(&Command{Name: name, Group: "classic", Usage: usage, Help: help, Run: func(ctx *Context, a Args) ([]*answer.Answer, error) {
			client := ctx.classicClient()
			return ctx.operate(":"+name+" "+a.Raw, func() (*answer.Answer, error) {
				return client.Command(name, classic.Arguments{Named: a.Named, Words: a.Words})
			})
		}})
	}
	register(&Command{Name: "cli", Group: "classic", Usage: "STATEMENT", Help: "run one statement of the classic language, as cassandra-cli does", Text: true, Run: runClassic})
	operation("get", "cf=FAMILY key=KEY [super=NAME] [name=NAME]", "one column, or one super column")
	operation("get_slice", slice, "columns of a row: a stretch in the order of the comparator, or by name")
	operation("multiget_slice", "cf=FAMILY keys=A,B …", "get_slice of several rows")
	operation("get_count", "cf=FAMILY key=KEY …", "how many columns get_slice would give")
	operation("multiget_count", "cf=FAMILY keys=A,B …", "get_count of several rows")
	operation("get_range_slices", "cf=FAMILY [start_key=KEY] [end_key=KEY] [start_token=T] [end_token=T] [rows=100] [start=NAME] …", "rows in the order of the ring, deleted ones among them")
	operation("get_indexed_slices", "cf=FAMILY COLUMN=VALUE ['COLUMN>=VALUE'] [start_key=KEY] [rows=100] …", "rows that an index finds")
	operation("insert", "cf=FAMILY key=KEY [super=NAME] name=NAME value=VALUE [timestamp=µs] [ttl=s]", "write one column")
	operation("add", "cf=FAMILY key=KEY [super=NAME] name=NAME value=N", "add to a counter")
	operation("remove", "cf=FAMILY key=KEY [super=NAME] [name=NAME] [timestamp=µs]", "delete a column, a super column or a row")
	operation("remove_counter", "cf=FAMILY key=KEY [super=NAME] [name=NAME]", "delete a counter; what is added to it later stays invisible")
	register(
		&Command{Name: "batch_mutate", Group: "classic", Usage: "set …; del …; incr …", Help: "several writes at once, one mutation a row", Text: true, Run: batchMutate},
		&Command{Name: "atoms", Group: "classic", Usage: "ks.t KEY [n3]", Help: "a partition as Cassandra 2.1 stored it: its cells with their names, and what they take", Run: showAtoms},
	)
}

// classicClient is what the current client of the lab knows as a client of the
// classic language.
func (ctx *Context) classicClient() *classic.Client {
	if ctx.ring != ctx.Cluster {
		ctx.ring, ctx.clients = ctx.Cluster, map[string]*classic.Client{}
	}
	name := ctx.Current.Name
	if ctx.clients[name] == nil {
		ctx.clients[name] = classic.New(ctx.Core)
	}
	return ctx.clients[name]
}

func runClassic(ctx *Context, a Args) ([]*answer.Answer, error) {
	if ctx.Together != nil {
		ctx.classicTogether(a.Raw, 0)
		return nil, nil
	}
	return []*answer.Answer{ctx.classicClient().Do(a.Raw)}, nil
}

// classicTogether adds a statement of the classic language to the open block.
func (ctx *Context) classicTogether(text string, after sim.Time) {
	client := ctx.classicClient()
	ctx.RunTogether(text, func() *answer.Answer { return client.Do(text) }, after, ctx.File, ctx.Line)
}

func batchMutate(ctx *Context, a Args) ([]*answer.Answer, error) {
	client := ctx.classicClient()
	return ctx.operate(":batch_mutate "+a.Raw, func() (*answer.Answer, error) { return client.Batch(a.Raw) })
}

// operate runs an operation now, or with the open block.
func (ctx *Context) operate(text string, run func() (*answer.Answer, error)) ([]*answer.Answer, error) {
	if ctx.Together == nil {
		out, err := run()
		if err != nil {
			return nil, err
		}
		return []*answer.Answer{out}, nil
	}
	ctx.RunTogether(text, func() *answer.Answer {
		out, err := run()
		if err != nil {
			out = &answer.Answer{Error: &answer.Error{Name: "CommandError", Message: err.Error()}}
		}
		out.Statement = text
		return out
	}, 0, ctx.File, ctx.Line)
	return nil, nil
}

// showAtoms lists a partition in the layout of 2.1.
func showAtoms(ctx *Context, a Args) ([]*answer.Answer, error) {
	if len(a.Words) < 2 || len(a.Words) > 3 {
		return nil, usageError(byName["atoms"])
	}
	t, key, err := tableAndKey(ctx, a.Words)
	if err != nil {
		return nil, err
	}
	token := ctx.Cluster.Partitioner().Token(key)
	node := ctx.Cluster.Placement(t.Keyspace).Replicas(token)
	if len(a.Words) == 3 {
		n, err := ctx.Node(a.Words[2])
		if err != nil {
			return nil, err
		}
		node = []int{n.Index}
	}
	for _, n := range node {
		if row, ok := ctx.Atoms(n, t, key); ok {
			return atomTable(ctx, t, n, row), nil
		}
	}
	return message("No node holds that partition."), nil
}

// atomNames writes the stored names of a table.
func atomNames(t *schema.Table) func([]byte) string {
	v := bind.ViewOf(t)
	return func(b []byte) string {
		class := v.Comparator
		if v.Super {
			parts := schema.SplitComposite(b)
			if len(parts) == 2 {
				outer, err := v.Comparator.ClassicText(parts[0])
				inner, err2 := v.Subcomparator.ClassicText(parts[1])
				if err == nil && err2 == nil {
					return outer + ":" + inner
				}
			}
			return "0x" + hex.EncodeToString(b)
		}
		text, err := class.ClassicText(b)
		if err != nil {
			return "0x" + hex.EncodeToString(b)
		}
		return text
	}
}

func atomTable(ctx *Context, t *schema.Table, node int, row session.AtomRow) []*answer.Answer {
	shown := atomNames(t)
	var rows [][]string
	for _, x := range row.Atoms {
		name := shown(x.Name)
		if x.Kind == "range tombstone" {
			name += " … " + shown(x.End)
		}
		ttl := ""
		if x.TTL > 0 {
			ttl = strconv.Itoa(int(x.TTL))
		}
		rows = append(rows, []string{x.Kind, name, hex.EncodeToString(x.Name), strconv.Itoa(len(x.Value)), strconv.FormatInt(x.Timestamp, 10), ttl, strconv.Itoa(x.Bytes)})
	}
	out := table("kind name name_hex value_bytes timestamp ttl bytes", rows)
	text := fmt.Sprintf("%s holds %d bytes in a data file of 2.1: 2 + %d key + 12 deletion + atoms + 2 end.", ctx.Cluster.Nodes[node].Name, row.Bytes, len(row.Key))
	if row.DeletedAt != storage.NoTimestamp {
		text += fmt.Sprintf(" The row is deleted up to %d.", row.DeletedAt)
	}
	return append(out, message("%s", text)...)
}
