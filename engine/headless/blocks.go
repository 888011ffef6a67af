package headless

import "strings"

// Block is a fenced block of a Markdown file.
type Block struct {
	Lang string
	Text string
	Line int // of its first line, from 1
}

// Blocks finds the fenced blocks of a Markdown text.
func Blocks(text string) []Block {
	var out []Block
	var cur *Block
	var body []string
	for i, line := range strings.Split(text, "\n") {
		line = strings.TrimRight(line, "\r")
		switch {
		case cur != nil && strings.TrimRight(line, " ") == "```":
			cur.Text = strings.Join(body, "\n") + "\n"
			out = append(out, *cur)
			cur, body = nil, nil
		case cur != nil:
			body = append(body, line)
		case strings.HasPrefix(line, "```"):
			cur = &Block{Lang: strings.TrimSpace(line[3:]), Line: i + 2}
		}
	}
	return out
}
