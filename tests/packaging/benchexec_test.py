"""The tool-info module, called as BenchExec calls it. BenchExec itself is used where it is installed; otherwise a stand-in
with the same interface."""

import collections
import os
import subprocess
import sys
import tempfile
import types
import unittest

PROGRAM, SOURCE = sys.argv[1], sys.argv[2]


def stand_in():
    """benchexec.result and benchexec.tools.template, as far as a module needs them."""
    benchexec, tools = types.ModuleType("benchexec"), types.ModuleType("benchexec.tools")
    result, template = types.ModuleType("benchexec.result"), types.ModuleType("benchexec.tools.template")
    result.RESULT_TRUE_PROP, result.RESULT_UNKNOWN, result.RESULT_ERROR = "true", "unknown", "ERROR"

    class BaseTool2:
        def _version_from_tool(self, executable, arg="--version", line_prefix=None):
            out = subprocess.run([executable, arg], capture_output=True, text=True, check=True)
            assert not out.stderr, "a version goes to stdout alone"
            line = out.stdout.strip()
            assert line.startswith(line_prefix)
            return line[len(line_prefix):].strip()

        def _program_files_from_executable(self, executable, required_paths, parent_dir=False):
            base = os.path.dirname(executable)
            base = os.path.join(base, os.path.pardir) if parent_dir else base
            return [executable] + [os.path.normpath(os.path.join(base, path)) for path in required_paths]

    template.BaseTool2 = BaseTool2
    for name, module in [("benchexec", benchexec), ("benchexec.tools", tools), ("benchexec.result", result),
                         ("benchexec.tools.template", template)]:
        sys.modules[name] = module
    benchexec.result, benchexec.tools, tools.template = result, tools, template


try:
    import benchexec.tools.template  # noqa: F401
except ImportError:
    stand_in()
sys.path.insert(0, os.path.join(SOURCE, "packaging", "benchexec"))
import whittle  # noqa: E402

Task = collections.namedtuple("Task", "input_files property_file options")
Limits = collections.namedtuple("Limits", "cputime walltime memory cpu_cores")
ExitCode = collections.namedtuple("ExitCode", "value signal")
Run = collections.namedtuple("Run", "cmdline exit_code output")
NONE = Limits(None, None, None, None)


class Locator:
    def find_executable(self, name, subdir=""):
        assert (name, subdir) == ("whittle", "bin")
        return PROGRAM


class ToolInfo(unittest.TestCase):
    def setUp(self):
        self.tool = whittle.Tool()
        self.executable = self.tool.executable(Locator())
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def write(self, name, text):
        path = os.path.join(self.folder.name, name)
        with open(path, "w") as file:
            file.write(text)
        return path

    def run_task(self, source, options=(), limits=NONE, prp="CHECK( init(main()), LTL(G ! call(reach_error())) )\n",
                 task_options=None):
        task = Task([self.write("task.c", source)], self.write("unreach-call.prp", prp), task_options)
        command = self.tool.cmdline(self.executable, list(options), task, limits)
        out = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        run = Run(command, ExitCode(out.returncode if out.returncode >= 0 else None, None),
                  out.stdout.splitlines(keepends=True))
        return command, self.tool.determine_result(run), run

    def test_name_and_version(self):
        self.assertEqual(self.tool.name(), "whittle")
        self.assertRegex(self.tool.version(self.executable), r"^\d+\.\d+\.\d+$")

    def test_program_files_have_the_models(self):
        prefix = self.folder.name
        os.makedirs(os.path.join(prefix, "bin"))
        os.makedirs(os.path.join(prefix, "share", "whittle"))
        with open(os.path.join(prefix, "share", "whittle", "models.bc"), "w"):
            pass
        files = [os.path.normpath(file) for file in self.tool.program_files(os.path.join(prefix, "bin", "whittle"))]
        self.assertTrue(any(file.startswith(os.path.join(prefix, "share", "whittle")) for file in files), files)

    def test_true_and_false(self):
        body = "void reach_error(void); int main(void) {{ int x = 3; if (x == {}) reach_error(); return 0; }}\n"
        self.assertEqual(self.run_task(body.format(4))[1], "true")
        self.assertEqual(self.run_task(body.format(3))[1], "false(unreach-call)")

    def test_data_model_of_the_task(self):
        body = "void reach_error(void); int main(void) { if (sizeof(long) == 4) reach_error(); return 0; }\n"
        self.assertEqual(self.run_task(body, task_options={"data_model": "ILP32"})[1], "false(unreach-call)")
        self.assertEqual(self.run_task(body, task_options={"data_model": "LP64"})[1], "true")

    def test_limits_are_passed_on(self):
        command, _, _ = self.run_task("int main(void) { return 0; }\n", limits=Limits(900, None, 8000000000, 4))
        self.assertEqual(command[command.index("--timeout") + 1], "220s")
        self.assertEqual(command[command.index("--memory") + 1], "7600000000")
        self.assertEqual(command[command.index("--cores") + 1], "4")
        command, _, _ = self.run_task("int main(void) { return 0; }\n", ["--timeout", "5s"], Limits(900, None, None, None))
        self.assertEqual(command.count("--timeout"), 1)

    def test_timeout_and_errors_have_names(self):
        endless = ("unsigned __VERIFIER_nondet_uint(void); void reach_error(void);\n"
                   "int main(void) { while (1) { unsigned long a = __VERIFIER_nondet_uint(), b = __VERIFIER_nondet_uint();\n"
                   "if (a > 1 && b > 1 && a * b == 12712663544325050021u) reach_error(); } }\n")
        self.assertEqual(self.run_task(endless, limits=Limits(2, None, None, 1))[1], "TIMEOUT (whittle)")
        self.assertEqual(self.run_task("int main(void) { return }\n")[1], "ERROR (input)")
        self.assertEqual(self.run_task("int main(void) { return 0; }\n", ["--no-such-option"])[1], "ERROR (usage)")

    def test_statistics(self):
        _, _, run = self.run_task("int main(void) { return 0; }\n", ["--engine", "explicit"])
        self.assertRegex(self.tool.get_value_from_output(run.output, "states stored") or "", r"^\d+$")
        self.assertIsNone(self.tool.get_value_from_output(run.output, "no such statistic"))

    def test_killed_is_an_error(self):
        run = Run([], ExitCode(None, 9), ["something\n"])
        self.assertEqual(self.tool.determine_result(run), "ERROR")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
