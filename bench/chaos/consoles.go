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
	"os"
	"path/filepath"
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
		{"3200 Temporal UI", seeWorkflows}, {"3201 database", c.seeState}, {"3202 object store", seeBucket},
		{"9090 Prometheus", c.seeTargets}, {"9093 Alertmanager", c.seeAlert}, {"Temporal's dynamic configuration", c.seeDynamic},
	} {
		within, cancel := context.WithTimeout(ctx, lookedAtWithin)
		var seen string
		err := c.eventually(within, func() (err error) {
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

// ask sends a request and returns what came back, whatever its status.
func ask(client *http.Client, r *http.Request, err error) (status int, text string, failed error) {
	if err != nil {
		return 0, "", err
	}
	answer, err := client.Do(r)
	if err != nil {
		return 0, "", err
	}
	defer answer.Body.Close()
	b, err := io.ReadAll(answer.Body)
	return answer.StatusCode, string(b), err
}

func get(ctx context.Context, where string) (*http.Request, error) {
	return http.NewRequestWithContext(ctx, http.MethodGet, where, nil)
}

func form(ctx context.Context, where string, fields url.Values) (*http.Request, error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, where, strings.NewReader(fields.Encode()))
	if err == nil {
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	return r, err
}

// read takes a JSON answer.
func read(ctx context.Context, where string, into any) error {
	r, err := get(ctx, where)
	status, text, err := ask(http.DefaultClient, r, err)
	if err != nil {
		return err
	}
	if status != http.StatusOK {
		return fmt.Errorf("%s answers %d: %.200s", where, status, text)
	}
	return json.Unmarshal([]byte(text), into)
}

func seeWorkflows(ctx context.Context) (string, error) {
	r, err := get(ctx, "http://127.0.0.1:3200/")
	if status, text, err := ask(http.DefaultClient, r, err); err != nil || status != http.StatusOK || !strings.Contains(strings.ToLower(text), "<html") {
		return "", wrong(err, "no page: %d %.200s", status, text)
	}
	var list struct {
		Executions []struct{ Type struct{ Name string } }
	}
	if err := read(ctx, "http://127.0.0.1:3200/api/v1/namespaces/default/workflows", &list); err != nil {
		return "", err
	}
	if len(list.Executions) == 0 {
		return "", fmt.Errorf("it lists no workflow")
	}
	return fmt.Sprintf("its page, and %d workflows of the namespace default", len(list.Executions)), nil
}

func (c *composed) seeState(ctx context.Context) (string, error) {
	const at = "http://127.0.0.1:3201"
	r, err := get(ctx, at+"/api/objects")
	if status, text, err := ask(http.DefaultClient, r, err); err != nil || status != http.StatusUnauthorized {
		return "", wrong(err, "without a password it answers %d, not 401: %.200s", status, text)
	}
	if r, err = get(ctx, at+"/api/objects"); err == nil {
		r.SetBasicAuth("footy", secret)
	}
	if status, text, err := ask(http.DefaultClient, r, err); err != nil || status != http.StatusOK || !strings.Contains(text, "fixtures") {
		return "", wrong(err, "it shows no table of fixtures: %d %.300s", status, text)
	}
	if r, err = form(ctx, at+"/api/query", url.Values{"query": {"CREATE TABLE looked_at (a int)"}}); err == nil {
		r.SetBasicAuth("footy", secret)
	}
	status, text, err := ask(http.DefaultClient, r, err)
	if err != nil || status == http.StatusOK || !strings.Contains(text, "read-only") {
		return "", wrong(err, "it does not refuse to write: %d %.200s", status, text)
	}
	return "asks for a password, shows the table of fixtures, refuses to write", nil
}

var hidden = regexp.MustCompile(`name="csrf_token" value="([^"]+)"`)

func seeBucket(ctx context.Context) (string, error) {
	const at = "http://127.0.0.1:3202"
	jar, err := cookiejar.New(nil)
	if err != nil {
		return "", err
	}
	client := &http.Client{Jar: jar}
	enter := func(password string) (string, error) {
		r, err := get(ctx, at+"/login")
		_, text, err := ask(client, r, err)
		if err != nil {
			return "", err
		}
		fields := url.Values{"username": {"footy"}, "password": {password}}
		if m := hidden.FindStringSubmatch(text); m != nil {
			fields.Set("csrf_token", m[1])
		}
		r, err = form(ctx, at+"/login", fields)
		if _, _, err = ask(client, r, err); err != nil {
			return "", err
		}
		r, err = get(ctx, at+"/object-store/buckets")
		_, text, err = ask(client, r, err)
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

func (c *composed) seeTargets(ctx context.Context) (string, error) {
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
	file, err := os.ReadFile(filepath.Join(c.Dir, "prometheus", "rules.yml"))
	if err != nil {
		return "", err
	}
	n, want := 0, len(regexp.MustCompile(`(?m)^\s+- (alert|record): `).FindAll(file, -1))
	for _, g := range rules.Data.Groups {
		for _, r := range g.Rules {
			if r.Health != "ok" {
				return "", fmt.Errorf("rule %s is %s: %s", r.Name, r.Health, r.LastError)
			}
			n++
		}
	}
	if n != want || n == 0 {
		return "", fmt.Errorf("%d rules are loaded, the file has %d", n, want)
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
