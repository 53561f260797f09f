package camera

import "math"

// Upload is what somebody posted of a film: cut, run at another speed, at another number of pictures a second.
type Upload struct {
	FromRate float64 // pictures a second that the film was recorded at
	Rate     float64 // and that the upload has; 0: as many
	Cut      float64 // seconds left out at the beginning
	Seconds  float64 // of the film that are left; 0: all
	Speed    float64 // 1.06 is six per cent faster; 0: as it was
}

// Length is how long the upload is for a film of so many seconds.
func (u Upload) Length(film float64) float64 {
	left := film - u.Cut
	if u.Seconds > 0 {
		left = min(left, u.Seconds)
	}
	return left / u.speed()
}

func (u Upload) speed() float64 {
	if u.Speed == 0 {
		return 1
	}
	return u.Speed
}

// Shows is the time in the film of the picture that the upload shows at time t: uploads show recorded pictures, never what was
// between two of them.
func (u Upload) Shows(t float64) float64 {
	if u.Rate > 0 {
		t = math.Floor(t*u.Rate+1e-6) / u.Rate
	}
	t = t*u.speed() + u.Cut
	return math.Floor(t*u.FromRate+1e-6) / u.FromRate
}
