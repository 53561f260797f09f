# Found Footy. `make` alone lists the targets. Recipes of more than a few lines are in scripts/.

GO    ?= go
BIN   := bin
# Linters and promtool: all clones share them (scripts/tool).
TOOLS := $(or $(XDG_CACHE_HOME),$(HOME)/.cache)/found-footy/tools
export GO
# The embedded engine; the servers that only tests need are beside it.
export FOOTY_DEVSTACK ?= $(CURDIR)/$(BIN)/footy-devstack
# The same flags everywhere, so that tests and linters find what the build compiled. Debugging information is 8 % of the compiler's work.
export GOFLAGS := -trimpath -gcflags=all=-dwarf=false

RELEASE := 1.2.0
VERSION := $(RELEASE)$(shell git describe --tags --exact-match --dirty >/dev/null 2>&1 || git describe --always --dirty --exclude '*' 2>/dev/null | sed 's/^/+/')
# The last commit of the release before: the day of chaos upgrades from it.
FORMER_COMMIT := 44a4c511478b9c253914ad5127a3015393ca9f93
FORMER        := $(BIN)/footy-$(FORMER_COMMIT)

SOURCES          := go.mod go.sum $(shell find cmd internal -type f ! -name '*_test.go')
DEVSTACK_SOURCES := $(shell find devstack -type f ! -name '*_test.go' ! -name '*.md' ! -path 'devstack/helmcheck/*')

# go test, ending with what failed and why. Each target leaves its results in a file; test and check end with the tests that did not run.
GOTEST   := $(CURDIR)/$(BIN)/gotest
RESULTS  := $(CURDIR)/$(BIN)/results
RUNTESTS  = FOOTY_RESULTS='$(RESULTS)/$@' $(GOTEST)
# Servers wait while videos decode: four packages at a time keep two cores busy. Tests without symbols link a fifth faster.
RUNALL    = env $$(scripts/in-memory) $(RUNTESTS) -vet=off -ldflags=-s -p 4
# The longest packages begin first, so that none is left to run alone. On two cores that compile the others and play a day beside them, one of two
# minutes was seen to take more than ten: the limit is for what hangs.
LONGEST  := $(addprefix ./internal/,tell/web run/app pipeline extra/reels extra/reels/film connect/browser connect/media)
# Compiled without the race detector: these compute and share nothing, and take three times as long with it.
COMPUTES := modernc.org image golang.org/x/image $(addprefix github.com/found-footy/found-footy/internal/,recognize world/film)
# What plays days with faults (bench/chaos).
CHAOS    := $(BIN)/footy-chaos -footy $(BIN)/footy -devstack '$(FOOTY_DEVSTACK)' -teststack '$(dir $(FOOTY_DEVSTACK))footy-teststack' $(if $(DIR),-dir '$(DIR)')
.NOTPARALLEL: # go fills all cores by itself
.DEFAULT_GOAL := help
SHELL := bash
.PHONY: help demo up build devstack teststack test check setup fetch unit modes-short modes fmt-check vet lint workflowcheck cross extras race budgets \
	devstack-test chart-test chaos-test days e2e chaos-short footy-chaos former compose-smoke compose-test chaos bench bench-clips bench-clock fonts clockfont \
	docs record release package-test publish vuln outdated chromium vnc go clean

help: ## List the targets
	@awk 'BEGIN {FS = ":.*## "} /^[a-z][a-z0-9-]*:.*## / {printf "  %-14s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

##### Use
demo: fetch build devstack ## Play a simulated match day: the whole product, no accounts needed
	@$(BIN)/footy demo $(ARGS)
up: fetch build devstack ## Run everything for real in one process (docs/setup.md)
	@$(BIN)/footy up $(ARGS)
build: go $(BIN)/footy ## Build bin/footy
devstack: go $(BIN)/footy-devstack ## Build bin/footy-devstack, the embedded engine (minutes the first time)
teststack: go $(BIN)/footy-teststack ## Build bin/footy-teststack, servers that only tests need: S3, a stand-in for MongoDB
$(BIN)/footy: $(SOURCES)
	$(GO) build -ldflags '-s -w -X main.version=$(VERSION)' -o $@ ./cmd/footy
$(BIN)/footy-devstack $(BIN)/footy-teststack: $(DEVSTACK_SOURCES)
	@scripts/devstack $(@F) $(CURDIR)/$@
$(GOTEST): $(wildcard tools/gotest/*.go) | go
	@$(GO) build -o $@ ./tools/gotest
fetch: go # the engine's packages are downloaded while the product compiles
	@scripts/setup $(or $(filter up,$(MAKECMDGOALS)),demo) && { test -e $(BIN)/footy-devstack || scripts/devstack --fetch footy-devstack; }
##### Check
test: setup build ## Does the product work? Unit, conformance, workflow and browser tests, and one short match day (minutes)
	@rm -rf $(RESULTS)
	@MAKE='$(MAKE)' scripts/beside modes-short unit
	@$(GOTEST) -not-run $(RESULTS)
check: fmt-check vet lint workflowcheck cross extras race budgets devstack-test chart-test chaos-test days compose-smoke ## What else must pass before a change lands: linters, race detector, whole match days, containers
	@$(GOTEST) -not-run $(RESULTS)
setup: $(GOTEST) devstack teststack # what tests need beside Go
	@scripts/setup tests
unit: export PATH := $(TOOLS)/promtool:$(PATH)
unit: setup ## The tests of all packages
	$(RUNALL) -timeout 20m $(LONGEST) ./cmd/... ./internal/... ./tools/...
modes-short: setup build ## The short day in two modes of the simulated world
	FOOTY_E2E=1 $(RUNTESTS) ./internal/extra/demo -run TestADayOfSeveralModes -count=1 -timeout 15m
modes: setup build ## The short day in each mode, two at a time (ten minutes)
	FOOTY_E2E=1 $(GO) test ./internal/extra/demo -run "TestModes|TestNothing" -parallel 2 -count=1 -timeout 30m
fmt-check: go
	@files=$$(gofmt -l bench cmd internal devstack tools); test -z "$$files" || { printf 'run gofmt -w on:\n%s\n' "$$files"; exit 1; }
vet: go
	$(GO) vet ./...
lint: go ## golangci-lint (.golangci.yml has a reason for each rule) and actionlint
	scripts/lint
workflowcheck: go ## Workflow code must be deterministic
	$$(scripts/tool workflowcheck) ./internal/pipeline/... ./internal/extra/reels
cross: go ## Compile for macOS and for Linux on ARM
	for os in darwin linux; do CGO_ENABLED=0 GOOS=$$os GOARCH=arm64 $(GO) build ./... || exit 1; done
extras: go ## Take each extra away and compile; take all away and test the core
	scripts/extras
race: export PATH := $(TOOLS)/promtool:$(PATH)
race: setup ## The packages in which goroutines meet, under the race detector
	scripts/need cc && CGO_ENABLED=1 $(RUNALL) -race $(foreach p,$(COMPUTES),-gcflags='$p/...=-dwarf=false -race=false') -short -timeout 20m $$(scripts/concurrent)
budgets: $(GOTEST) devstack ## What a goal, a poll and an evening of searches may cost
	$(RUNALL) -timeout 10m ./bench/...
devstack-test: $(GOTEST) devstack # without -race, which would compile the Temporal server once more
	cd devstack && FOOTY_DEVSTACK_BIN='$(CURDIR)/$(BIN)/footy-devstack' $(RUNTESTS) -vet=off -timeout 10m ./...
chart-test: $(GOTEST) ## Check the Helm chart against the Kubernetes API (no cluster, no helm)
	cd devstack/helmcheck && $(RUNTESTS) -timeout 10m ./...
chaos-test: $(GOTEST)
	cd bench/chaos && $(GO) vet ./... && $(RUNTESTS) -timeout 10m ./...
days: setup build
	@MAKE='$(MAKE)' scripts/beside chaos-short e2e
e2e: setup build ## The demo's match day; every expectation and every stated reason is checked
	FOOTY_E2E=1 $(RUNTESTS) ./internal/extra/demo -run TestMatchDay -count=1 -timeout 15m
footy-chaos: go # a module of its own: its proxy library stays out of the product
	@cd bench/chaos && $(GO) build -o '$(CURDIR)/$(BIN)/$@' .
former: go # the program of the release before, if the clone has its commit
	@scripts/former $(FORMER_COMMIT) $(FORMER) $(RESULTS)/$@
chaos-short: setup build former ## A match day with each kind of fault once, compared with a calm day (WITHOUT=disk-full leaves a kind out)
	cd bench/chaos && FOOTY_CHAOS='$(CURDIR)/$(BIN)/footy' FOOTY_CHAOS_FORMER='$(CURDIR)/$(FORMER)' FOOTY_CHAOS_WITHOUT='$(WITHOUT)' $(RUNTESTS) . -run TestChaosShort -count=1 -timeout 20m
compose-smoke: setup build footy-chaos ## deploy/docker-compose.yml with this machine's programs, then one container of an image built here, until a goal has a clip (Linux, Docker; ten minutes)
	scripts/containers smoke $(BIN)/footy '$(RESULTS)/$@' $(CHAOS) -compose deploy -smoke
	scripts/containers one $(BIN)/footy '$(RESULTS)/$@-one' deploy/test/one $(BIN)/footy $(BIN)/footy-devstack
##### Only now and then
chaos: setup build former footy-chaos ## N=20 days with faults planned from SEED=1 on: kills, outages, a full disk (DIR= keeps them)
	$(CHAOS) -former $(FORMER) -n $(or $(N),20) -seed $(or $(SEED),1) $(if $(WITHOUT),-without '$(WITHOUT)')
compose-test: setup build footy-chaos ## A match day on the containers, calm and with faults (Linux, Docker; 20 to 40 minutes)
	scripts/containers test $(BIN)/footy '$(RESULTS)/$@' $(CHAOS) -compose deploy
bench: go ## The small benchmarks beside the code
	$(GO) test -run '^$$' -bench . -benchmem ./internal/...
bench-clips: go ## How well re-uploads are recognized, false merges (CORPUS=DIR, PER=n, SEED=n)
	scripts/need ffmpeg ffprobe && $(GO) run ./bench/clips $(if $(CORPUS),-corpus '$(CORPUS)') $(if $(PER),-per $(PER)) $(if $(SEED),-seed $(SEED))
bench-clock: fonts ## What the clock reader reads of 3,300 drawn clips, in hours (ARGS="-clips 60 -decoys 10 -cost 0" for a look)
	scripts/need ffmpeg ffprobe && $(GO) run ./bench/clock $(ARGS)
fonts: go # Debian's, to teach and test the clock reader; the product needs none
	@scripts/fonts $$($(GO) run ./tools/clockfont -packages)
clockfont: fonts ## Train the classifiers of clock digits and of letters anew (a quarter of an hour)
	$(GO) run ./tools/clockfont -out internal/recognize/clockface/glyphs.weights $(ARGS)
	$(GO) run ./tools/clockfont -letters -samples 900000 -epochs 8 -out internal/recognize/clockface/letters.weights $(ARGS)
docs: go ## Write docs/settings.md from the settings' tags
	$(GO) test ./cmd/footy -run TestSettingsPageIsUpToDate -update
record: setup build ## Keep workflow histories and databases of this release for the tests of later ones
	scripts/record $(RELEASE)
release: build ## Build dist/: archives, packages, bills of materials, checksums (Linux; FOR="linux/amd64 ..." for fewer; docs/releasing.md)
	scripts/release '$(VERSION)' dist $(FOR)
package-test: ## Install dist/*.deb in a fresh Debian container, play the short day, upgrade, remove (Linux, Docker)
	scripts/containers package $(BIN)/footy '$(RESULTS)/$@' deploy/test/package dist/*_$$(dpkg --print-architecture).deb
publish: ## Publish dist/ as the release of this commit's tag (needs gh)
	gh release create "$$(git describe --tags --exact-match)" --verify-tag --notes "$$(awk '/^## /{n++} n==1' CHANGELOG.md)" dist/*
vuln: go ## Known vulnerabilities in what we call (asks vuln.go.dev, or VULNDB=file:///...)
	for m in . devstack; do (cd $$m && $$($(CURDIR)/scripts/tool govulncheck) $(if $(VULNDB),-db '$(VULNDB)') ./...) || exit 1; done
outdated: go ## Direct dependencies that have a newer version
	@for m in . devstack devstack/helmcheck bench/chaos; do (cd $$m && $(GO) list -m -u -f '{{if and .Update (not .Indirect)}}{{.Path}} {{.Version}} -> {{.Update.Version}}{{end}}' all); done
chromium: ## Install Chromium, which searches X, and a screen in memory for it
	@scripts/need chromium && { test "$$(uname)" != Linux || scripts/need Xvfb || echo 'going on without a screen in memory'; }
vnc: ## Install what a login to X through a web page needs, for a server without a screen
	@scripts/need chromium Xvfb x11vnc websockify
go:
	@command -v $(GO) >/dev/null || { echo 'Go is missing: install Go 1.26 or newer from go.dev/dl'; exit 1; }
clean: ## Remove what was built here (the linters of all clones are in ~/.cache/found-footy/tools)
	rm -rf $(BIN) dist
