package admin

import (
	"strings"
	"testing"

	"ringlab/model/cql"
)

// Examples are statements that the parser takes.
func TestExamplesOfHelpParse(t *testing.T) {
	for _, topic := range topics {
		if topic.text == "" {
			t.Errorf("%v has no text", topic.names)
		}
		if topic.example == "" {
			continue
		}
		if _, err := cql.Parse(topic.example); err != nil {
			t.Errorf("%v: %s: %v", topic.names, topic.example, err)
		}
	}
}

// HELP has every topic of cqlsh 6.2.
func TestHelpHasTheTopicsOfCqlsh(t *testing.T) {
	const all = `CAPTURE CLS COPY DESCRIBE EXPAND HISTORY PAGING SHOW TRACING CLEAR CONSISTENCY DESC EXIT HELP LOGIN SERIAL SOURCE UNICODE
		AGGREGATES CREATE_KEYSPACE DROP_TRIGGER TEXT ALTER_KEYSPACE CREATE_MATERIALIZED_VIEW DROP_TYPE TIME ALTER_MATERIALIZED_VIEW CREATE_ROLE
		DROP_USER TIMESTAMP ALTER_TABLE CREATE_TABLE FUNCTIONS TRUNCATE ALTER_TYPE CREATE_TRIGGER GRANT TYPES ALTER_USER CREATE_TYPE INSERT UPDATE
		APPLY CREATE_USER INSERT_JSON USE ASCII DATE INT UUID BATCH DELETE JSON BEGIN DROP_AGGREGATE KEYWORDS BLOB DROP_COLUMNFAMILY
		LIST_PERMISSIONS BOOLEAN DROP_FUNCTION LIST_ROLES COUNTER DROP_INDEX LIST_USERS CREATE_AGGREGATE DROP_KEYSPACE PERMISSIONS
		CREATE_COLUMNFAMILY DROP_MATERIALIZED_VIEW REVOKE CREATE_FUNCTION DROP_ROLE SELECT CREATE_INDEX DROP_TABLE SELECT_JSON`
	for _, name := range strings.Fields(all) {
		if findTopic([]string{name}) == nil {
			t.Errorf("there is no topic %s", name)
		}
	}
}
