package bind

import (
	"ringlab/model/cql"
	"ringlab/model/plan"
	"ringlab/model/schema"
)

// settings are the properties of a WITH clause; a second definition of one is
// refused, as Cassandra's parser does.
// Source: Cassandra 5.0 PropertyDefinitions.addProperty.
func settings(properties []cql.Property) ([]schema.Setting, error) {
	out := make([]schema.Setting, 0, len(properties))
	for _, p := range properties {
		for _, s := range out {
			if s.Name == p.Name.Text {
				return nil, plan.Syntax("Multiple definitions for property '%s'", s.Name)
			}
		}
		out = append(out, setting(p))
	}
	return out, nil
}

func setting(p cql.Property) schema.Setting {
	s := schema.Setting{Name: p.Name.Text, Text: p.Value.Text}
	switch {
	case p.Value.Kind == cql.MapProperty:
		s.IsMap = true
		for _, e := range p.Value.Map {
			s.Map = append(s.Map, schema.Option{Key: e.Key.Text, Value: e.Value.Text})
		}
	case s.Text == "" && p.Value.Constant != nil:
		s.Text = p.Value.Constant.Text
	}
	return s
}

func findSetting(all []schema.Setting, name string) *schema.Setting {
	for i := range all {
		if all[i].Name == name {
			return &all[i]
		}
	}
	return nil
}
