package thrift

import "strings"

// statement reads one statement without its semicolon.
func (p *parser) statement() Statement {
	t := p.la(1)
	if t.kind != tokEOF && !t.is(";") {
		p.pos++
	}
	switch t.name {
	case "EOF", ";":
		return Nothing
	case "GET":
		return p.get()
	case "SET":
		return p.set()
	case "COUNT":
		return &Count{p.access(atEnd...)}
	case "DEL":
		return &Del{p.access(atEnd...)}
	case "INCR", "DECR":
		return p.incr(t.is("DECR"))
	case "LIST":
		return p.list()
	case "TRUNCATE":
		return &Truncate{p.name()}
	case "ASSUME":
		return p.assume()
	case "CONSISTENCYLEVEL":
		p.match("'AS'", identifier)
		return &ConsistencyLevel{p.match(identifier, atEnd...).text}
	case "USE":
		s := &Use{Keyspace: p.name()}
		s.User, s.Password = p.credentials()
		return s
	case "CONNECT":
		return p.connect()
	case "DESCRIBE":
		return p.describe()
	case "SHOW":
		return p.show()
	case "HELP":
		return p.help()
	case "?":
		return &Help{}
	case "EXIT", "QUIT":
		return Exit
	case "CREATE", "UPDATE":
		return p.create(t.is("UPDATE"))
	case "DROP":
		return p.drop()
	case "TRACE":
		p.match("NEXT")
		p.query()
		return TraceNext
	}
	p.pos--
	p.none(1)
	return nil
}

// query takes the word query, which is no keyword.
func (p *parser) query() {
	if t := p.la(1); t.kind != tokIdentifier || !strings.EqualFold(t.text, "query") {
		p.fail(t, "mismatched input "+t.display()+" expecting 'QUERY'")
	}
	p.pos++
}

func (p *parser) get() Statement {
	if !p.isName() {
		p.none(1)
	}
	switch next := p.la(2); {
	case next.is("'WHERE'"):
		return p.getWhere()
	case !next.is("["):
		p.none(2)
	}
	s := &Get{Access: p.access("'AS'", "LIMIT", ";", "EOF")}
	if p.take("'AS'") {
		n := nameOf(p.oneOf(identifier, literal, positive))
		s.As = &n
	}
	s.Limit = p.count("LIMIT")
	return s
}

func (p *parser) getWhere() Statement {
	s := &GetWhere{Family: p.name()}
	for p.pos++; ; p.pos++ {
		c := Condition{Column: p.term(behindColumn)}
		switch t := p.la(1); t.name {
		case "=", ">", "<", ">=", "<=":
			c.Op = t.name
			p.pos++
		default:
			p.fail(t, "mismatched input "+t.display()+" expecting set null")
		}
		c.Value = p.term(behindValue)
		s.Conditions = append(s.Conditions, c)
		if !p.la(1).is("AND") {
			break
		}
	}
	s.Limit = p.count("LIMIT")
	return s
}

func (p *parser) set() Statement {
	switch {
	case p.la(1).is("TRACE"):
		return p.probability()
	case !p.isName():
		p.none(1)
	}
	s := &Set{Access: p.access("=")}
	p.match("=", identifier, literal, positive, negative)
	s.Value = p.term(behindValue)
	if p.take("WITH") {
		p.match("TTL", "=")
		p.match("=", positive)
		s.TTL = p.match(positive, atEnd...).text
	}
	return s
}

// probability is set trace probability n, which the grammar reads and the client
// does not know.
func (p *parser) probability() Statement {
	p.match("TRACE")
	p.match("PROBABILITY", double)
	n := p.match(double, atEnd...).text
	return &Unknown{Text: "set trace probability " + n, Type: 73}
}

func (p *parser) incr(down bool) Statement {
	s := &Incr{Access: p.access("BY", ";", "EOF"), Down: down}
	if p.take("BY") {
		s.By = p.oneOf(positive, negative).text
	}
	return s
}

func (p *parser) list() Statement {
	s := &List{Family: p.name()}
	if p.take("[") {
		s.Range = true
		p.keyRange(s)
	}
	s.Limit = p.count("LIMIT", "COLUMNS")
	if s.Columns = p.count("COLUMNS", "'REVERSED'"); s.Columns != "" {
		s.Reversed = p.take("'REVERSED'")
	}
	return s
}

func (p *parser) keyRange(s *List) {
	bound := func() *Term {
		if !p.isName() {
			return nil
		}
		t := p.la(1)
		n := p.name()
		out := &Term{Text: n.Text}
		switch t.kind {
		case tokString:
			out.Form = Quoted
		case tokPositive, tokNegative:
			out.Form = Integer
		}
		return out
	}
	if p.isName() || p.la(1).is(":") {
		s.Start = bound()
		p.match(":", "]", identifier, literal, positive, negative)
		s.End = bound()
	}
	p.match("]", "LIMIT", "COLUMNS", ";", "EOF")
}

func (p *parser) assume() Statement {
	s := &Assume{Family: p.name()}
	s.Element = p.match(identifier, "'AS'").text
	p.match("'AS'", identifier, literal, positive)
	s.Type = nameOf(p.oneOf(identifier, literal, positive))
	return s
}

// credentials are a user and a password, each of which may be left out.
func (p *parser) credentials() (user, password string) {
	if p.la(1).kind == tokIdentifier {
		user = p.la(1).text
		p.pos++
	}
	if p.la(1).kind == tokString {
		password = unquote(p.la(1).text)
		p.pos++
	}
	return user, password
}

func (p *parser) connect() Statement {
	s := &Connect{}
	switch t := p.la(1); t.kind {
	case tokAddress, tokIdentifier:
		s.Host = t.text
		p.pos++
		for t.kind == tokIdentifier && p.take(".") {
			s.Host += "." + p.match(identifier).text
		}
	default:
		p.none(1)
	}
	p.match("/", positive)
	s.Port = p.match(positive, append([]string{identifier}, atEnd...)...).text
	if t := p.la(1); t.kind == tokIdentifier {
		s.User = t.text
		p.pos++
		s.Password = unquote(p.match(literal, atEnd...).text)
	}
	return s
}

func (p *parser) describe() Statement {
	switch t := p.la(1); {
	case t.is("'CLUSTER'"):
		p.pos++
		return DescribeCluster
	case p.isName():
		n := p.name()
		return &Describe{&n}
	case t.is(";") || t.kind == tokEOF:
		return &Describe{}
	}
	p.none(1)
	return nil
}

func (p *parser) show() Statement {
	t := p.la(1)
	p.pos++
	switch t.name {
	case "'CLUSTER NAME'":
		return ShowClusterName
	case "API_VERSION":
		return ShowVersion
	case "KEYSPACES":
		return ShowKeyspaces
	case "SCHEMA":
		s := &ShowSchema{}
		if p.isName() {
			n := p.name()
			s.Keyspace = &n
		}
		return s
	}
	p.pos--
	p.none(1)
	return nil
}

// topics are the words behind help, in lower case.
var topics = []string{"help", "connect", "use", "describe", "describe cluster", "exit", "quit", "show cluster name", "show keyspaces", "show schema",
	"show api version", "create keyspace", "update keyspace", "create column family", "update column family", "drop keyspace",
	"drop column family", "drop index", "get", "set", "incr", "decr", "del", "count", "list", "truncate", "assume", "consistencylevel",
	"trace next query", "set trace probability"}

// help reads the topic word by word; a wrong word is refused where it stands.
func (p *parser) help() Statement {
	topic := ""
	for {
		t := p.la(1)
		if t.is(";") || t.kind == tokEOF {
			break
		}
		word := strings.ToLower(strings.Join(strings.Fields(t.text), " "))
		longer := strings.TrimPrefix(topic+" "+word, " ")
		if !begins(longer) {
			break
		}
		topic = longer
		p.pos++
	}
	if t := p.la(1); (topic == "set" || topic == "describe") && !t.is(";") && t.kind != tokEOF {
		p.none(1)
	}
	for _, known := range topics {
		if known == topic {
			return &Help{topic}
		}
	}
	switch t := p.la(1); {
	case topic == "" && (t.is(";") || t.kind == tokEOF):
		return &Help{}
	case topic == "trace":
		p.match("NEXT")
	case topic == "set trace":
		p.match("PROBABILITY")
	case topic == "create column" || topic == "update column" || topic == "drop column":
		p.match("FAMILY", atEnd...)
	}
	p.none(1)
	return nil
}

// begins says whether words begin one of the topics.
func begins(words string) bool {
	for _, known := range topics {
		if known == words || strings.HasPrefix(known, words+" ") {
			return true
		}
	}
	return false
}
