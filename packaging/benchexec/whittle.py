# Tool-info module of whittle for BenchExec: put this folder on PYTHONPATH and write tool="whittle" into the benchmark
# definition. Options of the definition are options of `whittle check`.

import benchexec.result as result
import benchexec.tools.template


class Tool(benchexec.tools.template.BaseTool2):
    """whittle, a software model checker for C programs."""

    def name(self):
        return "whittle"

    def executable(self, tool_locator):
        return tool_locator.find_executable("whittle", subdir="bin")

    def program_files(self, executable):
        return self._program_files_from_executable(executable, ["share/whittle"], parent_dir=True)

    def version(self, executable):
        return self._version_from_tool(executable, line_prefix="whittle")

    def cmdline(self, executable, options, task, rlimits):
        command = [executable, "check"] + list(task.input_files)
        if task.property_file:
            command += ["--property", task.property_file]
        data_model = (task.options or {}).get("data_model")
        if data_model and "--data-model" not in options:
            command += ["--data-model", data_model]
        # whittle ends by itself a little before it would be killed, with `unknown` and a reason.
        if rlimits.cputime and "--timeout" not in options:
            cores = rlimits.cpu_cores or 1
            seconds = rlimits.cputime / cores
            if rlimits.walltime:
                seconds = min(seconds, rlimits.walltime)
            command += ["--timeout", "%ds" % max(1, int(seconds * 0.98))]
        if rlimits.memory and "--memory" not in options:
            command += ["--memory", str(int(rlimits.memory * 0.95))]
        if rlimits.cpu_cores and "--cores" not in options:
            command += ["--cores", str(rlimits.cpu_cores)]
        if "--statistics" not in options:
            command.append("--statistics")
        return command + list(options)

    def determine_result(self, run):
        lines = [line.strip() for line in run.output if line.strip()]
        verdict = lines[-1] if lines else ""
        code = run.exit_code.value
        if code == 0 and verdict == "true":
            return result.RESULT_TRUE_PROP
        if code == 10 and verdict.startswith("false(") and verdict.endswith(")"):
            return verdict
        if code == 5 and verdict == "unknown":
            for line in lines:
                if "time limit reached" in line:
                    return "TIMEOUT (whittle)"
                if "memory limit reached" in line:
                    return "OUT OF MEMORY (whittle)"
            return result.RESULT_UNKNOWN
        names = {64: "usage", 65: "input", 70: "internal", 74: "output"}
        return result.RESULT_ERROR + (" (%s)" % names[code] if code in names else "")

    def get_value_from_output(self, output, identifier):
        # A statistic of the report's last line but one: `states stored 106, revisits 106`.
        for line in reversed(list(output)):
            for part in line.strip().split(", "):
                name, _, value = part.rpartition(" ")
                if name == identifier:
                    return value
        return None
