#include "app/reference.h"

#include <fmt/format.h>

#include "base/error.h"
#include "base/nearest.h"

namespace whittle::app {

namespace {

/// "-D", "--json": what one types, the long name if there is one.
std::string typed(const CLI::Option& option) {
  if (!option.get_lnames().empty()) return "--" + option.get_lnames().front();
  if (!option.get_snames().empty()) return "-" + option.get_snames().front();
  return option.get_name();
}

bool is_flag(const CLI::Option& option) { return option.get_type_size() == 0; }
bool is_positional(const CLI::Option& option) { return option.get_lnames().empty() && option.get_snames().empty(); }

std::string default_of(const CLI::Option& option) {
  return option.get_default_str().empty() ? "" : fmt::format(" [{}]", option.get_default_str());
}

std::vector<const CLI::App*> commands(const CLI::App& root) { return root.get_subcommands({}); }

/// Options by group, in the order in which groups first appear; --help is the same everywhere and left out.
std::vector<std::pair<std::string, std::vector<const CLI::Option*>>> groups(const CLI::App& app) {
  std::vector<std::pair<std::string, std::vector<const CLI::Option*>>> out;
  for (const CLI::Option* option : app.get_options()) {
    if (is_positional(*option) || option->get_name() == "--help") continue;
    std::string name = option->get_group();
    auto found = std::find_if(out.begin(), out.end(), [&](const auto& group) { return group.first == name; });
    if (found == out.end()) found = out.insert(out.end(), {name, {}});
    found->second.push_back(option);
  }
  return out;
}

std::string synopsis(const CLI::App& command) {
  std::string name = command.get_name(), out = "whittle " + name;
  if (name == "bench") return out + " [SUITE [ARGUMENTS]]";
  for (const CLI::Option* option : command.get_options())
    if (is_positional(*option)) {
      std::string word = option->get_name() + (option->get_items_expected_max() > 1 ? "..." : "");
      out += !option->get_required() ? " [" + word + "]" : " " + word;
    }
  if (command.get_options().size() > 2) out += " [OPTIONS]";
  if (name == "check" || name == "run" || name == "show") out += " [-- CLANG-FLAGS]";
  return out;
}

std::string replaced(std::string text, const std::string& what, const std::string& by) {
  for (size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += by.size()) text.replace(at, what.size(), by);
  return text;
}

std::string markdown(const CLI::App& root) {
  auto cell = [](const std::string& text) { return replaced(text, "|", "\\|"); };
  std::string out =
      "# Command line\n\n"
      "All commands and options, as `whittle help --as markdown` prints them. [reports.md](reports.md) describes output, exit\n"
      "statuses and files; [project.md](project.md) the project file.\n\n";
  for (const CLI::App* command : commands(root)) out += fmt::format("    {}\n", synopsis(*command));
  out += "    whittle --version, whittle --help, whittle COMMAND --help\n";
  for (const CLI::App* command : commands(root)) {
    out += fmt::format("\n## {}\n\n{}.\n", command->get_name(), command->get_description());
    for (const CLI::Option* option : command->get_options())
      if (is_positional(*option))
        out += fmt::format("\n`{}`: {}.\n", option->get_name(), option->get_description());
    for (const auto& [name, options] : groups(*command)) {
      out += fmt::format("\n| {} | |\n|---|---|\n", name == "Options" ? "Option" : name);
      for (const CLI::Option* option : options)
        out += fmt::format("| `{}{}` | {}{} |\n", typed(*option),
                           value_name(*option).empty() ? "" : " " + cell(value_name(*option)),
                           cell(option->get_description()), cell(default_of(*option)));
    }
    if (std::string footer = command->get_footer(); !footer.empty()) {
      while (footer.ends_with('\n')) footer.pop_back();
      out += "\n" + replaced(footer, "\n", "  \n") + "\n";
    }
  }
  return out;
}

std::string roff(const std::string& text) {
  std::string out = replaced(replaced(text, "\\", "\\e"), "-", "\\-");
  if (out.starts_with('.') || out.starts_with('\'')) out = "\\&" + out;
  return replaced(replaced(out, "\n.", "\n\\&."), ",", ",\\:");  // long lists may be broken after a comma
}

std::string man(const CLI::App& root) {
  std::string out = fmt::format(
      ".TH WHITTLE 1 \"\" \"whittle {}\" \"User Commands\"\n.SH NAME\nwhittle \\- software model checker for C programs and AVR "
      "firmware\n.SH SYNOPSIS\n.ad l\n",
      WHITTLE_VERSION);
  bool first = true;
  for (const CLI::App* command : commands(root)) {
    out += fmt::format("{}{}\n", first ? "" : ".br\n", roff(synopsis(*command)));
    first = false;
  }
  out +=
      ".SH DESCRIPTION\n.B whittle\nlooks for inputs and schedules under which a C program, sequential or with POSIX threads, "
      "violates a property,\nor proves that there are none. AVR firmware (.elf, .hex) is checked as the chip runs it.\n"
      "The last line on stdout of\n.B check\nis the verdict:\n.BR true ,\n.BI false( PROPERTY )\nor\n.BR unknown .\n"
      ".SH COMMANDS\n";
  for (const CLI::App* command : commands(root))
    out += fmt::format(".TP\n.B {}\n{}.\n", roff(command->get_name()), roff(command->get_description()));
  out += ".SH OPTIONS\n.TP\n.B \\-\\-help\nHelp on whittle, or on a command.\n.TP\n.BR \\-v , \\-\\-version\nOne line with the version.\n";
  for (const CLI::App* command : commands(root)) {
    for (const CLI::Option* option : command->get_options())
      if (is_positional(*option))
        out += fmt::format(".SS {}: {}\n{}.\n", roff(command->get_name()), roff(option->get_name()),
                           roff(option->get_description()));
    for (const auto& [name, options] : groups(*command)) {
      out += fmt::format(".SS {}: {}\n", roff(command->get_name()), roff(name));
      for (const CLI::Option* option : options)
        out += fmt::format(".TP\n\\fB{}\\fR{}\n{}{}.\n", roff(typed(*option)),
                           value_name(*option).empty() ? "" : " \\fI" + roff(value_name(*option)) + "\\fR",
                           roff(option->get_description()), roff(default_of(*option)));
    }
  }
  out +=
      ".SH EXIT STATUS\n0 true, 10 false, 5 unknown, 64 wrong usage, 65 bad input, 70 internal error, 74 stdout could not be\n"
      "written.\n.B run\nends with the program's own status when the program ends normally.\n"
      ".SH FILES\n.TP\n.I whittle.yml\nThe project file: what\n.B whittle check\nruns without arguments.\n"
      ".SH EXAMPLES\n.EX\nwhittle check bank.c\n"
      "whittle check task.i \\-\\-data\\-model ILP32 \\-\\-property unreach\\-call.prp \\-\\-timeout 60s\n"
      "whittle check crossing.elf \\-\\-mcu atmega16 \\-\\-ctl 'AG(request \\-> AF green)'\n"
      "whittle run bank.c \\-\\-schedule 0:7,1:4 \\-\\-trace\n"
      "whittle show bank.c \\-\\-as dot | dot \\-Tsvg > bank.svg\n.EE\n";
  return out;
}

// ---- completions

/// What may follow an option: words, "files", "folders", or nothing known.
std::string kind_of_value(const CLI::Option& option) {
  std::string type = value_name(option);
  if (type.find("FILE") != std::string::npos) return "files";
  if (type == "DIR") return "folders";
  if (type.find('|') != std::string::npos) return replaced(type, "|", " ");
  return "";
}

std::string bash_completion(const CLI::App& root) {
  std::string out =
      "# Completions of whittle for bash: whittle completion bash.\n"
      "_whittle() {\n"
      "  local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]} command=${COMP_WORDS[1]:-} words=\n"
      "  COMPREPLY=()\n"
      "  if [[ $COMP_CWORD -eq 1 ]]; then\n"
      "    COMPREPLY=($(compgen -W '";
  std::string names;
  for (const CLI::App* command : commands(root)) names += command->get_name() + " ";
  out += names + "--help --version' -- \"$current\"))\n    return\n  fi\n  case $command:$previous in\n";
  for (const CLI::App* command : commands(root))
    for (const CLI::Option* option : command->get_options()) {
      if (is_flag(*option)) continue;
      std::string kind = kind_of_value(*option);
      if (is_positional(*option)) {
        if (!kind.empty() && kind != "files")
          out += fmt::format("    {0}:{0}) words='{1}' ;;\n", command->get_name(), kind);
        continue;
      }
      std::string action = kind == "files"     ? "COMPREPLY=($(compgen -f -- \"$current\")); return"
                           : kind == "folders" ? "COMPREPLY=($(compgen -d -- \"$current\")); return"
                           : kind.empty()      ? "return"
                                               : "COMPREPLY=($(compgen -W '" + kind + "' -- \"$current\")); return";
      out += fmt::format("    {}:{}) {} ;;\n", command->get_name(), typed(*option), action);
    }
  out += "  esac\n  case $command in\n";
  for (const CLI::App* command : commands(root)) {
    std::string options;
    for (const CLI::Option* option : command->get_options())
      if (!is_positional(*option)) options += typed(*option) + " ";
    out += fmt::format("    {}) words+=' {}' ;;\n", command->get_name(), options);
  }
  out +=
      "  esac\n"
      "  if [[ $current == -* || -n ${words%% *} ]]; then COMPREPLY=($(compgen -W \"$words\" -- \"$current\")); fi\n"
      "  [[ $current == -* ]] || COMPREPLY+=($(compgen -f -- \"$current\"))\n"
      "}\n"
      "complete -o filenames -F _whittle whittle\n";
  return out;
}

/// In single quotes, for a shell.
std::string in_quotes(const std::string& text) { return "'" + replaced(text, "'", "'\\''") + "'"; }

std::string zsh_completion(const CLI::App& root) {
  auto plain = [](std::string text) { return replaced(replaced(replaced(text, "[", "("), "]", ")"), ":", " -"); };
  std::string out =
      "#compdef whittle\n# Completions of whittle for zsh: whittle completion zsh.\n"
      "_whittle() {\n  local -a commands=(\n";
  for (const CLI::App* command : commands(root))
    out += fmt::format("    {}\n", in_quotes(command->get_name() + ":" + plain(command->get_description())));
  out +=
      "  )\n  if (( CURRENT == 2 )); then\n    _describe command commands\n    return\n  fi\n"
      "  local command=$words[2]\n  shift words\n  (( CURRENT-- ))\n  case $command in\n";
  for (const CLI::App* command : commands(root)) {
    out += fmt::format("    {})\n      _arguments", command->get_name());
    for (const CLI::Option* option : command->get_options()) {
      if (is_positional(*option)) continue;
      std::string kind = kind_of_value(*option), line = typed(*option) + "[" + plain(option->get_description()) + "]";
      if (option->get_multi_option_policy() == CLI::MultiOptionPolicy::TakeAll) line = "*" + line;
      if (!is_flag(*option))
        line += kind == "files" ? ":file:_files" : kind == "folders" ? ":folder:_files -/" : kind.empty() ? ":value:" : ":value:(" + kind + ")";
      out += fmt::format(" \\\n        {}", in_quotes(line));
    }
    std::string words = command->get_name() == "completion" ? "(bash zsh fish)" : "_files";
    out += fmt::format(" \\\n        {} ;;\n", in_quotes("*::argument:" + words));
  }
  return out + "  esac\n}\n_whittle \"$@\"\n";
}

std::string fish_completion(const CLI::App& root) {
  std::string out = "# Completions of whittle for fish: whittle completion fish.\n";
  for (const CLI::App* command : commands(root))
    out += fmt::format("complete -c whittle -n __fish_use_subcommand -f -a {} -d {}\n", command->get_name(),
                       in_quotes(command->get_description()));
  for (const CLI::App* command : commands(root))
    for (const CLI::Option* option : command->get_options()) {
      std::string kind = kind_of_value(*option), when = "-n '__fish_seen_subcommand_from " + command->get_name() + "'";
      if (is_positional(*option)) {
        if (!kind.empty() && kind != "files") out += fmt::format("complete -c whittle {} -f -a {}\n", when, in_quotes(kind));
        continue;
      }
      std::string name = typed(*option), line = "complete -c whittle " + when;
      line += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
      if (!is_flag(*option)) line += kind == "files" ? " -r -F" : kind == "folders" ? " -x -a '(__fish_complete_directories)'" : kind.empty() ? " -x" : " -x -a " + in_quotes(kind);
      out += line + " -d " + in_quotes(option->get_description()) + "\n";
    }
  return out;
}

}  // namespace

std::string value_name(const CLI::Option& option) {
  return is_flag(option) ? "" : option.get_type_name();
}

std::string help(const CLI::App& root, const std::string& command, const std::string& form) {
  if (form == "man") return man(root);
  if (form == "markdown") return markdown(root);
  if (command.empty()) return root.help();
  std::vector<std::string> names;
  for (const CLI::App* one : commands(root)) {
    if (one->get_name() == command) return one->help("whittle");
    names.push_back(one->get_name());
  }
  fail_usage("unknown command {}{}", command, suggestion(command, names));
}

std::string completion(const CLI::App& root, const std::string& shell) {
  return shell == "bash" ? bash_completion(root) : shell == "zsh" ? zsh_completion(root) : fish_completion(root);
}

}  // namespace whittle::app
