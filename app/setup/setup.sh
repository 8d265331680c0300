# Read by ./app/run and ./tests/run, with $root set: all that must be there before the program can run.
# Each step is remembered by a key of what it depends on (build/deps/*.key) and is skipped while the key holds.
# All words go to standard error.
set -eu
preset=${PIVOTSCOPE_PRESET:-release}
deps=$root/build/deps
build=$root/build/$preset
setup=$root/app/setup
quiet=

say() { printf 'pivotscope: %s\n' "$*" >&2; }
fail() { say "$@"; exit 1; }

# Whatever is run of a build with the thread sanitizer; tests/tsan-suppressions.txt says why.
if [ "$preset" = tsan ]; then
  export TSAN_OPTIONS="suppressions=$root/tests/tsan-suppressions.txt history_size=7 ${TSAN_OPTIONS:-}"
fi

# step NAME WHAT ADVICE COMMAND...: runs it, its output in logs/NAME.log; on failure, shows the end of that and the advice.
# With quiet=1 it speaks only of failure.
step() {
  log=$root/build/logs/$1.log what=$2 advice=$3
  shift 3
  [ -n "$quiet" ] || say "$what..."
  since=$(date +%s)
  if "$@" >"$log" 2>&1 </dev/null; then
    [ -n "$quiet" ] || say "  done in $(($(date +%s) - since)) s"
    return
  fi
  [ -z "${watcher:-}" ] || kill $watcher 2>/dev/null || true
  [ ! -t 2 ] || printf '\r\033[K' >&2
  say "failed: $what. The end of its log:"
  tail -n 25 "$log" >&2
  say "The whole log: $log"
  fail "$advice"
}

holds() { [ -f "$deps/$1.key" ] && [ "$(cat "$deps/$1.key")" = "$2" ]; }
hold() { printf '%s\n' "$2" >"$deps/$1.key"; }
key_of() { cat "$@" | sha256sum | cut -c1-16; }

as_root() {
  if [ "$(id -u)" = 0 ]; then "$@"; else sudo "$@"; fi
}

# packages FILE: the Debian packages that it names.
packages() {
  wanted=$(sed 's/#.*//' "$1")
  command -v dpkg-query >/dev/null || {
    holds packages none || say "This is not Debian: going on with what is there. Wanted:" $wanted
    hold packages none
    return
  }
  there=" $(dpkg-query -W -f '${db:Status-Status}:${Package} ' $wanted 2>/dev/null || true)"
  missing=
  for package in $wanted; do
    case $there in *" installed:$package "*) ;; *) missing="$missing $package" ;; esac
  done
  [ -n "$missing" ] || return 0
  [ "$(id -u)" = 0 ] || command -v sudo >/dev/null ||
    fail "Debian packages are missing and there is no sudo. As root: apt-get install$missing"
  step apt-lists "Reading Debian's package lists" "Is the network there? As root, apt-get update should succeed." \
    as_root apt-get update -q
  step apt-packages "Installing from Debian:$missing" "As root, apt-get install$missing should succeed." \
    as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends \
    -o DPkg::Lock::Timeout=300 $missing
}

pip() { PIP_USER=0 TMPDIR=$deps/tmp "$deps/python/bin/python" -m pip --disable-pip-version-check "$@"; }

build_tools() {
  key=$(key_of "$setup/build-tools.txt")
  ! holds python "$key" || return 0
  python=/usr/bin/python3
  [ -x $python ] || python=python3
  make_build_tools() {
    rm -rf "$deps/python" && $python -m venv "$deps/python" &&
      pip install --no-deps --only-binary :all: --require-hashes -r "$setup/build-tools.txt"
  }
  step build-tools "Fetching CMake" "Is the network there? $python -m venv and pip must work." make_build_tools
  hold python "$key"
}

imgui() {
  folders="imgui/imgui implot/implot implot3d/implot3d imgui_test_engine/imgui_test_engine
    ImGuiColorTextEdit/ImGuiColorTextEdit imgui-command-palette/imgui-command-palette
    imgui_rich_md/imgui_rich_md/imgui_rich_md imgui_rich_md/imgui_rich_md/external/md4c/src
    hello_imgui/hello_imgui/external/plutosvg"
  key=$(key_of "$setup/imgui.txt")\ $(echo $folders)
  ! holds imgui "$key" || return 0
  fetch_imgui() {
    rm -rf "$deps/imgui-bundle" "$deps/imgui-download" && mkdir -p "$deps/imgui-bundle" &&
      pip download --no-deps --no-binary imgui-bundle --no-build-isolation --require-hashes \
        -r "$setup/imgui.txt" -d "$deps/imgui-download" || return
    archive=$(ls "$deps"/imgui-download/imgui_bundle-*.tar.gz)
    top=$(basename "$archive" .tar.gz)/external
    tar -xzf "$archive" -C "$deps/imgui-bundle" --strip-components=2 $(for f in $folders; do echo "$top/$f"; done) &&
      rm -rf "$deps/imgui-download"
  }
  step imgui "Fetching Dear ImGui and ImPlot" \
    "Is the network there? The package must have the hash in app/setup/imgui.txt." \
    fetch_imgui
  hold imgui "$key"
}

# toolkit_fits ROOT: a CUDA toolkit that is whole (compiler, runtime, NVRTC, CUB) and at least 12.8.
toolkit_fits() {
  [ -x "$1/bin/nvcc" ] && [ -f "$1/include/cuda_runtime.h" ] && [ -f "$1/include/nvrtc.h" ] || return
  [ -f "$1/include/cccl/cub/cub.cuh" ] || [ -f "$1/include/cub/cub.cuh" ] || return
  "$1/bin/nvcc" --version 2>/dev/null | sed -n 's/.*release \([0-9]*\)\.\([0-9]*\).*/\1 \2/p' | {
    read -r major minor && [ $((major * 100 + minor)) -ge 1208 ]
  }
}

# Sets cuda_root: a toolkit of the machine's, else the wheels of cuda.txt; empty where CUDA is switched off.
cuda() {
  cuda_root=
  case "$preset ${PIVOTSCOPE_CMAKE_ARGS:-}" in
    asan* | tsan* | fuzz* | *PIVOTSCOPE_CUDA=OFF* | *PIVOTSCOPE_CUDA:*=OFF*) return 0 ;;
    *PIVOTSCOPE_CUDA=* | *PIVOTSCOPE_CUDA:*=*) ;;
    *) ! grep -qs '^PIVOTSCOPE_CUDA:.*=OFF$' "$build/CMakeCache.txt" || return 0 ;;
  esac
  compiler=$(command -v nvcc || true)
  key=$(key_of "$setup/cuda.txt")\ $compiler:${PIVOTSCOPE_CUDA:-}:${CUDA_PATH:-}:${CUDA_HOME:-}
  if holds cuda "$key" && [ -x "$(cat "$deps/cuda.root")/bin/nvcc" ]; then
    cuda_root=$(cat "$deps/cuda.root")
    return
  fi
  [ -z "$compiler" ] || compiler=$(dirname "$(dirname "$(readlink -f "$compiler")")")
  for place in "${PIVOTSCOPE_CUDA:-}" "$compiler" "${CUDA_PATH:-}" "${CUDA_HOME:-}" /usr/local/cuda; do
    [ -n "$place" ] && toolkit_fits "$place" || continue
    cuda_root=$(readlink -f "$place")
    say "CUDA toolkit: $cuda_root"
    break
  done
  if [ -z "$cuda_root" ]; then
    fetch_cuda() {
      rm -rf "$deps/cuda" &&
        pip install --no-deps --no-cache-dir --only-binary :all: --require-hashes --target "$deps/cuda" -r "$setup/cuda.txt" &&
        ln -s lib "$deps/cuda/nvidia/cu13/lib64" &&
        ln -s libnvrtc.so.13 "$deps/cuda/nvidia/cu13/lib/libnvrtc.so" &&
        ln -s libcudart.so.13 "$deps/cuda/nvidia/cu13/lib/libcudart.so"
    }
    step cuda "Fetching CUDA 13.0 (0.5 GB; no toolkit 12.8 or newer is here)" \
      "To build without CUDA: PIVOTSCOPE_CMAKE_ARGS=-DPIVOTSCOPE_CUDA=OFF, then the same command." fetch_cuda
    cuda_root=$deps/cuda/nvidia/cu13
  fi
  printf '%s\n' "$cuda_root" >"$deps/cuda.root"
  hold cuda "$key"
}

configure() {
  key="$cuda_root ${PIVOTSCOPE_CMAKE_ARGS:-} $(key_of "$root/CMakePresets.json" "$deps/python.key" "$deps/imgui.key")"
  if [ -f "$build/build.ninja" ] && holds "configure-$preset" "$key"; then return; fi
  run_cmake() {
    cd "$root"
    # Another compiler needs another cache.
    fresh=
    if [ -n "$cuda_root" ] && [ -f "$build/CMakeCache.txt" ] &&
      ! grep -q "^CMAKE_CUDA_COMPILER:.*=$cuda_root/bin/nvcc$" "$build/CMakeCache.txt"; then fresh=--fresh; fi
    "$deps/python/bin/cmake" --preset "$preset" $fresh ${cuda_root:+"-DPIVOTSCOPE_CUDA_ROOT=$cuda_root"} \
      ${PIVOTSCOPE_CMAKE_ARGS:-}
  }
  step "configure-$preset" "Configuring ($preset)" "If the cause is not plain: delete $build and try again." run_cmake
  hold "configure-$preset" "$key"
}

# compile TARGET...: says nothing when there is nothing to do, that is, when it takes less than a second. On a terminal
# it shows how far it is.
compile() {
  log=$root/build/logs/build-$preset.log
  said=$deps/tmp/said
  : >"$log"
  rm -f "$said"
  (
    exec 9>&- >/dev/null
    trap 'kill $! 2>/dev/null; exit' TERM
    rest() { sleep 1 2>/dev/null & wait $!; }
    rest
    : >"$said"
    say "Building ($preset, $*)..."
    while [ -t 2 ] && kill -0 $$ 2>/dev/null; do
      printf '\r\033[K  %.100s' "$(tail -n 1 "$log")" >&2
      rest
    done
  ) &
  watcher=$!
  began=$(date +%s)
  quiet=1
  step "build-$preset" "Building ($preset, $*)" "The errors stand above or in the log." ninja -C "$build" "$@"
  quiet=
  kill $watcher 2>/dev/null || true
  wait $watcher 2>/dev/null || true
  [ -f "$said" ] || return 0
  [ ! -t 2 ] || printf '\r\033[K' >&2
  say "  done in $(($(date +%s) - began)) s"
}

# prepare TARGET...: everything up to these targets. One at a time in a build tree.
prepare() {
  place=$(cat "$deps/place" 2>/dev/null || echo "$root")
  if [ "$place" != "$root" ]; then
    say "This folder was at $place before: setting it up again."
    rm -rf "$root/build"
  fi
  mkdir -p "$deps/tmp" "$root/build/logs" 2>/dev/null && [ -w "$deps" ] && [ -w "$root/build/logs" ] ||
    fail "Cannot write in $root/build: whose folder is it?"
  printf '%s\n' "$root" >"$deps/place"
  exec 9>"$deps/lock"
  flock -n 9 || { say "Waiting for another set-up or build in this folder..."; flock 9; }
  packages "$setup/packages.txt"
  build_tools
  imgui
  cuda
  configure
  compile "$@"
  exec 9>&-
}

# A display of our own, drawn by the CPU. display_end stops it.
display_begin() {
  command -v Xvfb >/dev/null || fail "Xvfb is missing (Debian: xvfb)."
  display_number=$(mktemp)
  Xvfb -displayfd 3 -screen 0 1920x1200x24 -nolisten tcp -noreset >"$root/build/logs/Xvfb.log" 2>&1 3>"$display_number" &
  display_server=$!
  trap display_end EXIT
  trap 'exit 129' HUP
  trap 'exit 130' INT
  trap 'exit 143' TERM
  tries=0
  while [ ! -s "$display_number" ]; do
    tries=$((tries + 1))
    if [ $tries -gt 200 ] || ! kill -0 $display_server 2>/dev/null; then
      cat "$root/build/logs/Xvfb.log" >&2
      fail "failed: starting a virtual display (Xvfb)."
    fi
    sleep 0.05
  done
  DISPLAY=:$(cat "$display_number")
  LIBGL_ALWAYS_SOFTWARE=1
  export DISPLAY LIBGL_ALWAYS_SOFTWARE
  unset WAYLAND_DISPLAY
}
display_end() {
  kill $display_server 2>/dev/null || true
  wait $display_server 2>/dev/null || true
  rm -f "$display_number"
}
