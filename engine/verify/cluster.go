package verify

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	gocql "github.com/apache/cassandra-gocql-driver/v2"

	"ringlab/engine/answer"
	"ringlab/engine/session"
	"ringlab/model/plan"
	"ringlab/model/types"
)

// cluster is a real one.
type cluster struct {
	session *gocql.Session
	version string
	ring    string // of a lab that is like it
}

// Target says where a real cluster is.
type Target struct {
	Address        string // HOST or HOST:PORT
	User, Password string
}

// timeout is how long a statement may take there.
const timeout = 30 * time.Second

func connect(t Target) (*cluster, error) {
	host, port, ok := strings.Cut(t.Address, ":")
	c := gocql.NewCluster(host)
	if ok {
		n, err := strconv.ParseUint(port, 10, 16)
		if err != nil || n == 0 {
			return nil, fmt.Errorf("%s is not of the form HOST:PORT", t.Address)
		}
		c.Port = int(n)
	}
	if t.User != "" {
		c.Authenticator = gocql.PasswordAuthenticator{Username: t.User, Password: t.Password}
	}
	c.ProtoVersion, c.Timeout, c.ConnectTimeout, c.DisableSkipMetadata, c.NumConns = 5, timeout, 10*time.Second, true, 1
	c.RetryPolicy, c.Logger = nil, gocql.NewLogger(gocql.LogLevelNone)
	c.PoolConfig.HostSelectionPolicy = gocql.RoundRobinHostPolicy()
	s, err := c.CreateSession()
	if err != nil {
		return nil, fmt.Errorf("%s does not answer as a Cassandra that speaks protocol version 5: %w", t.Address, err)
	}
	k := &cluster{session: s}
	if err := k.look(); err != nil {
		s.Close()
		return nil, err
	}
	return k, nil
}

// look asks which nodes there are, for a ring that is like theirs.
func (k *cluster) look() error {
	var dc, partitioner string
	var tokens []string
	err := k.session.Query("SELECT data_center, release_version, partitioner, tokens FROM system.local").Scan(&dc, &k.version, &partitioner, &tokens)
	if err != nil {
		return err
	}
	order, nodes := []string{dc}, map[string]int{dc: 1}
	peers := k.session.Query("SELECT data_center FROM system.peers").Iter()
	for peers.Scan(&dc) {
		if nodes[dc]++; nodes[dc] == 1 {
			order = append(order, dc)
		}
	}
	if err := peers.Close(); err != nil {
		return err
	}
	for _, dc := range order {
		k.ring += fmt.Sprintf("%s=%d ", dc, nodes[dc])
	}
	k.ring += fmt.Sprintf("vnodes=%d partitioner=%s", max(len(tokens), 1), partitioner[strings.LastIndexByte(partitioner, '.')+1:])
	return nil
}

// wire is a value as it came.
type wire struct {
	bytes []byte
	set   bool
}

// UnmarshalCQL keeps the bytes.
func (w *wire) UnmarshalCQL(_ gocql.TypeInfo, data []byte) error {
	w.set = data != nil
	w.bytes = append([]byte{}, data...)
	return nil
}

// statement is what is asked of both sides.
type statement struct {
	text     string
	cl       plan.Consistency
	serial   plan.Consistency
	keyspace string
	stamp    int64 // µs
}

// ask runs a statement. With only it is checked and never run.
func (k *cluster) ask(s statement, only bool) (*answer.Answer, error) {
	var values []any
	if only {
		values = []any{"one value too many, so that the driver does not go on"}
	}
	q := k.session.Query(s.text, values...).Consistency(gocql.Consistency(s.cl)).SerialConsistency(gocql.Consistency(s.serial)).WithTimestamp(s.stamp).PageSize(5000)
	if s.keyspace != "" {
		q = q.SetKeyspace(s.keyspace)
	}
	iter := q.Iter()
	out := &answer.Answer{Bytes: true, Warnings: iter.Warnings()}
	if columns := iter.Columns(); len(columns) > 0 {
		out.Spec = &answer.Spec{}
		var dest []any
		for _, c := range columns {
			t, err := typeOf(c.TypeInfo)
			if err != nil {
				iter.Close()
				return nil, err
			}
			out.Spec.Columns = append(out.Spec.Columns, plan.Selector{Name: c.Name, Type: t})
			n := 1
			if t.Kind == types.KindTuple { // the driver gives its fields
				n = len(t.Elems)
			}
			for range n {
				dest = append(dest, new(wire))
			}
		}
		out.Values = [][][]byte{}
		for iter.Scan(dest...) {
			out.Values = append(out.Values, row(out.Spec, dest))
		}
	}
	err := iter.Close()
	if only && err != nil && strings.HasPrefix(err.Error(), "gocql: expected") {
		err = nil
	}
	var refused gocql.RequestError
	switch {
	case errors.As(err, &refused):
		out.Error = &answer.Error{Code: fmt.Sprintf("0x%04X", refused.Code()), Message: refused.Message()}
		out.Spec, out.Values = nil, nil
	case err != nil:
		return nil, err
	}
	session.Show(out)
	return out, nil
}

// row puts tuples together again.
func row(spec *answer.Spec, dest []any) [][]byte {
	out := make([][]byte, len(spec.Columns))
	for i, c := range spec.Columns {
		if c.Type.Kind != types.KindTuple {
			if w := dest[0].(*wire); w.set {
				out[i] = w.bytes
			}
			dest = dest[1:]
			continue
		}
		whole, any := []byte{}, false
		for range c.Type.Elems {
			w := dest[0].(*wire)
			dest = dest[1:]
			size := -1
			if w.set {
				size, any = len(w.bytes), true
			}
			whole = append(whole, byte(size>>24), byte(size>>16), byte(size>>8), byte(size))
			whole = append(whole, w.bytes...)
		}
		if any {
			out[i] = whole
		}
	}
	return out
}

// typeOf is a type of the driver as one of ours.
func typeOf(info gocql.TypeInfo) (*types.Type, error) {
	all := func(list ...gocql.TypeInfo) (out []*types.Type, err error) {
		for _, i := range list {
			t, err := typeOf(i)
			if err != nil {
				return nil, err
			}
			out = append(out, t)
		}
		return out, nil
	}
	switch i := info.(type) {
	case gocql.CollectionType:
		list := []gocql.TypeInfo{i.Elem}
		if i.Type() == gocql.TypeMap {
			list = []gocql.TypeInfo{i.Key, i.Elem}
		}
		elems, err := all(list...)
		if err != nil {
			return nil, err
		}
		switch i.Type() {
		case gocql.TypeMap:
			return types.MapOf(elems[0], elems[1]), nil
		case gocql.TypeSet:
			return types.SetOf(elems[0]), nil
		}
		return types.ListOf(elems[0]), nil
	case gocql.TupleTypeInfo:
		elems, err := all(i.Elems...)
		return types.TupleOf(elems...), err
	case gocql.UDTTypeInfo:
		var names []string
		var list []gocql.TypeInfo
		for _, f := range i.Elements {
			names, list = append(names, f.Name), append(list, f.Type)
		}
		elems, err := all(list...)
		return types.UDTOf(i.Keyspace, i.Name, names, elems), err
	case gocql.VectorType:
		elems, err := all(i.SubType)
		if err != nil {
			return nil, err
		}
		return types.VectorOf(elems[0], i.Dimensions), nil
	}
	if t := natives[info.Type()]; t != nil {
		return t, nil
	}
	return nil, fmt.Errorf("the driver gives values of a type that ringlab cannot read from it: %v", info)
}

var natives = map[gocql.Type]*types.Type{gocql.TypeAscii: types.Ascii, gocql.TypeBigInt: types.BigInt, gocql.TypeBlob: types.Blob, gocql.TypeBoolean: types.Boolean,
	gocql.TypeCounter: types.Counter, gocql.TypeDate: types.Date, gocql.TypeDecimal: types.Decimal, gocql.TypeDouble: types.Double, gocql.TypeDuration: types.Duration,
	gocql.TypeFloat: types.Float, gocql.TypeInet: types.Inet, gocql.TypeInt: types.Int, gocql.TypeSmallInt: types.SmallInt, gocql.TypeText: types.Text,
	gocql.TypeVarchar: types.Text, gocql.TypeTime: types.Time, gocql.TypeTimestamp: types.Timestamp, gocql.TypeTimeUUID: types.TimeUUID, gocql.TypeTinyInt: types.TinyInt,
	gocql.TypeUUID: types.UUID, gocql.TypeVarint: types.Varint}
