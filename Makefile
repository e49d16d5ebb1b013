# The commands of Kintsugi's checkout; `make help` lists them. Each is a script in ci/make, which takes the variables from the
# environment: make puts there what is on its command line. What is out of date, Maven and CMake know.
.DEFAULT_GOAL := help
# The make that CMake calls must not print the names of its folders.
MAKEFLAGS += --no-print-directory
# RECORD=yes records this command with the values (ci/make/checkout.sh).
export MADE_BY = make $@ $(filter-out RECORD=%,$(MAKEOVERRIDES))
DO := @ci/make/

define HELP
  make help              this list
  make setup             install missing packages, find or build Open MPI with ULFM; NETWORK=auto|none|ucx,ofi: with these fast networks (UCX, libfabric)
  make build             compile everything
  make bindings          write the Java of the bindings anew, from the headers (bindings/src/gen)
  make demo              watch HPCCG lose a process and finish with the same answer
  make run               run an example: APP, N, SPARES, KILL, ARGS; MPIRUN="options", SPARE_NODES
  make papers            the papers' experiments, with reports to look at: SIZE=smoke|laptop|paper, EXPERIMENTS, OUT
  make validate-app      hold results against the original's figures: APP, FILE
  make test              all tests, those in which processes fail included; LONG=1: series too, and what runs on ULFM only on the fork as well
  make quick             the tests without ranks, and one with ranks of each area (37 s where all is compiled)
  make jars              all jars, with sources and javadoc; made twice, which must give the same bytes (but for the bindings' natives)
  make install           into PREFIX, a folder that needs nothing of this checkout and may be moved
  make dist              the same folder as a tarball, in target/
  make docs              the manual as a site, with Javadoc, in target/site; links that lead nowhere fail it
  make pages             write the pages that are made from data: known issues, figures, the list of decisions
  make publish-local     what programs depend on, with sources and javadoc, into the local Maven repository; REPO=FOLDER: into that one
  make standalone        builds a project outside of the checkout, with the artifacts in REPO=FOLDER (else they are published first), and runs it with an installation that was moved; a process fails
  make bare              the five commands of the first page on a bare Debian of their own, without a network (15 minutes; root, debootstrap); TARBALL: Open MPI's source
  make reference         all cases of the originals with up to 8 ranks; KINTSUGI_POTENTIALS: the folder with CoMD's Cu_u6.eam
  make test-bare         after make test: repeats the tests that looked for the fork, FTI or SCR, as on a machine without them
  make check             linters, javadoc, warnings as errors
  make format            lay out Java and C as make check wants it
  make bench             figures beside C (PART=messages, arrays, hpccg, apps, recovery, revoke, checkpoint, fti, scr, persist, start, check, memory-holder, network; FLAVOUR=reinit; ORIGINALS=FOLDER of the proxy applications; RECORD=yes adds the values to docs/figures)
  make growth            recoveries by their steps at SIZES=2,4,...,64 processes, JOBS (6) of each in C and Java, and simulated up to LARGEST (1000000); JOBS=0: without measuring
  make nodes             series of node losses on a simulated cluster (CRASHES=10 SILENT=5); needs root
  make returning-nodes   one job loses LOSSES=10 nodes of a simulated cluster, each of which comes back after 5 s; SLOTS=1,1,1,1 of them, SPARES of the processes (1); needs root
  make app-nodes         each proxy application of WORKLOADS (all six) loses a node of a simulated cluster; needs root
  make soak              random process failures, RUNS of each of WORKLOADS (hpccg lulesh comd amg minife minivite; subcomms intercomms long_messages stopped threads features growing), SEED, ENGINES of the applications and of growing in turns, DEATHS (3) and SPARES (3) of each job but the applications', JVM="options" for these, ROUTE=ofi:net|ucx:tcp|tcp: over that network
  make long-job          one job of 4 ranks and SPARES (1) outlives DEATHS=300, one every GAP=2000-4000 milliseconds: result, recoveries and memory of the first and the last, time to a full pool; SEED, JVM="options" of the ranks (-XX:TieredStopAtLevel=1: without the optimizing compiler's memory)
  make calls             random calls of MPI in every form, each compared with its definition: CALLS=15000 on each of RANKS="1 2 3 4 5 6 7", SEED; a seventh of them again with process failures
  make saves             process failures at random moments inside saves: JOBS per engine (50), KILLS in each (2), SEED, ENGINES, NODES=own
  make stages            process failures at every stage of a save and of a restore, one after the other (STEP=5: every fifth), of ENGINES; NODES=own
  make mutants           jmpirun --prove and --advise on each proxy application of WORKLOADS (hpccg amg1 amg2 comd minife minivite lulesh), and on each without one of its protected items (ITEMS="x,r": these): DEATHS (5) moments, SEED; half an hour
  make slurm             jobs under a real Slurm of four virtual nodes, which lose processes and nodes, are requeued and cancelled; both flavours; an hour; needs root
  make refill            process failures at all stages of the meeting of a new process with the job; make test has a tenth of them
  make info              which native builds were found and what each can do
  make clean             remove what was built in the checkout (not Open MPI)

  make run APP=hpccg N=4 SPARES=1 KILL=process:2@60 ARGS="32 32 32 --json FILE"
  FLAVOUR=reinit: under the Reinit++ fork of Open MPI, where one is installed, instead of ulfm
endef

.PHONY: help setup build made bindings demo run papers validate-app test quick jars install dist docs pages publish-local standalone bare reference test-bare check format bench growth nodes returning-nodes app-nodes soak long-job calls saves stages mutants slurm refill info clean

help:
	@: $(info $(HELP))

setup:
	$(DO)setup.sh

build: made
	@echo "build: all is compiled"

made:
	$(DO)build.sh

bindings: setup
	$(DO)bindings.sh

demo: made
	$(DO)demo.sh

run: made
	$(DO)run.sh

papers: made
	$(DO)papers.sh

validate-app: made
	$(DO)validate-app.sh

test: setup
	$(DO)test.sh all

quick: setup
	$(DO)test.sh quick

jars: setup
	$(DO)jars.sh

install: made
	$(DO)install.sh

dist: made
	$(DO)dist.sh

docs: made
	$(DO)docs.sh

pages: made
	$(DO)pages.sh

publish-local: setup
	$(DO)publish-local.sh

standalone: made
	$(DO)standalone.sh

bare: dist
	$(DO)bare.sh

reference: made
	$(DO)tests.sh ProxyAppsTest,HpccgReferenceTest -Dkintsugi.test.reference=all

test-bare: setup
	$(DO)test.sh bare

check: setup
	$(DO)check.sh

format:
	$(DO)format.sh

bench: made
	$(DO)bench.sh

growth: made
	$(DO)growth.sh

nodes: made
	$(DO)series.sh nodes

returning-nodes: made
	$(DO)series.sh returning-nodes

app-nodes: made
	$(DO)series.sh app-nodes

soak: made
	$(DO)series.sh soak

long-job: made
	$(DO)series.sh long-job

calls: made
	$(DO)series.sh calls

saves: made
	$(DO)series.sh saves

stages: made
	$(DO)series.sh stages

mutants: made
	$(DO)series.sh mutants

slurm: made
	$(DO)tests.sh SlurmJobsTest,SlurmSeriesTest -Dkintsugi.test.excluded=

refill: made
	$(DO)tests.sh RefillTest -Dkintsugi.test.reinit.groups=none -Dkintsugi.test.refill=all

info: made
	@bin/kintsugi info
	@native/probe/info.sh

clean:
	@rm -rf target */target
