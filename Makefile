# The commands of Kintsugi's checkout; `make help` lists them.
# Everything that a command needs is installed or built first: Debian packages, Open MPI with ULFM (once per machine).
SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
# The make that CMake calls must not print the names of its folders.
MAKEFLAGS += --no-print-directory

N ?= 4
SPARES ?= 0
KILL ?=
ARGS ?=
APP ?= hpccg
FLAVOUR ?= ulfm
CRASHES ?= 10
SILENT ?= 5
RUNS ?= 100
# Several threads in MPI: not on the fork, which has none.
WORKLOADS ?= hpccg subcomms intercomms long_messages stopped $(if $(filter reinit,$(FLAVOUR)),,threads) features growing
JOBS ?= 50
# For make calls, on each number of ranks.
CALLS ?= 15000
RANKS ?= 1 2 3 4 5 6 7
KILLS ?= 2
ENGINES ?= memory xor file memory,xor:2,file:4
NODES ?= one
STEP ?= 1
SEED ?= 1
JVM ?=
PREFIX ?=
REPO ?=
SPARE_NODES ?= 0
MPIRUN ?=
LONG ?=
ORIGINALS ?=
PART ?= all
# The tests with ranks that make quick runs: of each area the one that shows most in a few seconds.
QUICK_RANKS := MessagesTest\#sendAndReceiveAtOnce CollectivesTest\#variantsWithDifferentLengths RevokeShrinkAgreeTest\#revokeShrinkAndAgree \
  KillMatrixTest\#twoDieAtOnce JvmVariantsTest\#recoversOnANewerJdk CheckpointTest\#everyTypeOfArrayComesBack \
  PersistentCommTest\#aHistoryIsReplayedInOrder JobInputTest
# The tests without ranks, by their packages.
QUICK_UNITS := $(foreach area,runtime mpi redundancy checkpoint persist reinit launch test examples,org/kintsugi/$(area)/**/*Test)

# The property tells Maven that the stamps of builds are kept here (pom.xml removes them else).
MVN_ALOUD := mvn -B -ntp -Dkintsugi.make
MVN := $(MVN_ALOUD) -q
# Two modules at a time, where they do not need each other.
BESIDE := -T 2
HANDWRITTEN := runtime,presets,java-api,launcher,test,examples,ci
MPI = $(shell native/openmpi/find.sh ulfm 2>/dev/null)
# The Reinit++ fork, where one is installed: the flavour reinit is then built and tested too.
REINIT = $(shell native/openmpi/find.sh reinit 2>/dev/null)
# A JDK 22 or newer, where one is installed: java-api is built for that, too.
NEWER_JDK = $(shell native/setup/newer-jdk.sh 2>/dev/null)
# A build depends on these besides its sources.
BUILT_FOR = $(shell java -version 2>&1) $(MPI) $(REINIT) $(NEWER_JDK)
MADE := ci/target/made
MADE_FROM = pom.xml $(wildcard */pom.xml */src) native bindings/exports.map $(wildcard $(MPI)/include/mpi.h $(REINIT)/include/mpi.h)
# The bindings take half a minute to generate and compile, and stay as they are while nothing that goes into them changes.
BINDINGS_MADE := bindings/target/made
BINDINGS_FROM = pom.xml bindings/pom.xml bindings/exports.map bindings/src runtime/src/main presets native/include native/reinit/include native/scr/include \
  $(wildcard $(MPI)/include/mpi.h $(REINIT)/include/mpi.h)
CLASSES := $(addsuffix /target/classes,runtime presets bindings java-api launcher test examples ci)
CURRENT := native/setup/current.sh
AS_THEY_ARE := -Djavacpp.skip -Djavacpp.parser.skip
JARS = $$(ls -d "$(CURDIR)"/ci/target/lib/*.jar | tr '\n' ':')
CP = $(CURDIR)/ci/target/classes:$(CURDIR)/examples/target/classes:$(CURDIR)/test/target/classes:$(CURDIR)/launcher/target/classes:$(CURDIR)/java-api/target/classes:$(CURDIR)/bindings/target/classes:$(CURDIR)/runtime/target/classes:$(JARS)
# A JVM with two collectors on its command line does not start, so a collector that the user has set
# in a variable replaces ours.
COLLECTOR = $(if $(filter -XX:+Use%GC @%,$(JAVA_TOOL_OPTIONS) $(JDK_JAVA_OPTIONS) $(_JAVA_OPTIONS)),,-XX:+UseSerialGC)
MAIN_hpccg := org.kintsugi.examples.hpccg.Hpccg
MAIN_lulesh := org.kintsugi.examples.lulesh.Lulesh
MAIN_comd := org.kintsugi.examples.comd.Comd
MAIN_amg := org.kintsugi.examples.amg.Amg
MAIN_minife := org.kintsugi.examples.minife.MiniFe
MAIN_minivite := org.kintsugi.examples.minivite.MiniVite
MAIN_heat := org.kintsugi.examples.persist.Heat
MAIN_twoprocesses := org.kintsugi.examples.persist.TwoProcesses
# The number of ranks of examples that need a certain number, for kintsugi run.
RANKS_twoprocesses := 2

# This runs from its source, so that there is a summary even if the build has failed.
SUMMARY = java ci/src/main/java/org/kintsugi/ci/report/TestSummary.java "$(CURDIR)"

# For make soak: the workloads that RandomKills has.
PROXIES := hpccg lulesh comd amg minife minivite
# For make soak, if they are set: make run has another default for SPARES.
SOAK_JOBS = $(if $(DEATHS),--deaths=$(DEATHS)) $(if $(filter-out file,$(origin SPARES)),--spares=$(SPARES))
# The MPI of the flavour.
HOME_ulfm = $(MPI)
HOME_reinit = $(REINIT)

# This runs from its source. A flavour that was not built is not published.
PUBLISHED := bom,archetype,native,runtime,presets,bindings,java-api,launcher,test
# Options for Maven to publish into this folder only. In the local repository later builds would
# find old artifacts.
# (A variable of the shell is an absolute path. Maven calls its own repository "local": that name would spoil its records there.)
into = -Dmaven.install.skip "-DaltDeploymentRepository=folder::file://$(if $(filter $$%,$(1)),$(1),$(abspath $(1)))"
PUBLISHED_CHECK = java ci/src/main/java/org/kintsugi/ci/dist/PublishedArtifacts.java

.PHONY: app-nodes docs pages publish-local standalone bare install dist help setup flavour build made demo run test quick test-bare jars check format bench calls soak saves stages nodes returning-nodes info clean validate-app reference refill long-job

help: ## this list
	@grep -E '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## (.*)/  make \1\t\2/' | expand -t 16
	@echo
	@echo '  make run APP=hpccg N=4 SPARES=1 KILL=process:2@60 ARGS="32 32 32 --json FILE"'
	@echo '  FLAVOUR=reinit: under the Reinit++ fork of Open MPI, where one is installed, instead of ulfm'

setup: ## install missing packages, find or build Open MPI with ULFM
	@native/setup/packages.sh
	@native/openmpi/find.sh >/dev/null 2>&1 || native/openmpi/build.sh
	@native/openmpi/find.sh >/dev/null

flavour:
	@case '$(FLAVOUR)' in \
	ulfm) ;; \
	reinit) why=$$(native/openmpi/find.sh reinit 2>&1 >/dev/null) || { echo "$$why" >&2; exit 1; } ;; \
	*) echo "FLAVOUR=$(FLAVOUR): expected ulfm or reinit" >&2; exit 1 ;; \
	esac

# Written after a build: what it was made for, and when it began.
STAMP = for made in $(MADE) $(BINDINGS_MADE); do echo "$(BUILT_FOR)" >$$made; touch -r "$$begun" $$made; done

build: made ## compile everything
	@echo "build: all is compiled"

# Prints nothing when there is nothing to build, so that make run prints only the program's output.
made: setup
	@of="$(BUILT_FOR)"; ! $(CURRENT) $(MADE) "$$of" $(MADE_FROM) || ! ls $(CLASSES) >/dev/null 2>&1 || exit 0; \
	echo "compiling C, bindings and Java" >&2; \
	why=$$(native/setup/newer-jdk.sh 2>&1 >/dev/null) || { [ $$? -eq 1 ] || { echo "$$why" >&2; exit 1; }; \
	echo "$$why: nothing is built for newer Javas in particular" >&2; }; \
	log=$$(mktemp); begun=$$(mktemp); trap 'rm -f "$$log" "$$begun"' EXIT; \
	again=; if $(CURRENT) $(BINDINGS_MADE) "$$of" $(BINDINGS_FROM); then again='$(AS_THEY_ARE)'; fi; \
	$(MVN) $(BESIDE) $$again -DskipTests test-compile >"$$log" 2>&1 || { cat "$$log"; exit 1; }; \
	$(STAMP)

demo: flavour made ## watch HPCCG lose a process and finish with the same answer
	@java $(COLLECTOR) -cp "$(CP)" org.kintsugi.ci.demo.Demo $(FLAVOUR)

run: flavour made ## run an example: APP, N, SPARES, KILL, ARGS; MPIRUN="options", SPARE_NODES
	@[ -n "$(MAIN_$(APP))" ] || { echo "APP=$(APP): no such example; there are: $(patsubst MAIN_%,%,$(filter MAIN_%,$(.VARIABLES)))" >&2; exit 1; }
	@bin/jmpirun -n $(N) --spares $(SPARES) --spare-nodes $(SPARE_NODES) --mpi "$(HOME_$(FLAVOUR))" \
	$(foreach k,$(KILL),--kill '$(k)') $(MPIRUN) -cp "$(CP)" $(MAIN_$(APP)) $(ARGS)

validate-app: made ## hold results against the original's figures: APP, FILE
	@[ -n "$(FILE)" ] || { echo "FILE= is missing: the result that make run APP=$(APP) ARGS=\"... --json FILE\" has written" >&2; exit 2; }
	@java $(COLLECTOR) -cp "$(CP)" org.kintsugi.examples.reference.ValidateApp $(APP) $(FILE)

test: made ## all tests, those with real deaths included; LONG=1: series too, and what runs on ULFM only on the fork as well
	@rm -rf */target/surefire-reports* ci/target/optional-tests-* ci/target/class-times-*
	@code=0; $(MVN_ALOUD) $(BESIDE) $(AS_THEY_ARE) $(if $(LONG),'-Dkintsugi.test.reinit.groups=flavours | files' -Dkintsugi.test.excluded=) test || code=$$?; \
	$(SUMMARY) $$code || code=1; exit $$code

quick: made ## the tests without ranks, and one with ranks of each area (37 s where all is compiled)
	@rm -rf */target/surefire-reports*
	@# newer.absent: once, and not on a newer Java as well (java-api/pom.xml).
	@code=0; $(MVN) $(AS_THEY_ARE) -Dnewer.absent=true -Dkintsugi.test.reinit.groups=none -Dsurefire.failIfNoSpecifiedTests=false \
	  -Dtest="$$(echo '$(QUICK_UNITS) $(QUICK_RANKS)' | tr ' ' ,)" test || code=$$?; $(SUMMARY) $$code || code=1; exit $$code

# JavaCPP writes the C++ of the bindings in another order each time: the jars of the natives are left out of the comparison.
jars: setup ## all jars, with sources and javadoc; made twice, which must give the same bytes (but for the bindings' natives)
	@sums() { find . -path './*/target/*.jar' -maxdepth 3 ! -name 'kintsugi-bindings-*-linux-*.jar' -exec sha256sum {} + | sort; }; \
	first=$$(mktemp); begun=$$(mktemp); trap 'rm -f "$$first" "$$begun"' EXIT; \
	$(MVN) -DskipTests clean package; sums >"$$first"; \
	$(MVN) -DskipTests clean package; $(STAMP); \
	if ! sums | diff "$$first" - >&2; then echo "jars: built twice, these differ" >&2; exit 1; fi; \
	ls -1 */target/*.jar; echo "jars: built twice, the same bytes (compared: $$(wc -l <"$$first"), without the bindings' natives)"

install: made ## into PREFIX, a folder that needs nothing of this checkout and may be moved
	@[ -n "$(PREFIX)" ] || { echo "PREFIX= is missing: the folder to install into, as in make install PREFIX=/opt/kintsugi" >&2; exit 2; }
	@dist/install.sh "$(PREFIX)"

dist: made ## the same folder as a tarball, in target/
	@work=$$(mktemp -d); trap 'rm -rf "$$work"' EXIT; dist/install.sh "$$work/kintsugi" >/dev/null; mkdir -p target; \
	tar -C "$$work" --sort=name --owner=0 --group=0 --numeric-owner -czf target/kintsugi.tar.gz kintsugi; \
	ls -sh target/kintsugi.tar.gz

docs: made ## the manual as a site, with Javadoc, in target/site; links that lead nowhere fail it
	@native/setup/packages.sh docs
	@dist/site.sh

pages: made ## write the pages that are made from data: known issues, figures, the list of decisions
	@java $(COLLECTOR) -cp "$(CP)" org.kintsugi.ci.pages.Pages "$(CURDIR)"

publish-local: made ## what programs depend on, with sources and javadoc, into the local Maven repository; REPO=FOLDER: into that one
	@$(MVN) $(AS_THEY_ARE) -DskipTests -pl .,$(PUBLISHED) $(if $(REPO),deploy $(call into,$(REPO)),install)
	@echo "published: in $(if $(REPO),$(abspath $(REPO)),the local Maven repository)"

standalone: made ## a project outside of here, from what REPO=FOLDER has (else published first), run by a moved installation, with a death
	@work=$$(mktemp -d); trap 'rm -rf "$$work"' EXIT; repository="$(abspath $(REPO))"; \
	if [ -z "$$repository" ]; then repository="$$work/published"; \
	$(MVN) $(AS_THEY_ARE) -DskipTests -Dmaven.javadoc.skip -Dmaven.source.skip -pl .,$(PUBLISHED) deploy $(call into,$$repository); fi; \
	ci/outside/standalone.sh "$$work" "$$repository" $(MPI)

bare: dist ## the five commands of the first page on a bare Debian of their own, without a network (15 minutes; root, debootstrap); TARBALL: Open MPI's source
	@work=$$(mktemp -d); trap 'rm -rf --one-file-system "$$work"' EXIT; ci/outside/bare.sh target/kintsugi.tar.gz "$$work" $(TARBALL)

reference: made ## all cases of the originals with up to 8 ranks; KINTSUGI_POTENTIALS: the folder with CoMD's Cu_u6.eam
	@$(MVN_ALOUD) $(AS_THEY_ARE) -pl ci -am -Dtest='ProxyAppsTest,HpccgReferenceTest' \
	  -Dsurefire.failIfNoSpecifiedTests=false -Dkintsugi.test.reference=all test

test-bare: ## after make test: repeats the tests that looked for the fork, FTI or SCR, as on a machine without them
	@rm -rf */target/surefire-reports*-bare ci/target/class-times-*
	@code=0; KINTSUGI_OPTIONAL_NATIVES=none $(MVN_ALOUD) $(AS_THEY_ARE) \
	  -Dkintsugi.reports=-bare -Dkintsugi.test.optional.only=true -Dnewer.absent=true -Dkintsugi.unconcerned.skip=true test || code=$$?; $(SUMMARY) $$code -bare || code=1; exit $$code

check: setup ## linters, javadoc, warnings as errors
	@shellcheck bin/jmpirun .ci/run dist/*.sh ci/outside/*.sh launcher/src/main/resources/org/kintsugi/launch/*.sh ci/cluster/*.sh test/src/main/resources/org/kintsugi/test/cluster/*.sh native/openmpi/*.sh native/setup/*.sh native/probe/*.sh
	@clang-format --dry-run -Werror $$(git ls-files '*.c' '*.h')
	@# Runs from its source: it needs nothing that is compiled.
	@java ci/src/main/java/org/kintsugi/ci/style/PlainWords.java .
	@java ci/src/main/java/org/kintsugi/ci/openmpi/PatchIndex.java .
	@# As checkstyle has it for Java.
	@git ls-files '*.c' '*.h' '*.sh' '*/CMakeLists.txt' Makefile bin .ci | xargs wc -l | awk '$$1 > 500 && $$2 != "total" { \
	print $$2 ": " $$1 " lines, and 500 are the most"; found = 1 } END { exit found }'
	@# Warnings are errors, and dependencies that nothing uses (the profile). The one exception cannot be switched off in javac:
	@# RawMemory uses sun.misc.Unsafe, and says why.
	@log=$$(mktemp); begun=$$(mktemp); trap 'rm -f "$$log" "$$begun"' EXIT; \
	$(MVN_ALOUD) $(BESIDE) -Pdependencies -DskipTests -Dkintsugi.werror=ON clean process-test-classes >"$$log" 2>&1 || { cat "$$log"; exit 1; }; \
	grep -q 'BUILD SUCCESS' "$$log"; \
	if grep -E '^\[WARNING\] .*\.java:' "$$log" | grep -v 'RawMemory.java:.*sun.misc.Unsafe is internal'; then exit 1; fi; \
	$(STAMP)
	@$(MVN) $(BESIDE) -fae -pl $(HANDWRITTEN) formatter:validate checkstyle:check
	@# Javadoc: its jars. And all else that is published.
	@rm -rf target/published
	@$(MVN) $(BESIDE) $(AS_THEY_ARE) -Dkintsugi.werror=ON -pl .,$(PUBLISHED) -DskipTests deploy $(call into,target/published)
	@$(PUBLISHED_CHECK) target/published ulfm $(if $(REINIT),reinit)
	@echo "check: all well"

format: ## lay out Java and C as make check wants it
	@$(MVN) -pl $(HANDWRITTEN) formatter:format
	@clang-format -i $$(git ls-files '*.c' '*.h')

bench: flavour made ## figures beside C (PART=messages, hpccg, apps, recovery, checkpoint, fti, scr, persist, start, check, memory-holder; FLAVOUR=reinit; ORIGINALS=FOLDER of the proxy applications)
	@java $(COLLECTOR) -cp "$(CP)" org.kintsugi.ci.bench.Bench "$(CURDIR)" "$(FLAVOUR)" "$(PART)" "$(ORIGINALS)"

nodes: flavour made ## series of node losses on a simulated cluster (CRASHES=10 SILENT=5); needs root
	@java $(COLLECTOR) -XX:-UsePerfData -cp "$(CP)" org.kintsugi.ci.cluster.NodeLossSeries \
	  --flavour=$(FLAVOUR) --crashes=$(CRASHES) --silent=$(SILENT)

returning-nodes: made ## one job loses LOSSES=10 nodes of a simulated cluster, each of which comes back after 5 s; SLOTS=1,1,1,1 of them, SPARES of the processes (1); needs root
	@java $(COLLECTOR) -XX:-UsePerfData -cp "$(CP)" org.kintsugi.ci.cluster.ReturningNodeSeries --losses=$(or $(LOSSES),10) \
	  $(if $(SLOTS),--slots=$(SLOTS)) $(if $(filter-out 0,$(SPARES)),--spares=$(SPARES))

app-nodes: flavour made ## each proxy application of WORKLOADS (all six) loses a node of a simulated cluster; needs root
	@java $(COLLECTOR) -XX:-UsePerfData -cp "$(CP)" org.kintsugi.ci.soak.AppNodeLosses --flavour=$(FLAVOUR) \
	  $(if $(filter-out file,$(origin WORKLOADS)),$(WORKLOADS))

soak: flavour made ## random deaths, RUNS of each of WORKLOADS (hpccg lulesh comd amg minife minivite; subcomms intercomms long_messages stopped threads features growing), SEED, ENGINES of the applications and of growing in turns, DEATHS (3) and SPARES (3) of each job but the applications', JVM="options" for these
	@code=0; apps="$(filter $(PROXIES),$(WORKLOADS))"; others="$(filter-out $(PROXIES),$(WORKLOADS))"; \
	[ -n "$$apps$$others" ] || { echo "WORKLOADS= is empty: no job is run" >&2; exit 2; }; \
	if [ -n "$$apps" ]; then java $(COLLECTOR) -Dkintsugi.test.flavour=$(FLAVOUR) -cp "$(CP)" org.kintsugi.ci.soak.RandomKills \
	  --runs=$(RUNS) --seed=$(SEED) --store="$(ENGINES)" $(foreach option,$(JVM),'--jvm=$(option)') $$apps || code=1; fi; \
	if [ -n "$$others" ]; then java $(COLLECTOR) -Dkintsugi.test.flavour=$(FLAVOUR) -cp "$(CP)" \
	  org.kintsugi.ci.soak.WorkloadKills --runs=$(RUNS) --seed=$(SEED) $(SOAK_JOBS) --store="$(ENGINES)" $$others || code=1; fi; exit $$code

long-job: made ## one job of 4 ranks and SPARES (1) outlives DEATHS=300, one every GAP=2000-4000 milliseconds: result, recoveries and memory of the first and the last, time to a full pool; SEED, JVM="options" of the ranks (-XX:TieredStopAtLevel=1: without the optimizing compiler's memory)
	@java $(COLLECTOR) -cp "$(CP)" org.kintsugi.ci.soak.LongJob --deaths=$(or $(DEATHS),300) --gap=$(or $(GAP),2000-4000) \
	  --spares=$(if $(filter-out file,$(origin SPARES)),$(SPARES),1) --seed=$(SEED) $(foreach option,$(JVM),'--jvm=$(option)')

calls: flavour made ## random calls of MPI in every form, each compared with its definition: CALLS=100000 on each of RANKS="1 2 3 4 5 6 7", SEED; a seventh of them again with deaths
	@for n in $(RANKS); do bin/jmpirun -n $$n --mpi "$(HOME_$(FLAVOUR))" --stall 60 --stall-ends -cp "$(CP)" \
	  org.kintsugi.ci.calls.RandomCalls --seed $(SEED) --calls $(CALLS); done
	@bin/jmpirun -n 4 --spares 2 --mpi "$(HOME_$(FLAVOUR))" --stall 60 --stall-ends $(foreach at,1 2 3 4,--kill process:$(at)@$$(( $(CALLS) * $(at) / 40 )) ) \
	  -cp "$(CP)" org.kintsugi.ci.calls.RandomCalls --seed $(SEED) --calls $$(( $(CALLS) / 7 )) --deaths

saves: flavour made ## deaths at random moments inside saves: JOBS per engine (50), KILLS in each (2), SEED, ENGINES, NODES=own
	@java $(COLLECTOR) -Dkintsugi.test.flavour=$(FLAVOUR) -cp "$(CP)" \
	  org.kintsugi.ci.soak.SaveKills --jobs=$(JOBS) --kills=$(KILLS) --seed=$(SEED) --nodes=$(NODES) $(ENGINES)

stages: flavour made ## deaths at every stage of a save and of a restore, one after the other (STEP=5: every fifth), of ENGINES; NODES=own
	@java $(COLLECTOR) -Dkintsugi.test.flavour=$(FLAVOUR) -cp "$(CP)" \
	  org.kintsugi.ci.soak.StageKills --step=$(STEP) --nodes=$(NODES) $(ENGINES)

refill: made ## deaths at all stages of the meeting of a new process with the job; make test has a tenth of them
	@$(MVN_ALOUD) $(AS_THEY_ARE) -pl ci -am -Dtest=RefillTest -Dsurefire.failIfNoSpecifiedTests=false \
	  -Dkintsugi.test.reinit.groups=none -Dkintsugi.test.refill=all test

info: setup ## which native builds were found and what each can do
	@native/probe/info.sh

clean: ## remove what was built in the checkout (not Open MPI)
	@rm -rf */target
