# in_shards NAME PROGRAM [gtest arguments]: all of a program's tests, in as many processes as there are processors, each with its share;
# says what they said last and sets `status` to 1 when one was red. A process a test, as ctest has it, takes a sanitizer's start each.
in_shards() {
  said=$root/build/logs/$1 program=$2
  shift 2
  pids=
  for shard in $(seq 0 $(($(nproc) - 1))); do
    GTEST_TOTAL_SHARDS=$(nproc) GTEST_SHARD_INDEX=$shard timeout 3600 "$program" --gtest_brief=1 "$@" >"$said-$shard.log" 2>&1 &
    pids="$pids $!"
  done
  for pid in $pids; do wait "$pid" || status=1; done
  for log in $(seq -f "$said-%.0f.log" 0 $(($(nproc) - 1))); do
    tail -n 60 "$log"
    grep -q '^\[==========\] [1-9][0-9]* tests*' "$log" || { say "No test ran to the end: $log"; status=1; }
  done
}
