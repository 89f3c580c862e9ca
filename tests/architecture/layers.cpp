#include "layers.h"

#include <sstream>

namespace whittle::architecture {
namespace {

std::string trimmed(const std::string& text) {
  size_t first = text.find_first_not_of(" \t\r");
  return first == std::string::npos ? "" : text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

bool is_test(const std::string& file) {
  return file.ends_with("_test.cpp") || file.find("_test_support.") != std::string::npos;
}

/// "engines/test" -> "engines/": siblings there never include each other.
std::string family(const std::string& folder) { return folder.starts_with("engines/") ? "engines/" : ""; }

}  // namespace

std::vector<Layer> parse_layers(const std::string& text) {
  std::vector<Layer> layers;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (trimmed(line).empty() || line[0] == '#') continue;
    std::istringstream fields(line);
    Layer layer;
    for (std::string* field : {&layer.folder, &layer.holds, &layer.never_knows}) {
      std::getline(fields, *field, '|');
      *field = trimmed(*field);
    }
    layers.push_back(layer);
  }
  return layers;
}

std::optional<size_t> layer_of(const std::vector<Layer>& layers, const std::string& path) {
  std::optional<size_t> best;
  for (size_t i = 0; i < layers.size(); ++i)
    if (path.starts_with(layers[i].folder + "/") && (!best || layers[i].folder.size() > layers[*best].folder.size()))
      best = i;
  return best;
}

std::vector<Include> includes(const std::string& source) {
  std::vector<Include> found;
  std::istringstream lines(source);
  unsigned number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    std::string text = trimmed(line);
    if (!text.starts_with("#")) continue;
    text = trimmed(text.substr(1));
    if (!text.starts_with("include")) continue;
    size_t open = text.find('"'), close = text.find('"', open + 1);
    if (open != std::string::npos && close != std::string::npos)
      found.push_back({number, text.substr(open + 1, close - open - 1)});
  }
  return found;
}

std::string objection(const std::vector<Layer>& layers, const std::string& file, const std::string& included) {
  auto from = layer_of(layers, file), to = layer_of(layers, included);
  if (!from) return "is in no folder of src/layers.txt";
  if (!to) return "includes \"" + included + "\", which is in no folder of src/layers.txt (write includes from src/)";
  if (is_test(file) || *from == *to) return "";
  const std::string &a = layers[*from].folder, &b = layers[*to].folder;
  if (*to > *from) return "includes \"" + included + "\": " + b + " stands below " + a + " in src/layers.txt";
  if (!family(a).empty() && family(a) == family(b))
    return "includes \"" + included + "\": engines never include each other";
  return "";
}

std::string markdown(const std::vector<Layer>& layers) {
  std::string text = "| folder | holds | never knows |\n|---|---|---|\n";
  for (const Layer& layer : layers)
    text += "| `" + layer.folder + "` | " + layer.holds + " | " + layer.never_knows + " |\n";
  return text;
}

}  // namespace whittle::architecture
