package answer

import "fmt"

// Clock is a virtual time as +00:02:14.380, with days in front where needed.
func Clock(micros int64) string {
	ms := micros / 1000
	s := ms / 1000
	text := fmt.Sprintf("%02d:%02d:%02d.%03d", s/3600%24, s/60%60, s%60, ms%1000)
	if days := s / 86400; days > 0 {
		return fmt.Sprintf("+%dd %s", days, text)
	}
	return "+" + text
}
