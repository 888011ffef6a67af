package cql

// ParseValues reads values for the markers of a prepared statement: a list of
// terms in parentheses, of which ? stands for a marker that is left unset; it
// gives nil. Positions of errors are those of an INSERT with these VALUES.
func ParseValues(text string) ([]Term, error) {
	st, err := Parse("INSERT INTO t (v) VALUES " + text)
	if err != nil {
		return nil, err
	}
	insert, ok := st.(*Insert)
	if !ok || insert.IfNotExists || insert.Using.Timestamp != nil || insert.Using.TTL != nil {
		return nil, &SyntaxError{Pos: Pos{Line: 1}, Message: "values are a list in parentheses, such as (1, 'a', ?)"}
	}
	for i, t := range insert.Values {
		if _, unset := t.(*Marker); unset {
			insert.Values[i] = nil
		}
	}
	return insert.Values, nil
}
