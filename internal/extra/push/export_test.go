package push

import "context"

// AskedMost is how many messages one address may ask for, a minute.
const AskedMost = askedMost

// Keys is the public key.
func (s *Service) Keys(ctx context.Context) (string, error) {
	k, err := s.vapid(ctx)
	return k.Public, err
}

// Devices is how many are registered.
func (s *Service) Devices(ctx context.Context) (int, error) {
	all, err := s.devices(ctx)
	return len(all), err
}
