package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"regexp"
	"strings"
	"time"
)

// lookedAtWithin is for what needs a scrape, an evaluation of rules and a notification.
const lookedAtWithin = 3 * time.Minute

// look opens each page that the composition publishes beside its own, and reports what is not as it should be.
func (c *composed) look(ctx context.Context) {
	for _, at := range []struct {
		what string
		see  func(context.Context) (string, error)
	}{
		{"3200 Temporal UI", seeWorkflows}, {"3201 database", seeState}, {"3202 object store", seeBucket},
		{"9090 Prometheus", seeTargets}, {"9093 Alertmanager", c.seeAlert}, {"Temporal's dynamic configuration", c.seeDynamic},
	} {
		within, cancel := context.WithTimeout(ctx, lookedAtWithin)
		var seen string
		err := eventually(within, func() (err error) {
			seen, err = at.see(within)
			return err
		})
		cancel()
		if err != nil {
			c.report.fail(at.what + ": " + err.Error())
			continue
		}
		c.report.note("%s: %s", at.what, seen)
	}
}

// wrong says what is not as it should be, and why where something failed.
func wrong(err error, format string, args ...any) error {
	text := fmt.Sprintf(format, args...)
	if err != nil {
		return fmt.Errorf("%s: %w", text, err)
	}
	return errors.New(text)
}

// visitor opens pages, with a name and a password where it has one.
type visitor struct {
	http.Client
	password string
}

// open returns what is answered, whatever its status; a form is sent.
func (v *visitor) open(ctx context.Context, where string, form url.Values) (status int, text string, err error) {
	method, body := http.MethodGet, ""
	if form != nil {
		method, body = http.MethodPost, form.Encode()
	}
	r, err := http.NewRequestWithContext(ctx, method, where, strings.NewReader(body))
	if err != nil {
		return 0, "", err
	}
	if form != nil {
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	if v.password != "" {
		r.SetBasicAuth("footy", v.password)
	}
	answer, err := v.Do(r)
	if err != nil {
		return 0, "", err
	}
	defer answer.Body.Close()
	b, err := io.ReadAll(answer.Body)
	return answer.StatusCode, string(b), err
}

// read takes a JSON answer.
func read(ctx context.Context, where string, into any) error {
	status, text, err := new(visitor).open(ctx, where, nil)
	if err != nil {
		return err
	}
	if status != http.StatusOK {
		return fmt.Errorf("%s answers %d: %.200s", where, status, text)
	}
	return json.Unmarshal([]byte(text), into)
}

func seeWorkflows(ctx context.Context) (string, error) {
	const at = "http://127.0.0.1:3200/"
	if status, text, err := new(visitor).open(ctx, at, nil); err != nil || status != http.StatusOK || !strings.Contains(strings.ToLower(text), "<html") {
		return "", wrong(err, "no page: %d %.200s", status, text)
	}
	if status, text, err := new(visitor).open(ctx, at+"api/v1/namespaces/default/workflows/none/cancel", url.Values{}); err != nil || status < http.StatusBadRequest {
		return "", wrong(err, "it does not refuse to write: %d %.200s", status, text)
	}
	var list struct {
		Executions []struct{ Type struct{ Name string } }
	}
	if err := read(ctx, at+"api/v1/namespaces/default/workflows", &list); err != nil {
		return "", err
	}
	if len(list.Executions) == 0 {
		return "", errors.New("it lists no workflow")
	}
	return fmt.Sprintf("its page, and %d workflows of the namespace default", len(list.Executions)), nil
}

func seeState(ctx context.Context) (string, error) {
	const at = "http://127.0.0.1:3201/api/"
	if status, text, err := new(visitor).open(ctx, at+"objects", nil); err != nil || status != http.StatusUnauthorized {
		return "", wrong(err, "without a password it answers %d, not 401: %.200s", status, text)
	}
	v := &visitor{password: secret}
	if status, text, err := v.open(ctx, at+"objects", nil); err != nil || status != http.StatusOK || !strings.Contains(text, "fixtures") {
		return "", wrong(err, "it shows no table of fixtures: %d %.300s", status, text)
	}
	status, text, err := v.open(ctx, at+"query", url.Values{"query": {"CREATE TABLE looked_at (a int)"}})
	if err != nil || status == http.StatusOK || !strings.Contains(text, "read-only") {
		return "", wrong(err, "it does not refuse to write: %d %.200s", status, text)
	}
	return "asks for a password, shows the table of fixtures, refuses to write", nil
}

var hidden = regexp.MustCompile(`name="csrf_token" value="([^"]+)"`)

func seeBucket(ctx context.Context) (string, error) {
	const at = "http://127.0.0.1:3202/"
	jar, err := cookiejar.New(nil)
	if err != nil {
		return "", err
	}
	v := &visitor{Client: http.Client{Jar: jar}}
	enter := func(password string) (string, error) {
		_, text, err := v.open(ctx, at+"login", nil)
		if err != nil {
			return "", err
		}
		fields := url.Values{"username": {"footy"}, "password": {password}}
		if m := hidden.FindStringSubmatch(text); m != nil {
			fields.Set("csrf_token", m[1])
		}
		if _, _, err := v.open(ctx, at+"login", fields); err != nil {
			return "", err
		}
		_, text, err = v.open(ctx, at+"object-store/buckets", nil)
		return text, err
	}
	if text, err := enter("wrong"); err != nil || strings.Contains(text, "footy-videos") {
		return "", wrong(err, "a wrong password shows the bucket, or nothing answers")
	}
	text, err := enter(secret)
	if err != nil || !strings.Contains(text, "footy-videos") {
		return "", wrong(err, "it does not show the bucket footy-videos: %.300s", text)
	}
	return "asks for a password, shows the bucket footy-videos", nil
}

func seeTargets(ctx context.Context) (string, error) {
	const at = "http://127.0.0.1:9090/api/v1/"
	var targets struct {
		Data struct {
			ActiveTargets []struct {
				Labels    map[string]string
				Health    string
				LastError string
			}
		}
	}
	if err := read(ctx, at+"targets?state=active", &targets); err != nil {
		return "", err
	}
	roles := map[string]int{}
	for _, t := range targets.Data.ActiveTargets {
		if t.Health != "up" {
			return "", fmt.Errorf("%s is %s: %s", t.Labels["role"], t.Health, t.LastError)
		}
		roles[t.Labels["role"]]++
	}
	for _, role := range []string{"web", "worker", "vision", "browser"} {
		if roles[role] != 1 {
			return "", fmt.Errorf("targets by role: %v", roles)
		}
	}
	var rules struct {
		Data struct {
			Groups []struct {
				Rules []struct{ Name, Health, LastError string }
			}
		}
	}
	if err := read(ctx, at+"rules", &rules); err != nil {
		return "", err
	}
	n := 0
	for _, g := range rules.Data.Groups {
		for _, r := range g.Rules {
			if r.Health != "ok" {
				return "", fmt.Errorf("rule %s is %s: %s", r.Name, r.Health, r.LastError)
			}
			n++
		}
	}
	if n == 0 {
		return "", errors.New("no rules are loaded")
	}
	return fmt.Sprintf("4 targets up (web, worker, vision, browser), %d rules loaded and evaluated", n), nil
}

func (c *composed) seeAlert(ctx context.Context) (string, error) {
	var alerts []struct{ Labels map[string]string }
	if err := read(ctx, "http://127.0.0.1:9093/api/v2/alerts", &alerts); err != nil {
		return "", err
	}
	for _, a := range alerts {
		if a.Labels["alertname"] != "DeadMansSwitch" {
			continue
		}
		told, err := c.Compose(ctx, "logs", "--no-color", "people")
		if err != nil || !strings.Contains(told, "POST /heartbeat") || !strings.Contains(told, "DeadMansSwitch") {
			return "", wrong(err, "the webhook in urls/heartbeat heard nothing yet")
		}
		return "DeadMansSwitch reached it from Prometheus, and the webhook in urls/heartbeat from it", nil
	}
	return "", fmt.Errorf("DeadMansSwitch is not among %d alerts", len(alerts))
}

// seeDynamic lets the server's own command read the file: it names keys that the server does not know.
func (c *composed) seeDynamic(ctx context.Context) (string, error) {
	text, err := c.Compose(ctx, "exec", "-T", "temporal", "temporal-server", "validate-dynamic-config", "/etc/temporal/footy/dynamic.yml")
	if err != nil || strings.Contains(text, "error:") || strings.Contains(text, "warning:") {
		return "", wrong(err, "%s", text)
	}
	return "known to the server, key by key", nil
}
