# Found Footy. `make` alone lists what there is.

GO      ?= go
BIN     := bin
# Outside of the clone: linters take minutes to build, and another clone wants the same ones.
TOOLS   := $(or $(XDG_CACHE_HOME),$(HOME)/.cache)/found-footy/tools
# Where the tests and the program find the embedded engine.
export FOOTY_DEVSTACK ?= $(CURDIR)/$(BIN)/footy-devstack
# Tests look for it beside the engine.
TESTSTACK := $(dir $(FOOTY_DEVSTACK))footy-teststack

# The same flags for all that compiles, so that tests and linters find what the build compiled.
# Without debugging information, which is 8 % of the compiler's work (docs/building.md).
export GOFLAGS := -trimpath -gcflags=all=-dwarf=false

# Exact versions: a new linter must not turn a green commit red.
GOLANGCI_VERSION      := v2.15.0
WORKFLOWCHECK_VERSION := v0.6.0
FORTIO_VERSION        := v1.68.0
GOVULNCHECK_VERSION   := v1.1.4
ACTIONLINT_VERSION    := v1.7.12
NFPM_VERSION          := v2.44.1
CYCLONEDX_VERSION     := v1.10.0
# A linter reads only code for the Go that built it, or an older one.
BUILT_BY      := $(shell $(GO) env GOVERSION 2>/dev/null)
GOLANGCI      := $(TOOLS)/golangci-lint-$(GOLANGCI_VERSION)-$(BUILT_BY)/golangci-lint
WORKFLOWCHECK := $(TOOLS)/workflowcheck-$(WORKFLOWCHECK_VERSION)-$(BUILT_BY)/workflowcheck
FORTIO        := $(TOOLS)/fortio-$(FORTIO_VERSION)-$(BUILT_BY)/fortio
GOVULNCHECK   := $(TOOLS)/govulncheck-$(GOVULNCHECK_VERSION)-$(BUILT_BY)/govulncheck
ACTIONLINT    := $(TOOLS)/actionlint-$(ACTIONLINT_VERSION)-$(BUILT_BY)/actionlint
NFPM          := $(TOOLS)/nfpm-$(NFPM_VERSION)-$(BUILT_BY)/nfpm
CYCLONEDX     := $(TOOLS)/cyclonedx-gomod-$(CYCLONEDX_VERSION)-$(BUILT_BY)/cyclonedx-gomod

# The release that this is, with the commit where it is not the release itself.
RELEASE := 1.2.0
VERSION := $(RELEASE)$(shell git describe --tags --exact-match --dirty >/dev/null 2>&1 || git describe --always --dirty --exclude '*' 2>/dev/null | sed 's/^/+/')
LDFLAGS := -s -w -X main.version=$(VERSION)

# What the binaries are made of; anything below cmd and internal may be embedded.
SOURCES          := go.mod go.sum $(shell find cmd internal -type f ! -name '*_test.go' 2>/dev/null)
DEVSTACK_SOURCES := $(shell find devstack -type f ! -name '*_test.go' ! -name '*.md' ! -path 'devstack/helmcheck/*' 2>/dev/null)

# Go fills all cores by itself; two compilers at once only fight for memory.
.NOTPARALLEL:
.DEFAULT_GOAL := help
SHELL := bash
.SHELLFLAGS := -euo pipefail -c

section = @printf '\n=== %s ===\n' '$(1)'

.PHONY: help
help: ## List the targets
	@awk 'BEGIN {FS = ":.*## "} /^[a-z][a-z0-9-]*:.*## / {printf "  %-14s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

##### Use

.PHONY: demo
demo: devstack-fetch programs browser-if-possible build devstack ## Play a simulated match day: the whole product, no accounts needed
	@$(BIN)/footy demo $(ARGS)

.PHONY: up
up: devstack-fetch programs build devstack ## Run everything for real in one process (see docs/settings.md)
	@$(BIN)/footy up $(ARGS)

.PHONY: build
build: go $(BIN)/footy ## Build bin/footy

.PHONY: devstack
devstack: go $(BIN)/footy-devstack ## Build bin/footy-devstack, the embedded engine (minutes the first time)

.PHONY: teststack
teststack: go $(BIN)/footy-teststack ## Build bin/footy-teststack, servers that only tests need: S3, a stand-in for MongoDB

$(BIN)/footy: $(SOURCES)
	@mkdir -p $(BIN)
	$(GO) build -ldflags '$(LDFLAGS)' -o $@ ./cmd/footy

$(BIN)/footy-devstack $(BIN)/footy-teststack: $(DEVSTACK_SOURCES)
	@mkdir -p $(BIN)
	@scripts/devstack $(@F) $(CURDIR)/$@

# The engine's packages are loaded while the product compiles.
.PHONY: devstack-fetch
devstack-fetch: go
	@test -e $(BIN)/footy-devstack || scripts/devstack --fetch footy-devstack

##### Check

# Simulated days wait most of the time. $(call beside,DAY,OTHER) plays one while another target runs. What DAY printed is shown once both are
# over, and whichever fails has the last lines.
define beside
	@log=$$(mktemp); $(MAKE) --no-print-directory $(1) >"$$log" 2>&1 & day=$$!; \
	trap 'kill $$day 2>/dev/null || true; rm -f "$$log"' EXIT; \
	$(MAKE) --no-print-directory $(2); \
	rc=0; wait $$day || rc=$$?; cat "$$log"; exit $$rc
endef

.PHONY: test
test: forget test-programs build ## Everything that tells whether the product works: unit, conformance, workflow and browser tests, one short match day (minutes)
	$(call section,tests and a short day)
	$(call beside,modes-short,unit)
	@$(GOTEST) -not-run $(RESULTS)
	$(call section,all tests passed)

.PHONY: forget
forget:
	@rm -rf $(RESULTS)

.PHONY: check
check: fmt-check vet lint workflowcheck cross race budgets devstack-test chart-test chaos-test days compose-smoke ## What else must pass before a change lands: linters, race detector, whole match days, containers
	@$(GOTEST) -not-run $(RESULTS)
	$(call section,all checks passed)

.PHONY: fmt-check
fmt-check: go
	$(call section,gofmt)
	@files=$$(gofmt -l bench cmd internal devstack tools); if [ -n "$$files" ]; then printf 'run gofmt -w on:\n%s\n' "$$files"; exit 1; fi

.PHONY: vet
vet: go
	$(call section,vet)
	$(GO) vet ./...

.PHONY: lint
lint: $(GOLANGCI) $(ACTIONLINT) ## Run golangci-lint on all modules (.golangci.yml gives a reason for each rule), and actionlint on the workflows
	$(call section,lint)
	$(GOLANGCI) run ./...
	cd devstack && $(GOLANGCI) run --config $(CURDIR)/.golangci.yml ./...
	cd devstack/helmcheck && $(GOLANGCI) run --config $(CURDIR)/.golangci.yml ./...
	cd bench/chaos && $(GOLANGCI) run --config $(CURDIR)/.golangci.yml ./...
	$(ACTIONLINT) -shellcheck= .github/workflows/*.yml

.PHONY: workflowcheck
workflowcheck: $(WORKFLOWCHECK) ## Check that workflow code is deterministic
	$(call section,workflowcheck)
	$(WORKFLOWCHECK) ./internal/pipeline/...

# Not part of `make check`: it asks vuln.go.dev, and a flaw found elsewhere must not turn a green commit red.
.PHONY: vuln
vuln: go $(GOVULNCHECK) ## Look for known vulnerabilities in what we call (needs vuln.go.dev, or VULNDB=file:///...)
	$(GOVULNCHECK) $(if $(VULNDB),-db '$(VULNDB)') ./...
	cd devstack && $(GOVULNCHECK) $(if $(VULNDB),-db '$(VULNDB)') ./...

# go test, with what failed and why as its last lines.
GOTEST := $(CURDIR)/$(BIN)/gotest
RESULTS := $(CURDIR)/$(BIN)/results
# What became of each test, a file for each target: the last lines of test and check say what did not run.
RUNTESTS = FOOTY_RESULTS='$(RESULTS)/$@' $(GOTEST)
# Servers wait, video decodes: four packages at a time keep two cores busy. Without symbols, programs of tests link a fifth faster.
RUNALL = $(RUNTESTS) -vet=off -ldflags=-s -p 4 -exec "$$(scripts/in-memory)"
$(GOTEST): $(wildcard tools/gotest/*.go) | go
	@$(GO) build -o $@ ./tools/gotest

# They begin first, so that none of them is left running alone at the end: packages are tested in the order in which they are named. What
# computes lies between those that drive Chromium.
LONGEST := $(addprefix ./internal/,run/app pipeline connect/media connect/browser pipeline/reels tell/web)

# What tests want beside Go.
.PHONY: test-programs
test-programs: $(GOTEST) programs devstack teststack browser-if-possible screen-if-possible postgres-if-possible promtool-if-possible

.PHONY: unit
unit: export PATH := $(TOOLS)/promtool:$(PATH)
unit: test-programs ## Unit, conformance, workflow, browser and import-table tests
	$(call section,tests)
	$(RUNALL) -timeout 10m $(LONGEST) ./cmd/... ./internal/... ./tools/...

# What computes and shares nothing is compiled without the detector, under which pictures, SQLite and pipeline's tests with them take three
# times as long.
COMPUTES := modernc.org image golang.org/x/image $(addprefix github.com/found-footy/found-footy/internal/,recognize world/film)

# It needs a C compiler. With -short, tests that go through each call or each day take some of them.
.PHONY: race
race: export PATH := $(TOOLS)/promtool:$(PATH)
race: test-programs ## The tests of packages in which goroutines meet (scripts/concurrent), with the race detector
	@scripts/need cc
	$(call section,race detector)
	CGO_ENABLED=1 $(RUNALL) -race $(foreach p,$(COMPUTES),-gcflags='$p/...=-dwarf=false -race=false') -short -timeout 20m $$(scripts/concurrent)

# They hold what the product costs, not whether it works, and take long: goals on a real engine, whole evenings of searches.
.PHONY: budgets
budgets: $(GOTEST) go devstack ## The tests of bench/: what a goal, a poll and an evening of searches may cost
	$(call section,what things may cost)
	$(RUNALL) -timeout 10m ./bench/...

# The engine is left out: for another system it would take longer than all else here.
.PHONY: cross
cross: go ## Compile for the other systems that the product runs on
	$(call section,compiling for macOS and for Linux on ARM)
	CGO_ENABLED=0 GOOS=darwin GOARCH=arm64 $(GO) build ./...
	CGO_ENABLED=0 GOOS=linux GOARCH=arm64 $(GO) build ./...

# Without -race: instrumenting the Temporal server takes longer than all other checks together. Lint has vetted it, and vet would read
# two thousand packages again.
.PHONY: devstack-test
devstack-test: $(GOTEST) devstack
	$(call section,devstack module)
	cd devstack && FOOTY_DEVSTACK_BIN='$(CURDIR)/$(BIN)/footy-devstack' $(RUNTESTS) -vet=off -timeout 10m ./...

.PHONY: chart-test
chart-test: $(GOTEST) ## Render the Helm chart and hold it against the Kubernetes API (no cluster, no helm)
	$(call section,Helm chart)
	cd devstack/helmcheck && $(RUNTESTS) -timeout 10m ./...

.PHONY: e2e
e2e: $(GOTEST) programs browser-if-possible build devstack ## Play the demo's match day headless; check every expectation and every stated reason
	$(call section,one match day on the embedded engine)
	FOOTY_E2E=1 $(RUNTESTS) ./internal/run/demo -run TestMatchDay -count=1 -timeout 15m

.PHONY: days
days: programs browser-if-possible build devstack teststack
	$(call section,a match day and a day of chaos)
	$(call beside,chaos-short,e2e)

.PHONY: modes
modes: programs build devstack ## Play the short day in each mode of the world, two at a time (eight minutes; docs/world.md)
	$(call section,the short day in each mode)
	FOOTY_E2E=1 $(GO) test ./internal/run/demo -run TestModes -parallel 2 -count=1 -timeout 30m

.PHONY: modes-short
modes-short: $(GOTEST) programs build devstack ## Play the short day once, in two modes that have nothing to do with each other
	$(call section,the short day in two modes)
	FOOTY_E2E=1 $(RUNTESTS) ./internal/run/demo -run TestADayOfSeveralModes -count=1 -timeout 15m

# A module of its own: its proxy library stays out of the product's. It sees the product from outside only.
.PHONY: chaos-test
chaos-test: $(GOTEST)
	$(call section,chaos module)
	cd bench/chaos && $(GO) vet ./... && $(RUNTESTS) -timeout 10m ./...

# The last commit of the release before: a day that its program began goes on with this one's, whose database it must refuse.
FORMER_COMMIT := 44a4c511478b9c253914ad5127a3015393ca9f93
FORMER        := $(BIN)/footy-$(FORMER_COMMIT)

.PHONY: former
former: go ## Build the program of the release before, where the clone has its commit
	@mkdir -p $(RESULTS) && rm -f $(RESULTS)/$@
	@why=$$(GO='$(GO)' scripts/former $(FORMER_COMMIT) $(FORMER) 2>&1) || \
		{ printf 'going on without the release before: %s\n' "$$why"; printf 'the release before on the day of chaos\t%s\n' "$$why" >$(RESULTS)/$@; }

.PHONY: chaos-short
chaos-short: $(GOTEST) programs build devstack teststack former ## Play a match day with each kind of fault once and compare it with a calm one (some minutes)
	$(call section,one day of chaos)
	cd bench/chaos && FOOTY_CHAOS='$(CURDIR)/$(BIN)/footy' FOOTY_CHAOS_FORMER='$(CURDIR)/$(FORMER)' FOOTY_CHAOS_WITHOUT='$(WITHOUT)' $(RUNTESTS) . -run TestChaosShort -count=1 -timeout 20m

.PHONY: chaos
chaos: programs build devstack teststack former ## Play N=20 days with faults planned from SEED=1 on: kills, outages, a full disk (DIR=keeps them, WITHOUT=disk-full leaves a kind out)
	cd bench/chaos && $(GO) build -o '$(CURDIR)/$(BIN)/footy-chaos' .
	@$(BIN)/footy-chaos -footy $(BIN)/footy -former $(FORMER) -devstack '$(FOOTY_DEVSTACK)' -teststack '$(TESTSTACK)' -n $(or $(N),20) -seed $(or $(SEED),1) $(if $(DIR),-dir '$(DIR)') $(if $(WITHOUT),-without '$(WITHOUT)')

# Not part of `make check`: the first run makes a Debian and two images with debootstrap and apt (half an hour on two busy cores), each run plays three days.
.PHONY: compose-test
compose-test: compose-shipped ## Play a match day on the containers of deploy/docker-compose.yml, calm and with faults (Linux, a Docker engine; 20 to 40 minutes, the first time as much again for images)
	$(call section,one match day on containers)
	@why=$$(scripts/containers) || { printf 'not played: %s\n' "$$why"; exit 0; }; \
		deploy/test/images $(BIN)/footy && \
		cd bench/chaos && $(GO) build -o '$(CURDIR)/$(BIN)/footy-chaos' . && cd ../.. && \
		$(BIN)/footy-chaos -footy $(BIN)/footy -devstack '$(FOOTY_DEVSTACK)' -teststack '$(TESTSTACK)' -compose deploy $(if $(DIR),-dir '$(DIR)')

# Not the images, which take half an hour to make: containers see the programs of this machine. So the files of deploy are started in each
# CI with a Docker engine: limits, capabilities, networks, health checks, the sandbox, one clip.
.PHONY: compose-smoke
compose-smoke: programs browser-if-possible screen-if-possible postgres-if-possible build devstack teststack ## Start deploy/docker-compose.yml on this machine's programs until a goal has a clip (Linux, a Docker engine; three minutes)
	$(call section,a clip on containers)
	@mkdir -p $(RESULTS) && rm -f $(RESULTS)/$@
	@why=$$(scripts/containers smoke && deploy/test/smoke-image $(BIN)/footy) || \
		{ printf 'not started: %s\n' "$$why"; printf 'make $@\t%s\n' "$$why" >$(RESULTS)/$@; exit 0; }; \
		cd bench/chaos && $(GO) build -o '$(CURDIR)/$(BIN)/footy-chaos' . && cd ../.. && \
		$(BIN)/footy-chaos -footy $(BIN)/footy -devstack '$(FOOTY_DEVSTACK)' -teststack '$(TESTSTACK)' -compose deploy -smoke $(if $(DIR),-dir '$(DIR)')

# Not part of `make check`: the first run makes the images of compose-test and the programs (half an hour on two busy cores), later ones take two minutes.
.PHONY: compose-shipped
compose-shipped: programs chromium build devstack teststack ## Start deploy/docker-compose.yml with the real Temporal, SeaweedFS, Prometheus and consoles, and log in to X through noVNC (Linux, a Docker engine)
	$(call section,the composition as it is shipped)
	@why=$$(scripts/containers && deploy/test/images $(BIN)/footy && deploy/test/programs '$(TOOLS)/shipped') || { printf 'not started: %s\n' "$$why"; exit 0; }; \
		cd bench/chaos && $(GO) build -o '$(CURDIR)/$(BIN)/footy-chaos' . && cd ../.. && \
		$(BIN)/footy-chaos -footy $(BIN)/footy -devstack '$(FOOTY_DEVSTACK)' -teststack '$(TESTSTACK)' -compose deploy -shipped '$(TOOLS)/shipped' $(if $(DIR),-dir '$(DIR)')

# Histories are kept by release and never changed: a new release gets a directory of its own. Those called trouble-* come from a day
# of chaos: go run ./bench/record -address ENGINE -dir DIR, while one plays.
HISTORIES := internal/pipeline/testdata/histories
# So are databases, idle and in mid-day, for the tests of what later releases make of them.
STATES := internal/keep/store/testdata/states

.PHONY: unrecorded
unrecorded:
	@! test -e $(HISTORIES)/$(RELEASE) || { printf 'the histories of %s are recorded, and are never changed: give RELEASE a new number\n' '$(RELEASE)'; exit 1; }

.PHONY: record
record: unrecorded programs build devstack ## Play match days, make a reel, and keep workflow histories and databases of this release for the tests of later ones
	@mkdir -p $(HISTORIES)/$(RELEASE)
	FOOTY_E2E=1 FOOTY_RECORD=$(CURDIR)/$(HISTORIES)/$(RELEASE) $(GO) test ./internal/run/demo -run TestMatchDay -count=1 -timeout 15m
	FOOTY_RECORD=$(CURDIR)/$(HISTORIES)/$(RELEASE) $(GO) test ./internal/run/app -run TestAReelIsMadeByAnEngine -count=1
	$(GO) run ./bench/record/states -footy $(BIN)/footy -dir $(STATES)/$(RELEASE)
	cd $(HISTORIES) && find ./$(RELEASE) -name '*.gz' | LC_ALL=C sort | xargs sha256sum >> SHA256SUMS
	cd $(STATES) && find ./$(RELEASE) -type f | LC_ALL=C sort | xargs sha256sum >> SHA256SUMS

.PHONY: bench
bench: programs go devstack ## Measure match truth and orchestration; docs/bench.md explains the report (minutes)
	$(GO) run ./bench/match -devstack '$(FOOTY_DEVSTACK)' $(DAYS)
	$(GO) run ./bench/orchestration -devstack '$(FOOTY_DEVSTACK)'

.PHONY: bench-crowd
bench-crowd: build programs devstack ## Measure 60 goals at once with 1, 2 and 4 workers: searches, decodes, clips, waits (a quarter of an hour)
	$(GO) run ./bench/crowd -footy $(BIN)/footy -devstack '$(FOOTY_DEVSTACK)'

.PHONY: bench-browser
bench-browser: go chromium ## Measure searching X: calls, processor time and memory of a search, and a busy evening (minutes)
	$(GO) run ./bench/browser

.PHONY: bench-rules
bench-rules: go ## Run the small benchmarks that lie beside the code
	$(GO) test -run '^$$' -bench . -benchmem ./internal/...

.PHONY: bench-clips
bench-clips: go programs ## Measure clip truth: recall by re-upload, false merges, cost, archive (FOOTAGE=calm, CORPUS=DIR, PER=n, SEED=n)
	$(GO) run ./bench/clips -archive 100000 $(if $(FOOTAGE),-footage '$(FOOTAGE)') $(if $(CORPUS),-corpus '$(CORPUS)') $(if $(PER),-per $(PER)) $(if $(SEED),-seed $(SEED))

.PHONY: bench-clock
bench-clock: programs fonts ## Measure the clock reader on 450 drawn clips: read, wrong, abstained, cost (ARGS="-clips 60 -decoys 30" for less)
	$(GO) run ./bench/clock $(ARGS)

.PHONY: bench-reel
bench-reel: go programs ## Measure what a minute of a highlight reel costs (ARGS="-clips 4 -seconds 8" for less)
	$(GO) run ./bench/reel $(ARGS)

.PHONY: bench-web
bench-web: build $(FORTIO) ## Measure the page: 500 live readers and 200 requests a second on a day of 200 matches (a minute)
	$(GO) run ./bench/web -footy $(BIN)/footy -fortio $(FORTIO)

# The product needs no fonts: the weights are part of it.
.PHONY: fonts
fonts: go ## Install the fonts that teach and judge the clock reader (Debian packages)
	@scripts/fonts $$($(GO) run ./tools/clockfont -packages)

.PHONY: clockfont
clockfont: fonts ## Teach the classifier of clock digits anew (minutes) and print what it reads of fonts it never saw
	$(GO) run ./tools/clockfont -out internal/recognize/clockface/glyphs.weights $(ARGS)

.PHONY: screenshots
screenshots: programs build devstack chromium ## Take the pictures of docs/img from a demo run
	scripts/screenshots $(ARGS)

##### Release

# A version with a commit behind it is none of a release, but installs and says so.
.PHONY: release
release: build $(NFPM) $(CYCLONEDX) ## Build dist/: archives, packages, bills of materials, checksums (on Linux; FOR="linux/amd64 ..." for less; docs/releasing.md)
	NFPM=$(NFPM) CYCLONEDX=$(CYCLONEDX) scripts/release '$(VERSION)' dist $(FOR)

.PHONY: package-test
package-test: ## Install dist/*.deb in a fresh Debian container, play the short day there, start the service, upgrade, remove (Linux, a Docker engine)
	$(call section,the package in a fresh Debian)
	@why=$$(scripts/containers) || { printf 'not tried: %s\n' "$$why"; exit 0; }; deploy/test/package dist/*_$$(dpkg --print-architecture).deb

.PHONY: images
images: ## Build the container images of deploy/Dockerfile
	docker build -f deploy/Dockerfile --target footy --build-arg VERSION='$(VERSION)' -t found-footy:$(RELEASE) .
	docker build -f deploy/Dockerfile --target browser --build-arg VERSION='$(VERSION)' -t found-footy-browser:$(RELEASE) .

.PHONY: publish
publish: ## Publish dist/ as the release of this commit's tag (needs gh)
	gh release create "$$(git describe --tags --exact-match)" --verify-tag --notes "$$(awk '/^## /{n++} n==1' CHANGELOG.md)" dist/*

.PHONY: outdated
outdated: go ## List direct dependencies of which there is a newer version (needs a proxy that lists versions)
	@for module in . devstack devstack/helmcheck bench/chaos; do (cd $$module && $(GO) list -m -u -f '{{if and .Update (not .Indirect)}}{{.Path}} {{.Version}} -> {{.Update.Version}}{{end}}' all); done

##### Documents and tools

.PHONY: docs
docs: go ## Write docs/settings.md from the settings' tags
	$(GO) test ./internal/run/config -run TestSettingsPageIsUpToDate -update

.PHONY: programs
programs:
	@scripts/need ffmpeg ffprobe

.PHONY: chromium
chromium: ## Install Chromium (for searching X, browser tests and screenshots) and, on Linux, the screen in memory that its window is on
	@scripts/need chromium
	@test "$$(uname)" != Linux || scripts/need Xvfb || printf 'going on without a screen in memory\n'

.PHONY: vnc
vnc: chromium ## Install what logging in to X through a web page needs, on a server without a screen
	@scripts/need Xvfb x11vnc websockify

# Without Chromium a demo searches through the contract alone, and tests that drive it are skipped; both say so.
.PHONY: browser-if-possible
browser-if-possible:
	@scripts/need chromium || printf 'going on without Chromium\n'

# 17 MB to load, 63 MB on disk with Debian. Elsewhere than on Linux nothing needs a screen in memory.
.PHONY: screen-if-possible
screen-if-possible:
	@test "$$(uname)" != Linux || scripts/need Xvfb x11vnc websockify || printf 'going on without a screen in memory\n'

# 60 MB with Debian, which also starts a server of its own; the tests run theirs in a temporary directory and leave that one alone.
.PHONY: postgres-if-possible
postgres-if-possible:
	@scripts/need postgres || printf 'going on without PostgreSQL: its adapter is not tested\n'

# 19 MB to load, and one program of it is kept: Debian's package of Prometheus would start a server.
.PHONY: promtool-if-possible
promtool-if-possible:
	@scripts/promtool $(TOOLS)/promtool || printf 'going on without promtool: the alert rules are not played\n'

.PHONY: tools
tools: $(GOLANGCI) $(WORKFLOWCHECK) $(ACTIONLINT) ## Build the linters; all clones share them in ~/.cache/found-footy/tools

$(GOLANGCI): | go
	@printf 'building golangci-lint $(GOLANGCI_VERSION); the first time takes some minutes\n'
	@GOBIN=$(@D) $(GO) install github.com/golangci/golangci-lint/v2/cmd/golangci-lint@$(GOLANGCI_VERSION)

$(WORKFLOWCHECK): | go
	@GOBIN=$(@D) $(GO) install go.temporal.io/sdk/contrib/tools/workflowcheck@$(WORKFLOWCHECK_VERSION)

$(FORTIO): | go
	@GOBIN=$(@D) $(GO) install fortio.org/fortio@$(FORTIO_VERSION)

$(GOVULNCHECK): | go
	@GOBIN=$(@D) $(GO) install golang.org/x/vuln/cmd/govulncheck@$(GOVULNCHECK_VERSION)

$(ACTIONLINT): | go
	@GOBIN=$(@D) $(GO) install github.com/rhysd/actionlint/cmd/actionlint@$(ACTIONLINT_VERSION)

$(NFPM): | go
	@GOBIN=$(@D) $(GO) install github.com/goreleaser/nfpm/v2/cmd/nfpm@$(NFPM_VERSION)

$(CYCLONEDX): | go
	@GOBIN=$(@D) $(GO) install github.com/CycloneDX/cyclonedx-gomod/cmd/cyclonedx-gomod@$(CYCLONEDX_VERSION)

.PHONY: go
go:
	@command -v $(GO) >/dev/null || { printf 'Go is missing: install Go 1.26 or newer from go.dev/dl\n'; exit 1; }

.PHONY: clean
clean: ## Remove what was built here (state stays, and what clones share: clean-tools, go clean -cache)
	rm -rf $(BIN) dist

.PHONY: clean-tools
clean-tools: ## Remove the linters that all clones share
	rm -rf $(TOOLS)
