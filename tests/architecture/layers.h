// src/layers.txt, read; and what a file may include according to it.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace whittle::architecture {

struct Layer {
  std::string folder, holds, never_knows;
};

/// The lines of layers.txt, from the ground up. Lines that start with `#` are comments.
std::vector<Layer> parse_layers(const std::string& text);

/// The layer that a path below src/ belongs to: the longest folder that it starts with. None: the path is in no layer.
std::optional<size_t> layer_of(const std::vector<Layer>& layers, const std::string& path);

/// Paths in `#include "..."`, with their lines.
struct Include {
  unsigned line = 0;
  std::string path;
};
std::vector<Include> includes(const std::string& source);

/// Why the file (a path below src/) may not include that; empty if it may. Tests (*_test.cpp and what they share) stand
/// above everything: they may include any layer, but only what there is.
std::string objection(const std::vector<Layer>& layers, const std::string& file, const std::string& included);

/// The table of docs/architecture.md.
std::string markdown(const std::vector<Layer>& layers);

}  // namespace whittle::architecture
