#!/usr/bin/env bash
# install.sh PREFIX: puts what was built in this checkout into a folder that needs nothing of it. Nothing in there names the
# folder itself: it may be moved, be read-only, and serve many users at once. Files of an earlier installation are replaced.
#
#   bin/jmpirun, kintsugi   the same script as in the checkout
#   lib/*.jar               what programs are compiled with and run with
#   lib/launcher/*.jar      what jmpirun itself runs with
#   lib/advice/*.jar        the agent of jmpirun --advise
#   lib/examples/*.jar      the proxy applications
#   lib/natives/FLAVOUR/    the native libraries, as plain files
#   share/kintsugi/native/  what kintsugi build compiles for another MPI
#   share/kintsugi/         licence, notices, documents, sources of the examples, a Maven project to begin with, patches of Open
#                           MPI, module file
set -euo pipefail

checkout=$(cd "$(dirname "$0")/.." && pwd)
[ $# -eq 1 ] || {
  echo "install.sh: expected one folder to install into, as in: make install PREFIX=/opt/kintsugi" >&2
  exit 2
}
case $1 in
/*) prefix=$1 ;;
*)
  echo "install.sh: PREFIX=$1: expected an absolute path" >&2
  exit 2
  ;;
esac
version=$(sed -n 's|^  <version>\(.*\)</version>$|\1|p' "$checkout/pom.xml" | head -n 1)
jar=${JAVA_HOME:+$JAVA_HOME/bin/}jar
command -v "$jar" >/dev/null || {
  echo "install.sh: no $jar: set JAVA_HOME to the folder of a JDK, or have its bin on the PATH" >&2
  exit 1
}
umask 022 # for all users, whatever the rights are that this one's files have by default

for built in "$checkout"/bindings/target/classes/org/kintsugi/bindings/linux-*-*; do
  [ -f "$built/natives.properties" ] || {
    echo "install.sh: $built has no natives.properties: it is of an earlier build; remove it, and run make build" >&2
    exit 1
  }
done

# Remove an earlier installation, because jars of another version would be on the class path, too.
# Other files in the prefix are not touched.
folders=("${prefix:?}"/{lib/launcher,lib/advice,lib/examples,lib/natives,share/kintsugi})
launcher=("$prefix"/lib/launcher/kintsugi-launcher-*.jar)
if [ -e "${launcher[0]}" ]; then
  rm -rf "$prefix/lib/"{kintsugi-*.jar,javacpp-*.jar} "${folders[@]}"
fi
for folder in "${folders[@]}"; do
  [ ! -e "$folder" ] || {
    echo "install.sh: $folder is there, and there is no $prefix/lib/launcher/kintsugi-launcher-*.jar of an earlier installation:" \
      "name another PREFIX, or remove that folder if nobody needs it" >&2
    exit 1
  }
done
mkdir -p "$prefix/bin" "${folders[@]}"

# A module's classes, without the natives, which are installed beside the jars as plain files.
pack() { # MODULE FOLDER NAME
  local classes="$checkout/$1/target/classes" manifest work
  [ -d "$classes" ] || {
    echo "install.sh: $classes is not there: run make build" >&2
    exit 1
  }
  work=$(mktemp -d)
  manifest="$work/manifest"
  echo "Implementation-Version: $version" >"$manifest"
  [ ! -d "$classes/META-INF/versions" ] || echo "Multi-Release: true" >>"$manifest"
  cp -rs "$classes" "$work/classes"
  rm -rf "$work"/classes/org/kintsugi/bindings/linux-*
  # In the form in which Maven writes it: jmpirun compares versions by it.
  mkdir -p "$work/classes/META-INF/maven/org.kintsugi/$3"
  printf '%s\n' "artifactId=$3" groupId=org.kintsugi "version=$version" >"$work/classes/META-INF/maven/org.kintsugi/$3/pom.properties"
  "$jar" --create --file "$prefix/$2/$3-$version.jar" --manifest "$manifest" -C "$work/classes" .
  rm -rf "$work"
}
pack java-api lib kintsugi
for module in runtime bindings; do
  pack $module lib "kintsugi-$module"
done
pack launcher lib/launcher kintsugi-launcher
pack examples lib/examples kintsugi-examples
install -m 644 "$checkout"/advice/target/agent/*.jar "$prefix/lib/advice"
install -m 644 "$checkout"/launcher/target/lib/*.jar "$prefix/lib/launcher"
for library in "$checkout"/examples/target/lib/*.jar; do
  case $library in
  */javacpp-*) install -m 644 "$library" "$prefix/lib" ;;
  *) install -m 644 "$library" "$prefix/lib/examples" ;;
  esac
done

for built in "$checkout"/bindings/target/classes/org/kintsugi/bindings/linux-*-*; do
  flavour=${built##*-}
  mkdir -p "$prefix/lib/natives/$flavour"
  # The twins are for benchmarks against C.
  find "$built" -maxdepth 1 \( -name '*.so' -o -name kintsugi-rank \) ! -name 'libkintsugi_twins*.so' \
    -exec install -m 755 -t "$prefix/lib/natives/$flavour" {} +
  sources="$prefix/share/kintsugi/native/jni/$flavour"
  mkdir -p "$sources"
  install -m 644 "$built"/*.cpp "$checkout/bindings/exports.map" "$sources"
  # The generated Java contains facts of MPI's header: the offsets in an MPI_Status, and numbers, of the MPI that it was generated
  # for. (The fork's header is of another age, and of its one version.) MPI's version may be another one.
  {
    printf '%s\n' 'sizeof(MPI_Status)=24' 'offsetof(MPI_Status,MPI_SOURCE)=0' 'offsetof(MPI_Status,MPI_TAG)=4' \
      'offsetof(MPI_Status,MPI_ERROR)=8'
    [ "$flavour" != ulfm ] ||
      "${JAVA_HOME:+$JAVA_HOME/bin/}javap" -constants -cp "$checkout/bindings/target/classes" org.kintsugi.bindings.MPI |
      sed -n '/ MPI_\(SUB\)\?VERSION /d; s/.*static final int \(MPI_[A-Z0-9_]*\) = \(-\?[0-9]*\);/\1=\2/p'
  } >"$sources/constants"
  install -m 644 "$built/natives.properties" "$prefix/lib/natives/$flavour"
done
for folder in include src fti scr reinit; do
  cp -r --no-preserve=mode "$checkout/native/$folder" "$prefix/share/kintsugi/native"
done
install -m 644 "$checkout/native/libraries.properties" "$prefix/share/kintsugi/native"

install -m 755 "$checkout/bin/jmpirun" "$prefix/bin"
install -m 755 "$checkout/bin/jmpirun" "$prefix/bin/kintsugi" # it goes by its name
install -m 644 "$checkout"/{LICENSE,README.md,CHANGELOG.md} "$checkout/dist/NOTICE" "$prefix/share/kintsugi"
install -d "$prefix/share/kintsugi/licences"
install -m 644 "$checkout"/dist/licences/* "$prefix/share/kintsugi/licences"
cp -r --no-preserve=mode "$checkout/docs" "$prefix/share/kintsugi/docs"
# The documents keep the text on other files of the checkout, but not the links to them: the files
# are not installed.
sed -i -E -e 's#\]\((\.\./)?native/openmpi/patches\)#](../openmpi/patches)#g' \
  -e 's#\[([^]]*)\]\((\.\./)*((java-api|runtime|launcher|test-kit|native|ci|examples|config)/|CONTRIBUTING)[^)]*\)#\1#g' \
  "$prefix/share/kintsugi/"{,docs/,docs/decisions/}*.md
mkdir -p "$prefix/share/kintsugi"/{examples,openmpi,modulefiles/kintsugi}
install -m 644 "$checkout/examples/examples.properties" "$prefix/share/kintsugi"
cp -r --no-preserve=mode "$checkout/examples/"{recipes,proxy-apps/src/main/java}/. "$prefix/share/kintsugi/examples"
mkdir -p "$prefix/share/kintsugi/"{standalone,experiments}
install -m 644 "$checkout/examples/experiments/"*.json "$prefix/share/kintsugi/experiments"
cp -r --no-preserve=mode "$checkout/examples/standalone/"{pom.xml,src} "$prefix/share/kintsugi/standalone"
cp -r --no-preserve=mode "$checkout/native/openmpi/patches" "$checkout/native/versions.properties" "$prefix/share/kintsugi/openmpi"
install -m 755 "$checkout"/native/openmpi/{apply,build-from-tarball,network}.sh "$prefix/share/kintsugi/openmpi"
install -m 644 "$checkout/dist/modulefile" "$prefix/share/kintsugi/modulefiles/kintsugi/$version"
for command in Jmpirun Kintsugi; do
  "${JAVA_HOME:+$JAVA_HOME/bin/}java" -cp "$prefix/lib/launcher/*:$prefix/lib/*" "-Dkintsugi.home=$prefix" \
    picocli.AutoComplete --force --name "${command,,}" --completionScript "$prefix/share/kintsugi/${command,,}.bash" \
    "org.kintsugi.launch.$command"
done
echo "Kintsugi $version is in $prefix: $prefix/bin/jmpirun, and $prefix/bin/kintsugi doctor"
