package java

// typeName is a type as written: int, List<String>, Map.Entry<K, V>[].
type typeName struct {
	name    string // with dots; ? for a wildcard
	args    []*typeName
	diamond bool // <>
	dims    int
	bound   *typeName // of ? extends
	line    int
}

// node is an expression of the source.
type node interface{ at() int }

// row is the line of an expression or statement.
type row int

func (r row) at() int { return int(r) }

type (
	literal struct {
		row
		token
	}
	nameRef struct { // x
		row
		name string
	}
	member struct { // of.name
		row
		of   node
		name string
	}
	call struct { // of.name(args); of is nil for a bare call
		row
		of   node
		name string
		args []node
	}
	index struct { // of[i]
		row
		of, i node
	}
	creation struct { // new T(args)
		row
		typ  *typeName
		args []node
	}
	newArray struct { // new int[a][b][], new int[] {…}, or {…} alone with typ nil
		row
		typ   *typeName
		sizes []node
		init  []node
		given bool // init counts
	}
	unary struct { // + - ~ !
		row
		op string
		x  node
	}
	step struct { // ++ and --
		row
		op     string
		x      node
		before bool // ++x
	}
	infix struct {
		row
		op   string
		x, y node
	}
	ternary struct {
		row
		cond, x, y node
	}
	assign struct {
		row
		op   string // = or += …
		x, y node
	}
	cast struct {
		row
		typ *typeName
		x   node
	}
	instanceOf struct {
		row
		x   node
		typ *typeName
	}
	classRef struct { // int.class, String.class
		row
		typ *typeName
	}
)

// statement is a statement of the source.
type statement interface{ at() int }

type (
	block struct {
		row
		list []statement
	}
	declaration struct {
		row
		typ   *typeName // nil for var
		final bool
		vars  []variable
	}
	exprStatement struct {
		row
		x node
	}
	ifStatement struct {
		row
		cond        node
		then, other statement
	}
	loop struct { // for and while
		row
		init   []statement
		cond   node // nil is true
		update []node
		body   statement
	}
	doLoop struct {
		row
		body statement
		cond node
	}
	forEach struct {
		row
		typ  *typeName
		name string
		of   node
		body statement
	}
	switchStatement struct {
		row
		on    node
		cases []switchCase
	}
	jump struct { // break, continue
		row
		word, label string
	}
	returnStatement struct {
		row
		x node
	}
	throwStatement struct {
		row
		x node
	}
	tryStatement struct {
		row
		body    *block
		catches []catchClause
		finally *block
	}
	labeled struct {
		row
		label string
		body  statement
	}
	empty struct{ row }
)

type variable struct {
	name string
	dims int
	init node
	line int
}

// switchCase is labels with the statements behind them; a nil label is default.
type switchCase struct {
	labels []node
	list   []statement
	line   int
}

type catchClause struct {
	types []*typeName
	name  string
	body  *block
	line  int
}
