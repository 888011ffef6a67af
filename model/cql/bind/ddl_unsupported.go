package bind

import "ringlab/model/cql"

// unsupported names what a statement is about that ringlab does not know, and
// the way around it.
func unsupported(st cql.Statement) (thing, instead string) {
	const roles = "every client may do everything here, as under AllowAllAuthorizer"
	switch st.(type) {
	case *cql.CreateIndex, *cql.DropIndex:
		return "secondary indexes (CREATE INDEX)", "model a second table with that column as partition key"
	case *cql.CreateView, *cql.AlterView, *cql.DropView:
		return "materialized views", "write to a second table with the other primary key"
	case *cql.CreateFunction, *cql.DropFunction:
		return "user-defined functions", "use the built-in functions or compute in the client"
	case *cql.CreateAggregate, *cql.DropAggregate:
		return "user-defined aggregates", "use count, min, max, sum or avg, or compute in the client"
	case *cql.CreateTrigger, *cql.DropTrigger:
		return "triggers", "write to the other tables in a logged batch"
	case *cql.CreateRole, *cql.AlterRole, *cql.DropRole, *cql.GrantRole, *cql.ListRoles:
		return "roles and users", roles
	case *cql.GrantPermissions, *cql.ListPermissions:
		return "permissions", roles
	case *cql.AddIdentity, *cql.DropIdentity:
		return "identities of clients", roles
	}
	return "this statement", "see the documentation for those that it knows"
}
