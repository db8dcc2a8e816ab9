#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# check_install.sh CASE PREFIX WORK CXX: one check of what is installed in PREFIX, with WORK to work in.
set -euo pipefail
case=$1 prefix=$2 work=$3/$1 cxx=$4
consumer=$(cd "$(dirname "${BASH_SOURCE[0]}")/../consumer" && pwd)
export SC_COPYRIGHT_MESSAGE=DISABLE CMAKE_GENERATOR="Unix Makefiles"
unset GPUTLM_DATA_DIR
rm -rf "$work"
mkdir -p "$work"
cd "$work"

fail() { printf '%s: %s\n' "$case" "$*" >&2; exit 1; }
# says TEXT COMMAND...: the command fails, and TEXT is in what it prints.
says() {
  local text=$1 output
  shift
  output=$("$@" 2>&1) && fail "should fail: $*"
  [[ $output == *"$text"* ]] || fail "does not say '$text': $output"
}
configure() { cmake -S "$consumer" -B "$work/build" -DCMAKE_PREFIX_PATH="$prefix" -DCMAKE_CXX_COMPILER="$cxx" "$@"; }
libdir() { dirname "$(find "$prefix" -name pkgconfig -type d)"; }
use_pkg_config() { export PKG_CONFIG_PATH=$(libdir)/pkgconfig LD_LIBRARY_PATH=$(libdir); }

# find_package, build, run from somewhere else. The card is built below, with pkg-config.
cmake_consumer() {
  configure
  cmake --build "$work/build" --target memory one_unit
  (cd / && "$work/build/memory" && "$work/build/one_unit")
}

pkg_config_consumer() {
  use_pkg_config
  local flags
  read -ra flags < <(pkg-config --cflags --libs gputlm)
  "$cxx" -std=c++17 -Wall -Wextra -Wpedantic -Werror "$consumer/card.cpp" -o card "${flags[@]}"
  (cd / && "$work/card")
}

# The examples, as they lie in the source tree, with what is installed and nothing else.
examples() {
  cmake -S "$consumer/../examples" -B "$work/build" -DCMAKE_PREFIX_PATH="$prefix" -DCMAKE_CXX_COMPILER="$cxx" \
    -DCMAKE_CXX_FLAGS="-Wall -Wextra -Wpedantic -Werror"
  cmake --build "$work/build"
  ctest --test-dir "$work/build" --no-tests=error --output-on-failure
}

# Where CCI is found there is gputlm::cci; without it there is none, and nothing asks for it.
cci_is_optional() {
  configure
  [[ -z $(grep '^GPUTLM_CCI_INCLUDE:PATH=/' "$work/build/CMakeCache.txt") ]] || return 0  # a real one: the project builds with it
  says "No rule to make target" cmake --build "$work/build" --target cci
  configure -DCCI_HOME="$consumer/minimal_cci"
  cmake --build "$work/build" --target cci
  (cd / && "$work/build/cci")
}

another_standard_is_explained() {
  configure -DCMAKE_CXX_STANDARD=20 -DCMAKE_CXX_FLAGS=-Wfatal-errors
  says "Remedy: compile with -std=c++17" cmake --build "$work/build" --target one_unit
}

another_abi_does_not_link() {
  use_pkg_config
  local libraries
  read -ra libraries < <(pkg-config --libs gputlm)
  echo '#include <gputlm/version.h>' >main.cpp
  echo 'extern "C" int sc_main(int, char**) { return gputlm::GPUTLM_ABI_SYMBOL[0] == 0; }' >>main.cpp
  "$cxx" -std=c++17 main.cpp -I"$prefix/include" -o same "${libraries[@]}"
  ./same
  mkdir -p gputlm
  sed 's/abi_version_[0-9_]*/abi_version_99/' "$prefix/include/gputlm/version.h" >gputlm/version.h
  says "gputlm::abi_version_99" "$cxx" -std=c++17 main.cpp -I. -o other "${libraries[@]}"
}

# A package that says that it was built with some other SystemC.
another_systemc_is_explained() {
  cp -rs "$prefix" other
  local package
  package=$(find "$PWD/other" -name gputlmConfig.cmake)
  sed -i 's/VERSION_EQUAL [0-9.]*/VERSION_EQUAL 9.8.7/' "$package"
  prefix=$work/other
  says "Remedy: point SystemC_DIR or SYSTEMC_HOME to SystemC" configure
}

# The Python package finds the command and the configurations that it was installed with.
python_works_anywhere() {
  cd /
  local package
  package=$(dirname "$(find "$prefix" -path '*/gputlm/__init__.py')")
  PATH=/usr/bin:/bin PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=$(dirname "$package") "$PYTHON" -c '
import gputlm
assert gputlm.run("store-journey", gputlm.Config("tiny")).summary["complete"]'
}

# The command finds its files from anywhere, and its manual page knows every subcommand.
command_works_anywhere() {
  cd /
  local gputlm=$prefix/bin/gputlm
  [[ $("$gputlm" list experiments) == *die* ]] || fail "does not list its experiments"
  "$gputlm" run store-journey --out "$work/run" >/dev/null
  local page name
  page=$(find "$prefix" -name gputlm.1)
  grep -q "$("$gputlm" --version)" "$page" || fail "another version in the manual page"
  while read -r name; do
    grep -qE "^\.BI? .?$name\b" "$page" || fail "no $name in the manual page"
  done < <("$gputlm" --help | sed -n '/^Subcommands:/,$ s/^  \([a-z]\+\)  .*/\1/p')
  for name in GPUTLM_DATA_DIR "EXIT STATUS" 130 share/gputlm/configs; do
    grep -q "$name" "$page" || fail "no $name in the manual page"
  done
}

# Nothing that a consumer reads knows where it was built or first installed.
no_path_of_the_build() {
  local found
  found=$(grep -rIlF -e "$(dirname "$3")" -e "$(cd "$consumer/../.." && pwd)" "$prefix" || true)
  [[ -z $found ]] || fail "paths of the build in $found"
}

# All headers in one file, with no warning.
headers_are_clean() {
  (cd "$prefix/include" && find gputlm -name '*.h' | LC_ALL=C sort | sed 's/.*/#include <&>/') >all.cpp
  (($(wc -l <all.cpp) > 200)) || fail "only $(wc -l <all.cpp) headers"
  "$cxx" -std=c++17 -fsyntax-only -Wall -Wextra -Wpedantic -Werror -I"$prefix/include" all.cpp
}

# PREFIX has the Debian packages: installed on this machine by dpkg, which demands what they depend on, used without any
# path given, and removed again without a trace. Needs root.
debian_packages() {
  local packages=("$prefix"/gputlm_*.deb "$prefix"/libgputlm-dev_*.deb) files
  ! dpkg-query -W gputlm libgputlm-dev >/dev/null 2>&1 || fail "a gputlm package is installed on this machine already"
  trap 'dpkg --purge libgputlm-dev gputlm >/dev/null 2>&1 || true' EXIT
  dpkg -i "${packages[@]}" >"$work/dpkg.log" 2>&1 || fail "dpkg -i: $(cat "$work/dpkg.log")"
  files=$(dpkg -L gputlm libgputlm-dev | sort -u)
  (cd / && [[ $(gputlm list experiments) == *die* ]]) || fail "the installed command does not list its experiments"
  [[ $(find /usr/share/man -name 'gputlm.1*') ]] || fail "no manual page"
  cmake -S "$consumer" -B "$work/build" -DCMAKE_CXX_COMPILER="$cxx"
  cmake --build "$work/build" --target memory
  (cd / && "$work/build/memory")
  pkg-config --exists --print-errors gputlm
  dpkg --purge libgputlm-dev gputlm >/dev/null
  while read -r file; do
    [[ ! -f $file ]] || fail "$file is left behind"
  done <<<"$files"
}

# Each header by itself: minutes.
every_header_stands_alone() {
  (cd "$prefix/include" && find gputlm -name '*.h') | LC_ALL=C sort | xargs -P "$(nproc)" -I{} sh -c \
    "echo '#include <{}>' | '$cxx' -std=c++17 -fsyntax-only -Wall -Wextra -Wpedantic -Werror -I'$prefix/include' -x c++ -"
}

"$case" "$@"
