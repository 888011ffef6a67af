package access

// Options are what CREATE and ALTER ROLE say of a role; nil is what they leave
// out.
// Source: Cassandra 5.0 RoleOptions, DCPermissions, CIDRPermissions.
type Options struct {
	Password, Hash   *string
	Superuser, Login *bool
	Custom           bool      // OPTIONS = {…}, which no role manager here takes
	Datacenters      *[]string // empty: all of them
	CIDRs            *[]string // groups; empty: from everywhere
}

// Empty says whether nothing of the role itself is said.
func (o *Options) Empty() bool {
	return o.Password == nil && o.Hash == nil && o.Superuser == nil && o.Login == nil && !o.Custom
}
