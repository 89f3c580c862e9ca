// The control flow of functions, block by block: as text and as a drawing.
#include <fmt/format.h>

#include "program/blocks.h"
#include "program/print.h"

namespace whittle::program {
namespace {

std::string title(const Function& f) {
  std::string text = f.name + "(";
  for (uint32_t i = 0; i < f.parameter_count; ++i) {
    const std::string& name = f.registers[i].name;
    text += (i == 0 ? "" : ", ") + (name.empty() ? fmt::format("r{}", i) : name);
  }
  return text + ")";
}

class CfgPrinter {
 public:
  CfgPrinter(const Program& program, FunctionId id)
      : program_(program), function_(program.functions[id]), brief_(program, id) {}

  std::string print() {
    out_ = title(function_);
    if (function_.position.known()) out_ += " at " + program_.where(function_.position);
    out_ += '\n';
    file_ = function_.position.file;
    for (const Block& block : blocks(function_)) print(block);
    return std::move(out_);
  }

 private:
  void print(const Block& block) {
    out_ += fmt::format("  {}:{}\n", block.start, function_.locations[block.start].loop_head ? " loop" : "");
    line_ = 0;
    for (uint32_t edge : block.edges) {
      const Statement& s = function_.edges[edge].statement;
      if (s.kind != Kind::Skip)
        line(s.position, (s.kind == Kind::Assume ? "assume " : "") + brief_.statement(s), false);
    }
    if (block.joins) line({}, fmt::format("goto {}", block.end), false);
    if (block.joins || block.end == kNone) return;
    const Location& location = function_.locations[block.end];
    for (uint32_t i = 0; i < location.edge_count; ++i) {
      const Edge& edge = function_.edges[location.first_edge + i];
      line(edge.statement.position, fmt::format("if {} goto {}", brief_.statement(edge.statement), edge.to), true);
    }
  }

  /// The number of the source line once for all that happens there; the file where it changes.
  void line(const SourcePosition& p, const std::string& text, bool always) {
    bool news = p.known() && (p.line != line_ || p.file != file_ || always);
    if (p.known() && p.file != file_) out_ += fmt::format("          in {}\n", program_.where({p.file, p.line, 1}));
    out_ += news ? fmt::format("  {:>6}  {}\n", p.line, text) : fmt::format("          {}\n", text);
    if (p.known()) line_ = p.line, file_ = p.file;
  }

  const Program& program_;
  const Function& function_;
  BriefPrinter brief_;
  std::string out_;
  uint32_t line_ = 0;
  uint32_t file_ = kNone;
};

std::string escaped(const std::string& text) {
  std::string out;
  for (char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c == '\n' ? ' ' : c;
  }
  return out;
}

class DotPrinter {
 public:
  DotPrinter(const Program& program, FunctionId id)
      : program_(program), id_(id), function_(program.functions[id]), brief_(program, id) {}

  std::string print() {
    out_ = fmt::format("  subgraph cluster_{} {{\n    label=\"{}\"; style=rounded; color=gray;\n", id_,
                       escaped(title(function_)));
    for (const Block& block : blocks(function_)) print(block);
    return out_ + "  }\n";
  }

 private:
  void print(const Block& block) {
    std::string label = fmt::format("{}\\l", block.start);
    bool error = false;
    uint32_t line = 0;
    for (uint32_t edge : block.edges) {
      const Statement& s = function_.edges[edge].statement;
      if (s.kind == Kind::Skip) continue;
      error |= s.kind == Kind::Error;
      std::string number = s.position.known() && s.position.line != line ? std::to_string(s.position.line) : "";
      if (s.position.known()) line = s.position.line;
      label += fmt::format("{:>5}  {}\\l", number, escaped(brief_.statement(s)));
    }
    out_ += fmt::format("    f{}_{} [label=\"{}\"{}{}];\n", id_, block.start, label,
                        function_.locations[block.start].loop_head ? ", peripheries=2" : "",
                        error ? ", color=red, fontcolor=red" : "");
    if (block.joins) out_ += fmt::format("    f{}_{} -> f{}_{};\n", id_, block.start, id_, block.end);
    if (block.joins || block.end == kNone) return;
    const Location& location = function_.locations[block.end];
    for (uint32_t i = 0; i < location.edge_count; ++i) {
      const Edge& edge = function_.edges[location.first_edge + i];
      out_ += fmt::format("    f{}_{} -> f{}_{} [label=\"{}\"];\n", id_, block.start, id_, edge.to,
                          escaped(brief_.statement(edge.statement)));
    }
  }

  const Program& program_;
  FunctionId id_;
  const Function& function_;
  BriefPrinter brief_;
  std::string out_;
};

}  // namespace

std::string to_cfg(const Program& program, const PrintOptions& options) {
  std::string out;
  for (FunctionId f = 0; f < program.functions.size(); ++f) {
    if (program.functions[f].runtime && !options.runtime) continue;
    if (!out.empty()) out += '\n';
    out += CfgPrinter(program, f).print();
  }
  return out;
}

std::string to_dot(const Program& program, const PrintOptions& options) {
  std::string out =
      "digraph program {\n  node [shape=box, fontname=monospace, fontsize=10];\n"
      "  edge [fontname=monospace, fontsize=9];\n";
  for (FunctionId f = 0; f < program.functions.size(); ++f)
    if (!program.functions[f].runtime || options.runtime) out += DotPrinter(program, f).print();
  return out + "}\n";
}

}  // namespace whittle::program
