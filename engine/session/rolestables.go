package session

import "ringlab/model/access"

// The tables of system_auth, made of the roles.
// Source: Cassandra 5.0 AuthKeyspace.

func (c *Core) addRoles(t *systemTable, _ int) {
	for _, r := range c.Roles.All() {
		row := []any{"role", r.Name, "can_login", r.Login, "is_superuser", r.Super}
		if r.Hash != "" {
			row = append(row, "salted_hash", r.Hash)
		}
		if len(r.MemberOf) > 0 {
			row = append(row, "member_of", r.MemberOf)
		}
		t.add(row...)
	}
}

func (c *Core) addRolePermissions(t *systemTable, _ int) {
	for _, g := range c.Roles.Grants("", nil) {
		t.add("role", g.Role, "resource", g.Resource.Name(), "permissions", g.Permissions.Names())
	}
}

func (c *Core) addRoleIndex(t *systemTable, _ int) {
	for _, p := range c.Roles.Index() {
		t.add("resource", p.Key, "role", p.Value)
	}
}

func (c *Core) addRoleMembers(t *systemTable, _ int) {
	for _, p := range c.Roles.Members() {
		t.add("role", p.Key, "member", p.Value)
	}
}

func (c *Core) addIdentities(t *systemTable, _ int) {
	for _, p := range c.Roles.Identities() {
		t.add("identity", p.Key, "role", p.Value)
	}
}

func (c *Core) addNetworks(t *systemTable, _ int) { addPlaces(t, "dcs", c.Roles.Networks()) }

func (c *Core) addCIDRs(t *systemTable, _ int) { addPlaces(t, "cidr_groups", c.Roles.CIDRs()) }

func addPlaces(t *systemTable, column string, list []access.Places) {
	for _, p := range list {
		t.add("role", p.Key, column, append([]string{}, p.Names...))
	}
}
