#!/usr/bin/env python3
"""tests/support/shard.py --name NAME --shard I/N --results FOLDER PROGRAM [gtest arguments]: runs the I-th of N shards of a
program's tests in one process, and judges it.

It is red when a test failed; when the program crashed, ended early or hung, and then it names the test; when not every
test of the shard was run; and when the shard has no test. Exit status: 0, 1, or 77 where every test was skipped.
Everything that the program said is in FOLDER/NAME.log, the seconds of each test in FOLDER/NAME.json
(tests/support/summary.py reads those). ctest and tests/sanitize call this.
"""
import argparse
import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

skipped_status = 77  # ctest: SKIP_RETURN_CODE
begins = re.compile(r"\[ RUN      \] (\S+)")
most_of_a_test = 400  # lines that are shown of one that failed: half from its begin, half from its end


def tests_of(program, arguments, index, total, environment):
    """The names of the tests that gtest runs in this shard: of those that it would run at all, every total-th."""
    listed = subprocess.run([program, "--gtest_list_tests", *arguments], env=environment, stdin=subprocess.DEVNULL,
                            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, errors="replace", timeout=300)
    if listed.returncode != 0:
        sys.exit(f"{program} does not list its tests (exit status {listed.returncode}):\n{listed.stderr[-3000:]}")
    names, suite = [], ""
    for line in listed.stdout.splitlines():
        line = line.split("#")[0].rstrip()
        if re.fullmatch(r"\S+\.", line):
            suite = line
        elif re.fullmatch(r"  \S+", line) and "DISABLED_" not in suite + line:
            names.append(suite + line.strip())
    return names[index::total]


def run(command, log, environment, seconds):
    """(exit status, or None where one test took longer than `seconds`). What the program says goes to `log`."""
    with open(log, "wb") as said:
        process = subprocess.Popen(command, env=environment, stdin=subprocess.DEVNULL, stdout=said, stderr=subprocess.STDOUT,
                                   start_new_session=True)

    def end(*_):
        try:
            os.killpg(process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        process.wait()

    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, lambda *_: (end(), sys.exit(1)))
    begun = time.monotonic()
    with open(log, "rb") as heard:
        while True:
            try:
                return process.wait(0.1)
            except subprocess.TimeoutExpired:
                pass
            if b"[ RUN      ]" in heard.read():
                begun = time.monotonic()
            if time.monotonic() - begun > seconds:
                end()
                return None


def parts_of(log):
    """What each test said, by its name, and the name of the one that had begun last."""
    parts, name = {}, None
    for line in log.splitlines():
        if found := begins.search(line):
            name = found[1]
            parts[name] = []
        if name:
            parts[name].append(line)
        if name and re.search(r"\[(       OK|  FAILED |  SKIPPED) \] " + re.escape(name) + r"\b", line):
            name = None
    return parts, name


def shortened(lines):
    if len(lines) <= most_of_a_test:
        return lines
    half = most_of_a_test // 2
    return [*lines[:half], f"... {len(lines) - most_of_a_test} lines are left out here ...", *lines[-half:]]


def outcomes(path):
    """(name, seconds, "ok" | "failed" | "skipped") of each test that ran; None where gtest wrote no file."""
    try:
        told = json.loads(path.read_text(errors="replace"))
    except (OSError, ValueError):
        return None
    ran = []
    for suite in told.get("testsuites", []):
        for test in suite.get("testsuite", []):
            if test.get("status") != "RUN":
                continue
            how = "failed" if "failures" in test else "skipped" if test.get("result") == "SKIPPED" else "ok"
            ran.append((f"{suite['name']}.{test['name']}", float(test["time"].rstrip("s")), how))
    return ran


def how_it_ended(status):
    return f"signal {-status}, {signal.Signals(-status).name}" if status < 0 else f"exit status {status}"


def main():
    ask = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    ask.add_argument("--name", required=True)
    ask.add_argument("--shard", required=True, metavar="I/N", help="1/N is the first")
    ask.add_argument("--results", required=True, type=Path)
    ask.add_argument("--seconds", type=float, default=1200, help="that one test may take")
    ask.add_argument("program")
    ask.add_argument("arguments", nargs=argparse.REMAINDER)
    options = ask.parse_args()
    number, total = map(int, options.shard.split("/"))
    options.results.mkdir(parents=True, exist_ok=True)
    log, told, kept = (options.results / f"{options.name}.{end}" for end in ("log", "gtest", "json"))
    for old in (log, told, kept):
        old.unlink(missing_ok=True)

    wanted = tests_of(options.program, options.arguments, number - 1, total, os.environ)
    if not wanted:
        sys.exit(f"{options.name}: RED: no test is in shard {options.shard} of {options.program}")
    environment = os.environ | {"GTEST_TOTAL_SHARDS": str(total), "GTEST_SHARD_INDEX": str(number - 1)}
    command = [options.program, *options.arguments, f"--gtest_output=json:{told}", "--gtest_color=no"]
    began = time.monotonic()
    status = run(command, log, environment, options.seconds)
    took = time.monotonic() - began
    parts, last = parts_of(log.read_text(errors="replace"))
    ran = outcomes(told)
    told.unlink(missing_ok=True)

    wrong, show = [], []
    if status is None:
        wrong.append(f"{last or options.program} did not end after {options.seconds:g} s")
    elif ran is None:
        wrong.append(f"{last or options.program}: the program ended in it ({how_it_ended(status)})" if last else
                     f"{options.program} ended without a report ({how_it_ended(status)})")
    if ran is None:  # what its words say
        show += [last] if last else []
        words = {"[       OK ]": "ok", "[  SKIPPED ]": "skipped"}
        ran = [(name, 0.0, next((how for word, how in words.items() if word in lines[-1]), "failed")) for name, lines in parts.items()]
        not_run = [name for name in wanted if name not in parts]
        if not_run:
            wrong.append(f"{len(not_run)} of {len(wanted)} tests were not run after that")
    elif sorted(name for name, _, _ in ran) != sorted(wanted):
        lost = sorted(set(wanted) ^ {name for name, _, _ in ran})
        wrong.append(f"{len(wanted)} tests were to run, and {len(ran)} did: {', '.join(lost[:20])}")
    failed = [name for name, _, how in ran if how == "failed"]
    skipped = sum(how == "skipped" for _, _, how in ran)
    if status not in (0, None) and not failed and not wrong:  # of a sanitizer's report at the end, say
        wrong.append(f"every test was right, but the program ended with {how_it_ended(status)}")
        print("\n".join(shortened(log.read_text(errors="replace").splitlines()[-most_of_a_test:])))
    if status == 0 and failed and not wrong:
        wrong.append("a test failed, but the program's exit status is 0")
    kept.write_text(json.dumps({"name": options.name, "program": Path(options.program).name, "seconds": took,
                                "red": bool(wrong or failed), "tests": ran}))

    for name in dict.fromkeys([*show, *failed]):
        print("\n".join(shortened(parts.get(name, [f"{name} said nothing"]))))
    print(f"{options.name}: {len(ran)} tests: {len(ran) - skipped - len(failed)} right, {skipped} skipped, {len(failed)} failed; "
          f"{took:.1f} s")
    for name in failed:
        print(f"{options.name}: FAILED: {name}")
    for words in wrong:
        print(f"{options.name}: RED: {words}")
    if failed or wrong:
        sys.exit(f"Everything that it said: {log}")
    sys.exit(skipped_status if skipped == len(ran) else 0)


main()
