# Which commits are being handed in? Read by app/setup/check-tidy; tests/mutants/run has the same rule.
# A fresh clone has the history alone, so they are told by their time: the commits of the last four hours before the newest.
# $PIVOTSCOPE_SINCE names their parent where it is known.

# handed_in_since: the commit before them; nothing where all of the history is younger.
handed_in_since() {
  printf '%s\n' "${PIVOTSCOPE_SINCE:-$(git -C "$root" rev-list -1 --before=$(($(git -C "$root" log -1 --format=%ct) - 4 * 3600)) HEAD)}"
}
