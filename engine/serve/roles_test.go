package serve_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	gocql "github.com/apache/cassandra-gocql-driver/v2"

	"ringlab/engine/host"
)

// TestRoles has drivers log in as roles of the lab. Who has no permission is
// told so, also of prepared statements; what was done is there when the
// workspace is opened again, and no password is.
func TestRoles(t *testing.T) {
	path := filepath.Join(t.TempDir(), "roles.ringlab")
	store, err := host.Open(path, host.OpenOptions{Ring: "dc1=2"})
	if err != nil {
		t.Fatal(err)
	}
	s := start(t, store, "127.0.9.1")
	do(t, s, setUp, ":set authenticator PasswordAuthenticator", ":set authorizer CassandraAuthorizer",
		"CREATE ROLE ann WITH PASSWORD = 'open sesame' AND LOGIN = true")
	login := func(user, password string) func(*gocql.ClusterConfig) {
		return func(c *gocql.ClusterConfig) {
			c.Authenticator = gocql.PasswordAuthenticator{Username: user, Password: password}
		}
	}
	root := session2(t, s, "", login("cassandra", "cassandra"))
	for _, text := range []string{"CREATE TABLE shop.free (id int PRIMARY KEY)", "CREATE ROLE bob WITH LOGIN = true AND PASSWORD = 'quiet word'", "GRANT SELECT ON shop.free TO ann"} {
		if err := root.Query(text).Exec(); err != nil {
			t.Fatal(err)
		}
	}
	ann := session2(t, s, "", login("ann", "open sesame"))
	if err := ann.Query("SELECT * FROM shop.free WHERE id = ?", 1).Exec(); err != nil {
		t.Error(err)
	}
	if err := ann.Query("INSERT INTO shop.free (id) VALUES (?)", 1).Exec(); err == nil ||
		!strings.Contains(err.Error(), "User ann has no MODIFY permission on <table shop.free> or any of its parents") {
		t.Errorf("ann writes: %v", err)
	}
	bad := gocql.NewCluster(s.Address(0).Addr().String())
	bad.Port = int(s.Address(0).Port())
	login("bob", "open sesame")(bad)
	if _, err := bad.CreateSession(); err == nil || !strings.Contains(err.Error(), "Provided username bob and/or password are incorrect") {
		t.Errorf("bob: %v", err)
	}
	root.Close()
	ann.Close()
	s.Close()
	if err := store.Close(); err != nil {
		t.Fatal(err)
	}
	again, err := host.Open(path, host.OpenOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer again.Close()
	if again.Differs != "" || again.Lab.Core().Login("bob", "quiet word") != nil {
		t.Errorf("the replay differs at %q, or has not bob's password", again.Differs)
	}
	script := filepath.Join(t.TempDir(), "roles.lab")
	if _, err := again.Save(script); err != nil {
		t.Fatal(err)
	}
	for _, secret := range []string{"open sesame", "quiet word"} {
		for _, file := range []string{path, script} {
			if holds(t, file, secret) {
				t.Errorf("%s holds a password", filepath.Base(file))
			}
		}
	}
}

func holds(t *testing.T, file, text string) bool {
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return bytes.Contains(b, []byte(text))
}
