# shellcheck shell=bash disable=SC2034  # the lists are for those who source this file
# Shared by scripts/run, scripts/test and .ci/run: what they need installed, and how they build.
# Sourced by bash scripts that have set -euo pipefail.

repo_root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)

# Debian 12 packages. benchmark_packages are for GRASPMAP_BENCH=ON only, peer_packages besides for
# GRASPMAP_BENCH_PEERS=ON, which cube_packages are optional for (scripts/sliding_cube),
# profile_packages for scripts/instructions.
build_packages=(g++ cmake ninja-build git libeigen3-dev libtbb-dev libboost-dev
  libboost-program-options-dev libtomlplusplus-dev librandom123-dev libfmt-dev
  libsqlite3-dev libxxhash-dev libzip-dev zlib1g-dev libpugixml-dev libqhull-dev libpolyclipping-dev esbuild)
solid_packages=(libocct-data-exchange-dev libocct-modeling-algorithms-dev) # to read STEP files; skipped without
run_packages=(gnuplot-nox)
test_packages=(catch2 parallel python3-numpy python3-scipy python3-mpmath libopenmpi-dev openmpi-bin bash-completion)
module_packages=(pybind11-dev python3-dev python3-numpy) # to build the Python module
# For its tests, its how-to page and its wheel besides.
python_packages=("${module_packages[@]}" python3-xarray python3-pandas python3-scipy python3-pytest mypy
  python3-matplotlib python3-pip python3-setuptools python3-venv python3-wheel)
sanitizer_packages=(clang libclang-rt-dev llvm lld)
benchmark_packages=(libbenchmark-dev)
peer_packages=(libbox2d-dev libmujoco-dev)
cube_packages=(libbullet-dev libode-dev)
profile_packages=(valgrind binutils python3)
page_packages=(chromium chromium-driver python3-selenium nodejs) # tests of the page of a report, skipped without
firefox_packages=(firefox-esr) # for scripts/studio --test
report_packages=(emscripten nodejs esbuild librapidxml-dev) # for scripts/report
npm_packages=(node-typescript) # for scripts/npm
format_packages=(clang-format) # for .ci/run
cache_packages=(ccache)        # the same: builds use it where it is installed
tidy_packages=(clang-tidy)     # for scripts/tidy
package_packages=(dpkg-dev file) # for scripts/package

say() { printf '%s\n' "$*" >&2; }

die() {
  say "$(basename "$0"): $1"
  exit "${2:-1}"
}

# changed_base: the commit that a change is measured from: the newest one that is more than a day older than HEAD.
# Many commits may land at once; a day covers them. Nothing in a clone without such a commit.
changed_base() {
  local day_before
  day_before=$(($(git log -1 --format=%ct HEAD) - 86400))
  git rev-list --max-count=1 --before="$day_before" HEAD
}

# has_changed PATH...: whether files there differ from changed_base, committed or not; true where there is no base.
has_changed() {
  local base
  base=$(changed_base)
  [[ -n $base ]] || return 0
  ! git diff --quiet "$base" -- "$@" || [[ -n $(git ls-files --others --exclude-standard -- "$@") ]]
}

# put_between_marks SCRIPT FILE DOCUMENT: FILE replaces what is between the marks of `scripts/SCRIPT --update`.
put_between_marks() {
  local new
  new=$(mktemp)
  awk -v mark="<!-- scripts/$1 --update: " -v file="$2" '$0 == mark "end -->" { inside = 0 }
    !inside { print }
    $0 == mark "begin -->" {
      inside = 1
      while ((getline line < file) > 0) print line
    }' "$3" >"$new"
  cat "$new" >"$3"
  rm "$new"
  say "$3 is up to date."
}

is_installed() {
  # Any variant of gnuplot will do; the packages exclude each other.
  if [[ $1 == gnuplot-nox ]] && command -v gnuplot >/dev/null; then return 0; fi
  [[ $(dpkg-query --show --showformat='${db:Status-Status}' "$1" 2>/dev/null) == installed ]]
}

# --- What long commands show: one line that is rewritten, or lines now and then where nobody watches.

on_terminal() { [[ -t 2 && ${TERM:-dumb} != dumb ]]; }

# duration SECONDS: in words.
duration() {
  if (($1 < 90)); then
    printf '%d s' "$1"
  else
    printf '%d min %d s' $(($1 / 60)) $(($1 % 60))
  fi
}

# time_left SECONDS: in words, as coarse as an estimate is.
time_left() {
  if (($1 <= 5)); then
    printf 'a few seconds left'
  elif (($1 < 90)); then
    printf 'about %d s left' $((($1 + 4) / 5 * 5))
  else
    printf 'about %d min left' $((($1 + 30) / 60))
  fi
}

# The state of the display: it belongs to the process of show_progress.
progress_title=''                   # what is done
progress_begun=0 progress_at=0      # when the command began, and when it came on, in SECONDS
progress_done=0 progress_all=0      # files, of a build
progress_percent=0 progress_last=-1 # now, and in the last line that was printed
progress_text='' progress_line=''   # '' until there is something to show; what is shown

# see_build_line LINE: reads the lines of ninja, `[12/126] Building CXX object ...`. Steps that only
# look whether there is something to do count, but nothing is shown until a file has been made.
see_build_line() {
  [[ $1 =~ ^\[([0-9]+)/([0-9]+)\]\ (.*) ]] || return 0
  progress_done=${BASH_REMATCH[1]} progress_all=${BASH_REMATCH[2]} progress_at=$SECONDS
  progress_percent=$((progress_all > 0 ? 100 * progress_done / progress_all : 0))
  if [[ -n $progress_text || ${BASH_REMATCH[3]} =~ ^(Building|Linking)\  ]]; then
    progress_text="file $progress_done of $progress_all, $progress_percent %"
  fi
}

# see_apt_line LINE: reads what APT::Status-Fd tells, `dlstatus:1:45.3:Retrieving file 3 of 9 ...` and
# `pmstatus:cmake:60.1:Unpacking cmake (amd64)`.
see_apt_line() {
  [[ $1 =~ ^(dlstatus|pmstatus):([^:]*):([0-9]+)[^:]*:(.*) ]] || return 0 # what apt-get says itself
  progress_percent=${BASH_REMATCH[3]} progress_at=$SECONDS
  local phase=installing detail=${BASH_REMATCH[2]}
  if [[ ${BASH_REMATCH[1]} == dlstatus ]]; then
    phase=downloading detail=''
    if [[ ${BASH_REMATCH[4]} =~ ([0-9]+)[^0-9]+([0-9]+) ]]; then
      detail="${BASH_REMATCH[1]} of ${BASH_REMATCH[2]}"
    fi
  fi
  if [[ $progress_text != "$phase"* ]]; then progress_last=-1; fi
  progress_text="$phase, $progress_percent %"
  if on_terminal && [[ -n $detail ]]; then progress_text+=" ($detail)"; fi
  return 1
}

# The time left of a build. The estimate assumes that the remaining files take as long in the mean as
# the finished ones. It prints nothing in the first seconds.
progress_estimate() {
  local passed=$((progress_at - progress_begun)) left
  ((progress_done > 0 && progress_all > progress_done)) || return 0
  ((progress_done >= 5 && passed >= 5)) || return 0
  left=$((passed * (progress_all - progress_done) / progress_done - (SECONDS - progress_at)))
  printf ', %s' "$(time_left $((left > 0 ? left : 0)))"
}

draw_progress() {
  [[ -n $progress_text ]] || return 0
  local line
  if on_terminal; then
    line="$progress_title: $progress_text$(progress_estimate)"
    [[ $line != "$progress_line" ]] || return 0
    printf '\r%s\033[K' "${line:0:79}" >&2
    progress_line=$line
  elif ((progress_last < 0 || progress_percent / 10 > progress_last / 10)); then
    progress_last=$progress_percent
    progress_line="$progress_title: $progress_text$(progress_estimate)"
    say "$progress_line"
  fi
}

# show_progress SEE TITLE LOG: copies its input into LOG, except the lines for which SEE returns 1,
# and shows what SEE makes of them. It ends with its input, not when it is interrupted: what the
# command says last is kept.
show_progress() {
  local see=$1 log=$3 text='' part status
  progress_title=$2 progress_begun=$SECONDS
  trap '' INT
  : >"$log"
  while true; do
    status=0
    IFS= read -r -t 1 part || status=$?
    text+=$part
    if ((status == 0)); then
      if "$see" "$text"; then printf '%s\n' "$text" >>"$log"; fi
      text=''
    elif ((status <= 128)); then
      break
    fi
    draw_progress
  done
  [[ -z $text ]] || printf '%s\n' "$text" >>"$log"
  if [[ -n $progress_line ]] && on_terminal; then printf '\r\033[K' >&2; fi
}

# logged LOGFILE SEE TITLE COMMAND...: runs a command, shows its progress, as show_progress does, and
# the end of its output only when it fails; returns its status.
logged() {
  local log=$1 see=$2 title=$3 status=0 interrupted=false begun=$SECONDS
  shift 3
  mkdir -p "$(dirname "$log")"
  trap 'interrupted=true' INT
  "$@" 2>&1 </dev/null | show_progress "$see" "$title" "$log" || status=$?
  trap - INT
  if $interrupted; then
    say "interrupted (the output is in $log)"
    kill -INT $$
  fi
  if ((status != 0)); then
    tail -n 100 "$log" >&2
    say "failed: $* (its last lines are above, all are in $log)"
  elif [[ $see != : ]] && ((SECONDS - begun >= 5)); then
    say "$title: done in $(duration $((SECONDS - begun)))"
  fi
  return "$status"
}

# apt_get TITLE ARGUMENT...
apt_get() {
  local title=$1
  shift
  local command=(env DEBIAN_FRONTEND=noninteractive apt-get --quiet -o APT::Status-Fd=1 "$@")
  [[ $(id -u) -eq 0 ]] || command=(sudo "${command[@]}")
  logged "$repo_root/build/packages.log" see_apt_line "$title" "${command[@]}"
}

# install_packages PACKAGE...: installs those that are missing; does nothing when all are there.
install_packages() {
  if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
    say "This is no Debian system, so nothing is installed. Needed, by their Debian names:"
    say "  $*"
    return
  fi
  local package missing=()
  for package in "$@"; do
    is_installed "$package" || missing+=("$package")
  done
  ((${#missing[@]} > 0)) || return 0
  say "Installing Debian packages, and what these need: ${missing[*]}"
  [[ $(id -u) -eq 0 ]] || command -v sudo >/dev/null ||
    die "this needs root, and there is no sudo: apt-get install ${missing[*]}"
  apt_get "Package lists" update ||
    say "apt-get update failed; trying with the package lists there are."
  apt_get "Packages" install --yes --no-install-recommends "${missing[@]}" ||
    die "could not install: ${missing[*]}. Install them and try again."
}

# mpi_option: ON when there is an MPI to build with, else OFF.
mpi_option() {
  if command -v mpicc >/dev/null; then echo ON; else echo OFF; fi
}

# build PRESET TESTS TARGET...: configures a CMake preset, with tests or not (ON, OFF), and with the
# configure_options, and builds; with MPI when there is one, without the lab unless lab=ON.
configure_options=()
lab=OFF
build() {
  local preset=$1 tests=$2 folder=$repo_root/build/$1
  shift 2
  command -v cmake >/dev/null || die "cmake is not installed"
  [[ -e $folder/build.ninja ]] ||
    say "Building graspmap ($preset) in build/$preset; the first time takes minutes."
  cd "$repo_root" || exit
  logged "$folder/configure.log" : "Configuring" cmake --preset "$preset" \
    -DGRASPMAP_TESTS="$tests" -DGRASPMAP_MPI="$(mpi_option)" \
    -DGRASPMAP_LAB="$lab" "${configure_options[@]}" || exit
  NINJA_STATUS='[%f/%t] ' logged "$folder/build.log" see_build_line "Building" \
    cmake --build --preset "$preset" --target "$@" || exit
}

# build_live PRESET: builds the simulator in the page of a report, build/PRESET/web/graspmap.wasm, with
# emscripten: a project of its own, of which nothing stays when it fails.
build_live() {
  local folder=$repo_root/build/$1/web
  unset EM_CACHE # Debian's emscripten has its libraries built in /usr/share; elsewhere they are compiled again
  cd "$repo_root" || exit
  logged "$folder/configure.log" : "Configuring the simulator" \
    emcmake cmake -G Ninja -S web/engine -B "$folder" || exit
  NINJA_STATUS='[%f/%t] ' logged "$folder/build.log" see_build_line "Building the simulator for the page" \
    cmake --build "$folder" || {
    rm -f "$folder/graspmap.wasm"
    exit 1
  }
}

# bundle_studio WASM OUT: puts the studio together, one HTML file, with an engine that is there.
bundle_studio() {
  local wasm out folder
  wasm=$(realpath "$1") out=$(realpath --canonicalize-missing "$2")
  folder=$(mktemp -d)
  mkdir -p "$(dirname "$out")"
  (
    cd "$repo_root"
    options=(--bundle --minify --charset=ascii --target=es2020 --log-level=warning)
    esbuild web/studio/main.ts "${options[@]}" --format=iife --outfile="$folder/main.js"
    esbuild web/package/src/browser_worker.ts "${options[@]}" --format=iife --outfile="$folder/worker.js"
    esbuild web/studio/style.css --bundle --minify --log-level=warning --outfile="$folder/style.css"
    node web/studio/bundle.mjs "$folder" "$wasm" "$out"
  ) || exit
  rm -rf "$folder"
}

# build_studio PRESET: builds the engine and the studio, build/PRESET/web/studio.html.
build_studio() {
  build_live "$1"
  bundle_studio "$repo_root/build/$1/web/graspmap.wasm" "$repo_root/build/$1/web/studio.html"
}
