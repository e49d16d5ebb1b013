#!/usr/bin/env bash
# standalone.sh WORK REPOSITORY MPI: builds examples/standalone in a folder outside of the checkout, as somebody does who has
# published artifacts alone, and runs it with an installation that has been moved; a process is killed on the way.
set -euo pipefail
checkout=$(cd "$(dirname "$0")/../.." && pwd)
work=$1
repository=$2
mpi=$3
fail() {
  echo "standalone.sh: $1" >&2
  exit 1
}

# A local repository that has nothing yet, and no network: all that Maven itself needs, and JUnit, the checkout's build has had.
mkdir -p "$work/project"
cp -r "$checkout/examples/standalone/"{pom.xml,src} "$work/project"
cat >"$work/settings.xml" <<EOF
<settings>
  <mirrors>
    <mirror>
      <id>had</id>
      <mirrorOf>*,!published</mirrorOf>
      <url>file://$HOME/.m2/repository</url>
    </mirror>
  </mirrors>
  <profiles>
    <profile>
      <id>published</id>
      <repositories>
        <repository>
          <id>published</id>
          <url>file://$repository</url>
        </repository>
      </repositories>
    </profile>
  </profiles>
  <activeProfiles>
    <activeProfile>published</activeProfile>
  </activeProfiles>
</settings>
EOF
(cd "$work/project" && MPI_HOME=$mpi timeout 120 mvn -B -ntp -q -s "$work/settings.xml" -Dmaven.repo.local="$work/m2" package) ||
  fail "the project does not build, or its tests fail"
reports=("$work/project/target/surefire-reports/"TEST-*.xml)
grep -q 'tests="3" errors="0" skipped="0" failures="0"' "${reports[@]}" || fail "not all of its tests have run"

# With the same names the archetype makes the same project.
archetype=$(find "$repository/org/kintsugi/kintsugi-archetype" -name 'kintsugi-archetype-*.jar' ! -name '*-sources.jar' \
  ! -name '*-javadoc.jar' | sort | tail -n 1)
mkdir "$work/archetype"
(cd "$work/archetype" && "${JAVA_HOME:+$JAVA_HOME/bin/}jar" -xf "$archetype")
for file in pom.xml src/main/java/Rod.java src/test/java/RodTest.java; do
  case $file in *.java) place=${file%/*}/com/example/${file##*/} ;; *) place=$file ;; esac
  # shellcheck disable=SC2016
  sed -e 's/\${package}/com.example/; s/\${groupId}/com.example/; s/\${artifactId}/rod/; s/\${version}/1.0-SNAPSHOT/' \
    "$work/archetype/archetype-resources/$file" | diff - "$work/project/$place" >&2 || fail "the archetype has another $file"
done

"$checkout/dist/install.sh" "$work/first" >/dev/null
mv "$work/first" "$work/moved"
said=$(cd "$work" && env -i PATH="$PATH" HOME="$work" ${JAVA_HOME:+JAVA_HOME="$JAVA_HOME"} "$work/moved/bin/jmpirun" --mpi "$mpi" \
  --timeout 60 -n 4 --spares 1 --kill process:2@70 -cp "project/target/rod.jar:$work/moved/lib/*" com.example.Rod 2>&1) ||
  fail "the program does not run from the installation: $said"
echo "$said"
[[ "$said" == *"rank 2 is a new process and goes on from step 60"*"heat "* ]] || fail "no recovery, or no result"
echo "standalone: built from published artifacts, run by a moved installation, with a death"
