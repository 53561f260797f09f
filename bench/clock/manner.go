package main

import (
	"fmt"
	"strings"
)

// manner is how a clip is uploaded.
type manner struct {
	name   string
	lines  int     // that are drawn
	filter string  // what ffmpeg makes of them; X is the column that a cut goes through
	rate   int     // kb/s; 0: constant quality
	cut    float64 // through which character of the clock, from the left, all that is left of it is cut off; 0: nothing is
	decoys bool    // what is no clock is drawn so, too
}

const shown = "scale=720:-2" // the picture in a vertical one

// manners are what was found among uploads.
func manners() []manner {
	upright := func(filter string) string { return filter + ",setsar=1" }
	return []manner{
		{name: "720 lines", lines: 720, decoys: true},
		{name: "360 lines, 450 kb/s", lines: 720, filter: "scale=-2:360", rate: 450, decoys: true},
		{name: "1080 lines", lines: 1080},
		{name: "398x224", lines: 720, filter: "scale=398:224,setsar=1", rate: 300},
		{name: "vertical, bars", lines: 720, rate: 1200, filter: upright(shown + ",pad=720:1280:0:(oh-ih)/2:black"), decoys: true},
		{name: "cut through the tens", lines: 720, filter: "crop=iw-X:ih:X:0", cut: 0.6},
		{name: "vertical, blurred", lines: 720, rate: 1200, filter: upright("split[a][b];[a]scale=-2:160,crop=90:160,boxblur=4,scale=720:1280[c];[b]" + shown + "[d];[c][d]overlay=0:(H-h)/2")},
		{name: "cut after the tens", lines: 720, filter: "crop=iw-X:ih:X:0,scale=-2:360", rate: 450, cut: 1.02},
		{name: "slow zoom", lines: 720, filter: "scale=w=2*trunc(iw*(1+0.003*t)/2):h=2*trunc(ih*(1+0.003*t)/2):eval=frame,crop=1280:720"},
		{name: "cut, black bar", lines: 720, filter: "crop=iw-X:ih:X:0,pad=iw+X:ih:X:0:black", cut: 1.02, decoys: true},
		{name: "vertical, captions", lines: 720, rate: 1200, filter: upright(shown + ",pad=720:1280:0:(oh-ih)/2:0x102040," +
			"drawtext=font=Sans:text='WHAT A GOAL 2-1':x=40:y=250:fontsize=64:fontcolor=white,drawtext=font=Sans:text='@goals 24':x=40:y=930:fontsize=44:fontcolor=white")},
		{name: "cut, coloured bar", lines: 720, filter: "crop=iw-X:ih:X:0,pad=iw+X:ih:X:0:0x204060", cut: 1.02},
		{name: "360 lines, 450 kb/s", lines: 720, filter: "scale=-2:360", rate: 450, decoys: true},
		{name: "cut through the minutes", lines: 720, filter: "crop=iw-X:ih:X:0", cut: 1.5},
	}
}

// args are ffmpeg's for a manner.
func (m manner) args(mirrored bool, column, crf, gop int) []string {
	filter := "null"
	if mirrored {
		filter = "hflip"
	}
	if m.filter != "" {
		filter += "," + strings.ReplaceAll(m.filter, "X", fmt.Sprint(column))
	}
	out := []string{"-vf", filter, "-c:v", "libx264", "-preset", "superfast", "-threads", "1", "-g", fmt.Sprint(gop), "-pix_fmt", "yuv420p", "-f", "mp4"}
	if m.rate > 0 {
		return append(out, "-b:v", fmt.Sprintf("%dk", m.rate), "-maxrate", fmt.Sprintf("%dk", m.rate*3/2), "-bufsize", fmt.Sprintf("%dk", 2*m.rate))
	}
	return append(out, "-crf", fmt.Sprint(crf))
}
