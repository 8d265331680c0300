#!/usr/bin/env python3
"""tests/support/summary.py [FOLDER...]: how many tests of each program ran, and the ten slowest, by what tests/support/shard.py
left in the folders (build/release/test-results, for one)."""
import json
import sys
from pathlib import Path


def main():
    programs, tests = {}, []
    for folder in map(Path, sys.argv[1:]):
        for file in sorted(folder.glob("*.json")):
            shard = json.loads(file.read_text())
            program = f"{folder.parent.name}/{shard['program']}"
            counts = programs.setdefault(program, {"shards": 0, "tests": 0, "ok": 0, "skipped": 0, "failed": 0, "seconds": 0})
            counts["shards"] += 1
            counts["seconds"] += shard["seconds"]
            for name, seconds, how in shard["tests"]:
                counts["tests"] += 1
                counts[how] += 1
                tests.append((seconds, name, program))
    print(f"{'program':26} {'tests':>6} {'right':>6} {'skipped':>8} {'failed':>7} {'shards':>7} {'s, of all shards':>17}")
    for program, c in programs.items():
        print(f"{program:26} {c['tests']:6} {c['ok']:6} {c['skipped']:8} {c['failed']:7} {c['shards']:7} {c['seconds']:17.0f}")
    print("\nThe slowest tests:")
    for seconds, name, program in sorted(tests, reverse=True)[:10]:
        print(f"{seconds:8.1f} s  {name}  ({program})")


main()
