#!/usr/bin/env python3
"""tests/support/chance.py [--rounds N] [--beside N] --results FOLDER PROGRAM... [--arguments for gtest]: runs each program N times
(50), in another order each time, several runs side by side, and tells which tests fell. tests/chance calls this.

Runs side by side are what makes chance: each is kept from the processor by the others at moments that no test chose. Exit
status: 0 where every run was right, else 1.
"""
import argparse
import collections
import concurrent.futures
import os
import re
import subprocess
import sys
import time
from pathlib import Path

shard = Path(__file__).with_name("shard.py")


def main():
    ask = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    ask.add_argument("--rounds", type=int, default=50)
    ask.add_argument("--beside", type=int, default=3 * os.cpu_count(), help="runs at a time; three a processor")
    ask.add_argument("--results", required=True, type=Path)
    ask.add_argument("programs", nargs="+", metavar="PROGRAM")
    ask.add_argument("--arguments", nargs=argparse.REMAINDER, default=[], help="for gtest; the last option")
    options = ask.parse_args()
    options.results.mkdir(parents=True, exist_ok=True)

    def run(program, number):
        name = f"{Path(program).name}.{number}"
        done = subprocess.run([sys.executable, str(shard), "--name", name, "--shard", "1/1", "--results", str(options.results), program,
                               "--gtest_shuffle", f"--gtest_random_seed={number}", *options.arguments],
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace")
        if done.returncode == 0:
            (options.results / f"{name}.log").unlink(missing_ok=True)
        return program, number, done.returncode, done.stdout

    fell, ran, culprits = 0, 0, collections.Counter()
    began = time.monotonic()
    with concurrent.futures.ThreadPoolExecutor(options.beside) as pool:
        asked = [pool.submit(run, program, number) for number in range(1, options.rounds + 1) for program in options.programs]
        for done in concurrent.futures.as_completed(asked):
            program, number, status, said = done.result()
            ran += 1
            if status == 0:
                print(said.strip(), flush=True)
                continue
            fell += 1
            print(f"\nRound {number} fell; the same order again: {program} --gtest_shuffle --gtest_random_seed={number}")
            print(said, flush=True)
            culprits.update(re.findall(r"(?:FAILED|RED): (.*)", said))
    print(f"\n{fell} of {ran} runs fell, of {options.rounds} rounds; {time.monotonic() - began:.0f} s.")
    for words, times in culprits.most_common():
        print(f"{times:7}  {words}")
    sys.exit(1 if fell or not ran else 0)


main()
