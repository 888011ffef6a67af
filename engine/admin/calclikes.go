package admin

import "fmt"

func init() {
	formulas = append(formulas,
		formula{"likes", "item user [reads] [likes] [renames]", "likes of users and items modeled in four ways, with that many likes an item and a user: partitions read and written, copies, width", likesFormula},
		formula{"rollups", "minutes [types]", "a chart of so many minutes from counters by the minute and by the hour: partitions and columns read", rollupsFormula},
	)
}

// likesFormula compares the four designs of the talk for what is read together:
// a user with the titles of what they like, and an item with the names of those
// who like it. Reads count partitions; option 1 has an index on both ids.
func likesFormula(n numbers) ([][]string, error) {
	item, user := n.get("item"), n.get("user")
	reads, likes, renames := n.or("reads", 1), n.or("likes", 0), n.or("renames", 0)
	options := []struct {
		name                     string
		titles, names            float64 // partitions of the two combined reads
		readText                 string
		like, rename, copies, wd float64
		grows                    bool // the row of the entity does, with its likes
	}{
		{"option 1", 1 + 2*user, 1 + 2*item, "1 + n rows of the index + n entities", 1, 1, 1, 2, false},
		{"option 2", 2 + user, 2 + item, "1 + 1 + n", 2, 1, 1, max(item, user), false},
		{"option 3", 2, 2, "1 + 1", 2, 1 + user, 1 + item, max(item, user), false},
		{"option 4", 1, 1, "1", 2, 1 + user, 1 + item, max(item, user), true},
	}
	var out [][]string
	best, cheapest := "", 0.0
	for _, o := range options {
		both := o.titles + o.names
		total := float64(reads*both) + float64(likes*o.like) + float64(renames*o.rename)
		out = append(out,
			[]string{o.name, fmt.Sprintf("%s: %s + %s", o.readText, num(o.titles), num(o.names)), num(both), "partitions read: a user with titles, an item with names"},
			[]string{o.name + " like", "", num(o.like), "partitions written"},
			[]string{o.name + " rename", "", num(o.rename), "partitions written when a user gets another name"},
			[]string{o.name + " copies", "", num(o.copies), "of a title"},
			[]string{o.name + " width", "", num(o.wd), pickWidth(o.grows)},
			[]string{o.name + " total", fmt.Sprintf("%s × %s + %s × %s + %s × %s", num(reads), num(both), num(likes), num(o.like), num(renames), num(o.rename)), num(total), "partitions"})
		if !o.grows && (best == "" || total < cheapest) {
			best, cheapest = o.name, total
		}
	}
	return append(out, []string{"cheapest", num(cheapest) + " partitions", best, "among those whose users and items do not grow with their likes"}), nil
}

func pickWidth(grows bool) string {
	if grows {
		return "columns, beside those of the user or item itself"
	}
	return "columns, in a row of their own"
}

// rollupsFormula counts what charts read.
func rollupsFormula(n numbers) ([][]string, error) {
	minutes, types := n.get("minutes"), n.or("types", 1)
	hours := (minutes + 59) / 60
	whole := float64(int64(hours))
	days := float64(int64((whole + 23) / 24))
	return [][]string{
		{"minute partitions", fmt.Sprintf("%s × %s", num(types), num(whole)), num(types * whole), "a row an hour; one more if the window begins inside an hour"},
		{"minute columns", fmt.Sprintf("%s × %s", num(types), num(minutes)), num(types * minutes), "read and summed"},
		{"hour partitions", fmt.Sprintf("%s × %s", num(types), num(days)), num(types * days), "a row a day; one more if it begins inside a day"},
		{"hour columns", fmt.Sprintf("%s × %s", num(types), num(whole)), num(types * whole), "read"},
	}, nil
}
