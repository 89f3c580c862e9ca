# Every violation that whittle finds in a program with a known answer fails natively, too, or is explained.
#   native_replay_test.py WHITTLE [--all] [--svcomp DIR] [PROGRAM...]
# Without --all (or WHITTLE_LONG) some programs of every folder are taken.
import concurrent.futures
import os
import re
import subprocess
import sys
import tempfile

PROGRAM = os.path.abspath(sys.argv[1])
SOURCE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
EXAMPLES = os.path.join(SOURCE, "examples")
EACH = 1  # programs of each folder, in short runs

# Why a native run does not show it, by what whittle says.
EXPLAINED = re.compile(r"the C library does not check|which a native run does not choose|cannot be seen by running|may call the program in another order|does not check what the compiler computes"
                       r"|where the sanitizer does not look|which a native run cannot|which is one step here|does not see every end of a lifetime"
                       r"|takes atomic operations for more order|and no compiler knows it|which only verifiers have|turns sanitizers off")

def head(path):
    facts = {}
    with open(path, errors="replace") as file:
        for line in file:
            match = re.match(r"//\s*(expect|property|options|files):\s*(.*)", line)
            if match:
                facts[match.group(1)] = match.group(2).strip()
    return facts


def programs():
    folders = {}
    bases = [os.path.join(SOURCE, "tests/programs"), EXAMPLES]
    for folder, _, files in sorted(entry for base in bases for entry in os.walk(base)):
        for name in sorted(files):
            path = os.path.join(folder, name)
            if name.endswith(".c") and head(path).get("expect", "").startswith("false("):
                folders.setdefault(folder, []).append(path)
    everything = "--all" in sys.argv or os.environ.get("WHITTLE_LONG")
    return [p for folder, paths in folders.items() for p in (paths if everything or folder == EXAMPLES else paths[:EACH])]


def task(path):
    facts = head(path)
    folder = os.path.dirname(path)
    arguments = [path] + [os.path.join(folder, name) for name in facts.get("files", "").split()]
    if "property" in facts:
        arguments += ["--property", facts["property"]]
    options = facts.get("options", "").split()
    if "--" in options:
        return arguments + options[:options.index("--")], options[options.index("--"):]
    return arguments + options, []


def replay(path):
    """fails, explained, no violation found, or what is wrong."""
    arguments, rest = task(path) if not path.endswith(".i") else ([path, "--data-model", "ILP32", "--property", "unreach-call"], [])
    arguments = [a for a in arguments if a != "--strict"]
    with tempfile.TemporaryDirectory() as folder:
        file = os.path.join(folder, "c.cex")
        check = subprocess.run([PROGRAM, "check", *arguments, "--counterexample", file, "--timeout", "60s", "--quiet", *rest],
                               capture_output=True, text=True, errors="replace")
        if not os.path.exists(file):
            return "not found", check.stdout.strip() + " " + check.stderr.strip()[-100:]
        options = [a for a in arguments if not a.startswith("--engine")]
        native = subprocess.run([PROGRAM, "run", *options, "--native", "--counterexample", file, "--timeout", "60s", *rest],
                                capture_output=True, text=True, errors="replace", stdin=subprocess.DEVNULL)
        said = native.stderr
        if native.returncode == 10:
            return "fails", re.findall(r"native: .*", said)[-1:]
        if EXPLAINED.search(said):
            return "explained", re.findall(r"native: .*", said)[-1:]
        return "wrong", (said or native.stdout)[-400:]


def main():
    chosen = [a for a in sys.argv[2:] if a.endswith((".c", ".i"))]
    if "--svcomp" in sys.argv:
        base = sys.argv[sys.argv.index("--svcomp") + 1]
        for folder in ("pthread", "pthread-atomic"):
            names = sorted(os.listdir(os.path.join(base, folder)))
            chosen += [os.path.join(base, folder, n) for n in names if "false-unreach-call" in n and n.endswith(".i")]
    if not chosen:
        chosen = programs()
    counts = {}
    with concurrent.futures.ThreadPoolExecutor(int(os.environ.get("JOBS", "2"))) as pool:
        for path, (answer, why) in zip(chosen, pool.map(replay, chosen)):
            counts[answer] = counts.get(answer, 0) + 1
            if answer != "fails":
                print(f"{answer}: {os.path.relpath(path, SOURCE)}: {why}", flush=True)
    print(", ".join(f"{count} {answer}" for answer, count in sorted(counts.items())))
    return 1 if counts.get("wrong") or not counts.get("fails") else 0


if __name__ == "__main__":
    sys.exit(main())
