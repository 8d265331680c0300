# in_shards NAME PROGRAM [gtest arguments]: all of a program's tests, in as many processes as there are processors, each with its
# share (tests/support/shard.py); sets `status` to 1 when one was red. $PIVOTSCOPE_PART, as 2/3: of that many parts this one.
in_shards() {
  name=$1 program=$2 count=$(nproc) part=${PIVOTSCOPE_PART:-1/1}
  first=$(((${part%/*} - 1) * count + 1)) all=$((count * ${part#*/}))
  shift 2
  results=$build/test-results
  rm -rf "$results"
  mkdir -p "$results"
  pids=
  for number in $(seq "$first" "$((first + count - 1))"); do
    python3 "$root/tests/support/shard.py" --name "$name.$number" --shard "$number/$all" --results "$results" --seconds 1800 \
      "$program" "$@" >"$results/$name.$number.said" 2>&1 &
    pids="$pids $!"
  done
  for pid in $pids; do wait "$pid" || status=1; done
  for number in $(seq "$first" "$((first + count - 1))"); do cat "$results/$name.$number.said"; done
}
