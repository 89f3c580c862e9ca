#include "app/complaints.h"

#include <fmt/format.h>

#include "app/reference.h"
#include "base/error.h"
#include "base/nearest.h"

namespace whittle::app {

namespace {

std::vector<std::string> option_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
    for (const std::string& name : option->get_snames()) names.push_back("-" + name);
  }
  return names;
}

const CLI::App& command_of(const CLI::App& root) {
  return root.get_subcommands().empty() ? root : *root.get_subcommands().front();
}

[[noreturn]] void complain_unknown(const CLI::App& root, const std::vector<std::string>& rest) {
  const CLI::App& app = command_of(root);
  std::string first = rest.empty() ? "" : rest.front();
  std::string name = first.substr(0, first.find('='));
  if (name.starts_with("-")) fail_usage("unknown option {}{}", name, suggestion(name, option_names(app)));
  std::vector<std::string> commands;
  for (const CLI::App* sub : root.get_subcommands({})) commands.push_back(sub->get_name());
  if (&app == &root && !commands.empty()) fail_usage("unknown command {}{}", name, suggestion(name, commands));
  fail_usage("unexpected argument {}", first);
}

/// The option that a message of the library begins with or mentions, and its values so far.
const CLI::Option* option_in(const CLI::App& app, const std::string& message) {
  const CLI::Option* best = nullptr;
  size_t longest = 0;
  for (const CLI::Option* option : app.get_options()) {
    std::string name = option->get_name();
    size_t at = message.find(name);
    if (at == std::string::npos || name.size() <= longest) continue;
    char after = at + name.size() < message.size() ? message[at + name.size()] : ' ';
    if (after != ' ' && after != ':' && after != '=') continue;
    best = option, longest = name.size();
  }
  return best;
}

/// "z3, cvc5" of a type name "z3|cvc5"; empty if the type is no list.
std::string choices(const CLI::Option& option) {
  std::string type = value_name(option), out;
  if (type.find('|') == std::string::npos) return "";
  for (char c : type) out += c == '|' ? std::string(", ") : std::string(1, c);
  return out;
}

std::string value_of(const CLI::Option& option) { return option.results().empty() ? "" : option.results().front(); }

}  // namespace

void complain(const CLI::App& root, const CLI::ParseError& error) {
  const CLI::App& app = command_of(root);
  const std::string help = &app == &root ? root.get_name() : "whittle " + app.get_name();
  if (dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr)
    complain_unknown(root, app.remaining(true).empty() ? root.remaining(true) : app.remaining(true));
  if (dynamic_cast<const CLI::RequiredError*>(&error) != nullptr) {
    // `whittle --chek`, `whittle chek a.c`: what is wrong is the unknown word, not the missing command.
    std::vector<std::string> rest = root.remaining(true);
    bool has_commands = !root.get_subcommands({}).empty();
    if (!rest.empty() && has_commands && (&app == &root || rest.front().starts_with("-"))) complain_unknown(root, rest);
    if (&app == &root && has_commands)
      fail_usage("no command given: check, run, show, check-proof, bench or completion (whittle --help tells more)");
    for (const CLI::Option* option : app.get_options())
      if (option->get_required() && option->count() == 0 && option->get_name() != "FILE")
        fail_usage("{} is missing ({} --help tells more)", option->get_name(), help);
    fail_usage("no file given ({} --help tells more)", help);
  }
  const std::string message = error.what();
  const CLI::Option* option = option_in(app, message);
  if (option == nullptr) fail_usage("{} ({} --help tells more)", message, help);
  const std::string name = option->get_name(), value = value_of(*option);
  if (dynamic_cast<const CLI::ArgumentMismatch*>(&error) != nullptr) {
    if (option->count() > 1) fail_usage("{} is given more than once", name);
    if (option->get_type_size() == 0) fail_usage("{} takes no value", name);
    fail_usage("{} needs a value: {}", name, value_name(*option));
  }
  if (std::string list = choices(*option); !list.empty()) fail_usage("{}: `{}` is none of {}", name, value, list);
  if (dynamic_cast<const CLI::ConversionError*>(&error) != nullptr) fail_usage("{}: `{}` is no number", name, value);
  if (message.find("range") != std::string::npos) fail_usage("{}: {} is too small or too large", name, value);
  fail_usage("{}: `{}` does not fit ({} --help tells more)", name, value, help);
}

}  // namespace whittle::app
