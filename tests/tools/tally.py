#!/usr/bin/env python3
"""Count the test cases of a `meson test` run.

usage: tally.py BUILD-DIR

Prints "PASSED FAILED SKIPPED" on standard output and each failed case, with
what its program said about it, on standard error.  Meson keeps two logs: testlog.json has one
record a test program, testlog.junit.xml one element a case.  A program that
was killed, timed out or stopped before its plan was done may have no failed
case, so a bad program without a bad case counts as one failure.
"""
import json
import os
import re
import sys
import xml.etree.ElementTree as ElementTree

GOOD = {"OK", "EXPECTEDFAIL"}
# Meson writes what programs print into the log as it is; XML allows none of these.
NOT_XML = dict.fromkeys((c for c in range(32) if chr(c) not in "\t\n\r"), "?")


def cases_by_program(junit_path):
    """{"project.test": [(case name, "pass" | "fail" | "skip")]}"""
    programs = {}
    with open(junit_path, encoding="utf-8", errors="replace") as log:
        root = ElementTree.fromstring(log.read().translate(NOT_XML))
    for suite in root.iter("testsuite"):
        cases = programs.setdefault(suite.get("name"), [])
        for case in suite.iter("testcase"):
            if case.find("failure") is not None or case.find("error") is not None:
                outcome = "fail"
            elif case.find("skipped") is not None:
                outcome = "skip"
            else:
                outcome = "pass"
            cases.append((case.get("name"), outcome))
    return programs


def explanations(output):
    """For each "not ok" line of TAP output, in order, the lines below it."""
    found = []
    collecting = False
    for line in output.split("\n"):
        if re.match(r"(not )?ok\b", line):
            collecting = line.startswith("not ok")
            if collecting:
                found.append([])
        elif collecting and line.strip():
            found[-1].append(line)
    return found


def main():
    logs = os.path.join(sys.argv[1], "meson-logs")
    count = {"pass": 0, "fail": 0, "skip": 0}
    try:
        programs = cases_by_program(os.path.join(logs, "testlog.junit.xml"))
        with open(os.path.join(logs, "testlog.json"), encoding="utf-8") as log:
            records = [json.loads(line) for line in log if line.strip()]
    except FileNotFoundError:  # no test in these suites
        programs, records = {}, []
    for record in records:
        name, result = record["name"], record["result"]
        cases = next((c for p, c in programs.items() if p.partition(".")[2] == name), [])
        if not cases:
            outcome = "pass" if result in GOOD else "skip" if result == "SKIP" else "fail"
            cases = [(result, outcome)]
        elif result not in GOOD and result != "SKIP" and not any(o == "fail" for _, o in cases):
            cases = cases + [("the program as a whole: " + result, "fail")]
        reasons = iter(explanations(record.get("stdout") or ""))
        for case, outcome in cases:
            count[outcome] += 1
            if outcome == "fail":
                print(f"FAILED {name}: {case}", *next(reasons, []), sep="\n    ", file=sys.stderr)
    print(count["pass"], count["fail"], count["skip"])


if __name__ == "__main__":
    main()
