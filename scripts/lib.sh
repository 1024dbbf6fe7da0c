# shellcheck shell=bash disable=SC2034  # the lists are for those who source this file
# Shared by scripts/run, scripts/test and .ci/run: what they need installed, and how they build.
# Sourced by bash scripts that have set -euo pipefail.

repo_root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)

# Debian 12 packages. benchmark_packages are for GRASPMAP_BENCH=ON only, peer_packages besides for
# GRASPMAP_BENCH_PEERS=ON, which cube_packages are optional for (scripts/sliding_cube),
# profile_packages for scripts/instructions.
build_packages=(g++ cmake ninja-build git libeigen3-dev libtbb-dev libboost-dev
  libboost-program-options-dev libtomlplusplus-dev librandom123-dev libfmt-dev
  libsqlite3-dev libxxhash-dev libzip-dev)
run_packages=(gnuplot-nox)
test_packages=(catch2 parallel python3-numpy libopenmpi-dev openmpi-bin)
benchmark_packages=(libbenchmark-dev)
peer_packages=(libbox2d-dev libmujoco-dev)
cube_packages=(libbullet-dev libode-dev)
profile_packages=(valgrind binutils python3)

say() { printf '%s\n' "$*" >&2; }

die() {
  say "$(basename "$0"): $1"
  exit "${2:-1}"
}

is_installed() {
  # Any variant of gnuplot will do; the packages exclude each other.
  if [[ $1 == gnuplot-nox ]] && command -v gnuplot >/dev/null; then return 0; fi
  [[ $(dpkg-query --show --showformat='${db:Status-Status}' "$1" 2>/dev/null) == installed ]]
}

# logged LOGFILE COMMAND...: shows the end of a command's output only when it fails; returns its status.
logged() {
  local log=$1 status=0
  shift
  mkdir -p "$(dirname "$log")"
  "$@" >"$log" 2>&1 </dev/null || status=$?
  if ((status != 0)); then
    tail -n 100 "$log" >&2
    say "failed: $* (its last lines are above, all are in $log)"
  fi
  return "$status"
}

apt_get() {
  local command=(env DEBIAN_FRONTEND=noninteractive apt-get --quiet "$@")
  [[ $(id -u) -eq 0 ]] || command=(sudo "${command[@]}")
  logged "$repo_root/build/packages.log" "${command[@]}"
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
  say "Installing Debian packages: ${missing[*]}"
  [[ $(id -u) -eq 0 ]] || command -v sudo >/dev/null ||
    die "this needs root, and there is no sudo: apt-get install ${missing[*]}"
  apt_get update || say "apt-get update failed; trying with the package lists there are."
  apt_get install --yes --no-install-recommends "${missing[@]}" ||
    die "could not install: ${missing[*]}. Install them and try again."
}

# mpi_option: ON when there is an MPI to build with, else OFF.
mpi_option() {
  if command -v mpicc >/dev/null; then echo ON; else echo OFF; fi
}

# build PRESET TESTS TARGET...: configures a CMake preset, with tests or not (ON, OFF), and with the
# configure_options, and builds; with MPI when there is one.
configure_options=()
build() {
  local preset=$1 tests=$2 folder=$repo_root/build/$1
  shift 2
  command -v cmake >/dev/null || die "cmake is not installed"
  [[ -e $folder/build.ninja ]] || say "Building graspmap ($preset); the first time takes minutes ..."
  cd "$repo_root" || exit
  logged "$folder/configure.log" cmake --preset "$preset" -DGRASPMAP_TESTS="$tests" \
    -DGRASPMAP_MPI="$(mpi_option)" "${configure_options[@]}" || exit
  logged "$folder/build.log" cmake --build --preset "$preset" --target "$@" || exit
}
