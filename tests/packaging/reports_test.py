"""Reports against the JSON schema, violations against the problem matcher, annotations against what GitHub reads, and the
examples of CI against what they promise."""

import json
import os
import re
import subprocess
import sys
import tempfile
import unittest

PROGRAM, SOURCE = sys.argv[1], sys.argv[2]
TYPES = {"object": dict, "array": list, "string": str, "integer": int, "number": (int, float), "null": type(None)}


def complaints(value, schema, where="report"):
    """What of JSON Schema the schema uses; a keyword that is not known here is a mistake."""
    known = {"$schema", "title", "description", "type", "required", "properties", "additionalProperties", "items", "pattern",
             "enum"}
    assert set(schema) <= known, set(schema) - known
    kinds = schema.get("type", [])
    kinds = [kinds] if isinstance(kinds, str) else kinds
    if not any(isinstance(value, TYPES[kind]) and not isinstance(value, bool) for kind in kinds):
        return ["%s is no %s" % (where, kinds)]
    found = []
    if "pattern" in schema and not re.search(schema["pattern"], value):
        found.append("%s: %r does not match" % (where, value))
    if "enum" in schema and value not in schema["enum"]:
        found.append("%s: %r is none of %s" % (where, value, schema["enum"]))
    if isinstance(value, dict):
        found += ["%s has no %s" % (where, key) for key in schema.get("required", []) if key not in value]
        for key, inner in value.items():
            if key in schema.get("properties", {}):
                found += complaints(inner, schema["properties"][key], where + "." + key)
            elif schema.get("additionalProperties") is False:
                found.append("%s.%s is not in the schema" % (where, key))
    if isinstance(value, list) and "items" in schema:
        for i, inner in enumerate(value):
            found += complaints(inner, schema["items"], "%s[%d]" % (where, i))
    return found


def whittle(*arguments, folder):
    return subprocess.run([PROGRAM] + list(arguments), cwd=folder, capture_output=True, text=True)


class Reports(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def write(self, name, text):
        with open(os.path.join(self.folder.name, name), "w") as file:
            file.write(text)

    def read(self, path):
        with open(path) as file:
            return file.read()

    def test_reports_fit_the_schema(self):
        schema = json.loads(self.read(os.path.join(SOURCE, "docs/report.schema.json")))
        self.write("bad.c", "#include <assert.h>\nint __VERIFIER_nondet_int(void);\n"
                            "int main(void) { int x = __VERIFIER_nondet_int(); assert(x != 77); }\n")
        self.write("good.c", "int main(void) { return 0; }\n")
        for arguments in (["check", "bad.c"], ["check", "good.c"], ["check", "good.c", "--timeout", "0.001s"],
                          ["run", "bad.c", "--inputs", "77"], ["run", "good.c"]):
            whittle(*arguments, "--json", "report.json", folder=self.folder.name)
            report = json.loads(self.read(os.path.join(self.folder.name, "report.json")))
            self.assertEqual(complaints(report, schema), [], arguments)
        self.assertNotEqual(complaints({"verdict": "maybe"}, schema), [])

    def match(self, text):
        matchers = json.loads(self.read(os.path.join(SOURCE, "packaging/editors/problem-matcher.json")))["problemMatcher"]
        found, lines = [], text.splitlines()
        for matcher in matchers:
            patterns = matcher["pattern"]
            for i in range(len(lines)):
                matches = [re.search(p["regexp"], lines[i + k]) if i + k < len(lines) else None for k, p in enumerate(patterns)]
                if all(matches):
                    found.append({key: m.group(number) for m, p in zip(matches, patterns)
                                  for key, number in p.items() if key != "regexp"})
        return found

    def test_problem_matcher(self):
        self.write("bad.c", "#include <assert.h>\nint main(void) {\n  int x = 1;\n  assert(x == 2);\n}\n")
        out = whittle("check", "bad.c", folder=self.folder.name).stdout
        self.assertIn({"message": "assertion `x == 2` failed", "file": "bad.c", "line": "4"}, self.match(out))
        self.write("broken.c", "int main(void) {\n  return }\n")
        err = whittle("check", "broken.c", folder=self.folder.name).stderr
        self.assertEqual([(m["file"], m["line"]) for m in self.match(err)], [("broken.c", "2")])

    def test_annotations_are_one_line_each(self):
        self.write("bad.c", "#include <assert.h>\nint main(void) {\n  int x = 1;\n  assert(x % 2 == 0);\n}\n")
        out = whittle("check", "bad.c", "--format", "github", folder=self.folder.name).stdout
        lines = [line for line in out.splitlines() if line.startswith("::")]
        self.assertEqual(len(lines), 1)
        kind, properties, message = re.fullmatch(r"::(\w+) ([^:]*)::(.*)", lines[0]).groups()
        self.assertEqual(kind, "error")
        self.assertIn("file=bad.c,line=4", properties)
        self.assertIn("x %25 2 == 0", message)
        self.assertEqual(out.splitlines()[-1], "false(unreach-call)")

    def run_ci(self, script):
        """What a pipeline runs, in a project with one violation."""
        self.write("a.c", "#include <assert.h>\nint main(void) { assert(0); }\n")
        self.write("whittle.yml", "checks:\n  a:\n    files: a.c\n")
        bin_folder = os.path.join(self.folder.name, "bin")
        os.mkdir(bin_folder)
        os.symlink(PROGRAM, os.path.join(bin_folder, "whittle"))
        return subprocess.run(["bash", "-ec", script], cwd=self.folder.name, capture_output=True, text=True,
                              env={**os.environ, "PATH": bin_folder + ":" + os.environ["PATH"]})

    def sarif_results(self):
        document = json.loads(self.read(os.path.join(self.folder.name, "whittle.sarif")))
        return [result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
                for run in document["runs"] for result in run["results"]]

    def test_github_example(self):
        text = self.read(os.path.join(SOURCE, "packaging/ci/github-actions.yml"))
        out = self.run_ci(re.search(r"- name: Check\n\s+run: (.*)", text).group(1))
        self.assertEqual(out.returncode, 10, out.stderr)
        self.assertIn("::error file=a.c,line=2", out.stdout)
        self.assertEqual(self.sarif_results(), ["a.c"])
        self.assertIn("sarif_file: whittle.sarif", text)

    def test_gitlab_example(self):
        text = self.read(os.path.join(SOURCE, "packaging/ci/gitlab-ci.yml"))
        out = self.run_ci(re.search(r"  script:\n    - (.*)", text).group(1))
        self.assertEqual(out.returncode, 10, out.stderr)
        self.assertEqual(self.sarif_results(), ["a.c"])
        self.assertTrue(os.path.exists(os.path.join(self.folder.name, "whittle.json")))

    def test_pre_commit_hook(self):
        text = self.read(os.path.join(SOURCE, ".pre-commit-hooks.yaml"))
        out = self.run_ci(re.search(r"  entry: (.*)", text).group(1))
        self.assertEqual(out.returncode, 10, out.stderr)
        files = re.compile(re.search(r"  files: (.*)", text).group(1))
        self.assertTrue(files.search("src/a.c") and files.search("whittle.yml") and not files.search("README.md"))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
