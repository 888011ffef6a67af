package serve

import "time"

// MostHeld watches for a while how many bytes of replies wait for the clients,
// and gives the most that one had.
func (s *Server) MostHeld(during time.Duration) (most int64) {
	for end := time.Now().Add(during); time.Now().Before(end); time.Sleep(time.Millisecond) {
		s.mu.Lock()
		for c := range s.conns {
			c.mu.Lock()
			most = max(most, c.pending)
			c.mu.Unlock()
		}
		s.mu.Unlock()
	}
	return most
}
