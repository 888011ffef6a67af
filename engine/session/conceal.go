package session

import (
	"strings"

	"ringlab/model/access"
	"ringlab/model/cql"
)

// Conceal is a statement with the hashes of its passwords instead of them: what
// is kept of a command must not tell them. Statements without a password, and all
// while the lab has none, stay as they are. The answer to both is the same.
func (c *Core) Conceal(text string) string {
	if !c.Cluster.Set.Auth.Passwords || !strings.Contains(strings.ToUpper(text), "PASSWORD") {
		return text
	}
	st, err := cql.Parse(cql.TrimStatement(text))
	if err != nil || !strings.Contains(text, cql.TrimStatement(text)) {
		return text
	}
	var role string
	var options []cql.RoleOption
	switch s := st.(type) {
	case *cql.CreateRole:
		role, options = s.Name.Name.Text, s.Options
	case *cql.AlterRole:
		role, options = s.Name.Name.Text, s.Options
	}
	shift := strings.Index(text, cql.TrimStatement(text))
	for i := len(options) - 1; i >= 0; i-- { // from behind, so that places stay right
		o := options[i]
		if o.Kind != cql.RolePassword {
			continue
		}
		word, from := shift+o.Pos.Offset, shift+o.Value.Pos.Offset
		to := from + literal(text[from:])
		text = text[:word] + "HASHED " + text[word:from] + "'" + access.HashPassword(o.Value.Text, c.salt(role)) + "'" + text[to:]
	}
	return text
}

// literal is the length of the string that a text begins with.
func literal(text string) int {
	if strings.HasPrefix(text, "$$") {
		return 2 + strings.Index(text[2:], "$$") + 2
	}
	for i := 1; i < len(text); i++ {
		if text[i] != '\'' {
			continue
		}
		if i++; i == len(text) || text[i] != '\'' {
			return i
		}
	}
	return len(text)
}
