// Small programs built by hand.
#pragma once

#include <memory>

#include "exec/machine.h"
#include "exec/runner.h"
#include "program/program.h"
#include "verdict/property.h"

namespace whittle::exec::test {

using program::FunctionId;
using program::Kind;
using program::kNone;
using program::LocationId;
using program::RegisterId;
using program::Statement;
using term::Term;

/// A function written as a list of statements, with labels and branches.
class Writer {
 public:
  Writer(program::Program& program, FunctionId id) : program_(program), id_(id), builder_(program, id) {
    here_ = entry_ = builder_.location();
  }
  ~Writer() { finish(); }

  Term reg(unsigned width, std::string name = {}) { return builder_.var(builder_.reg(width, std::move(name))); }
  Term param(unsigned width, std::string name = {}) {
    ++program_.functions[id_].parameter_count;
    return reg(width, std::move(name));
  }
  RegisterId id(Term variable) const { return program_.register_of(variable).reg; }
  Term num(uint64_t value, unsigned width = 32) { return program_.terms().constant(width, value); }
  term::Store& t() { return program_.terms(); }

  LocationId label() { return builder_.location(); }
  void place(LocationId label) {
    if (here_ != kNone) go(label);
    here_ = label;
  }
  LocationId here() const { return here_; }
  void go(LocationId to) { add(Statement{}, to); }
  void add(Statement s, LocationId to = kNone) {
    s.position = {0, ++line_, 1};
    bool ends = program::ends_path(s.kind);
    LocationId next = ends ? kNone : to != kNone ? to : builder_.location();
    builder_.edge(here_, next, std::move(s));
    here_ = ends || to != kNone ? kNone : next;
  }
  void branch(Term condition, LocationId yes, LocationId no) {
    ++line_;
    Statement s;
    s.kind = Kind::Assume;
    s.position = {0, line_, 1};
    s.operands = {condition};
    builder_.edge(here_, yes, s);
    s.operands = {t().bnot(condition)};
    builder_.edge(here_, no, s);
    here_ = kNone;
  }
  void assign(Term target, Term value) { add(make(Kind::Assign, {target}, {value})); }
  void load(Term target, Term address) {
    Statement s = make(Kind::Load, {target}, {address});
    s.width = static_cast<uint16_t>(target.width());
    add(s);
  }
  void store(Term address, Term value) {
    Statement s = make(Kind::Store, {}, {address, value});
    s.width = static_cast<uint16_t>(value.width());
    add(s);
  }
  void check(Term condition, verdict::Property property = verdict::Property::UnreachCall,
             std::string text = "check failed") {
    Statement s = make(Kind::Check, {}, {condition});
    s.property = property;
    s.text = std::move(text);
    add(s);
  }
  void nondet(Term target, std::string text = "nondet") {
    Statement s = make(Kind::Nondet, {target}, {});
    s.text = std::move(text);
    s.input = true;
    add(s);
  }
  void call(FunctionId callee, std::vector<Term> targets, std::vector<Term> operands) {
    Statement s = make(Kind::Call, targets, operands);
    s.callee = callee;
    add(s);
  }
  void plain(Kind kind, std::vector<Term> targets = {}, std::vector<Term> operands = {}, std::string text = {}) {
    Statement s = make(kind, targets, operands);
    s.text = std::move(text);
    add(s);
  }
  void await(Term address, Term mask, Term low, Term high) {
    Statement s = make(Kind::Await, {}, {address, mask, low, high});
    s.width = static_cast<uint16_t>(mask.width());
    add(s);
  }
  void halt(Term status) { plain(Kind::Halt, {}, {status}, "exit"); }
  Statement make(Kind kind, std::vector<Term> targets, std::vector<Term> operands) const {
    Statement s;
    s.kind = kind;
    for (Term target : targets) s.targets.push_back(id(target));
    s.operands = std::move(operands);
    return s;
  }
  void finish() {
    if (!done_) builder_.finish(entry_);
    done_ = true;
  }

 private:
  program::Program& program_;
  FunctionId id_;
  program::FunctionBuilder builder_;
  LocationId entry_ = 0, here_ = 0;
  uint32_t line_ = 0;
  bool done_ = false;
};

inline FunctionId add_function(program::Program& program, std::string name, unsigned return_width = 0) {
  program.functions.emplace_back();
  program.functions.back().name = std::move(name);
  program.functions.back().return_width = return_width;
  if (program.files.empty()) program.files.push_back("test.c");
  return static_cast<FunctionId>(program.functions.size() - 1);
}

/// Adds a static object; call Program::place_objects before using addresses.
inline program::ObjectId add_object(program::Program& program, std::string name, std::vector<uint8_t> bytes,
                                    uint32_t align = 4, bool constant = false) {
  program::Object object;
  object.name = std::move(name);
  object.size = bytes.size();
  object.initial = std::move(bytes);
  object.align = align;
  object.constant = constant;
  program.objects.push_back(std::move(object));
  return static_cast<program::ObjectId>(program.objects.size() - 1);
}

inline verdict::Specification everything() {
  verdict::Specification s;
  for (unsigned i = 0; i < verdict::kPropertyCount; ++i) s.properties.insert(static_cast<verdict::Property>(i));
  return s;
}
inline verdict::Specification only(std::initializer_list<verdict::Property> properties) {
  verdict::Specification s;
  s.properties = properties;
  return s;
}

inline std::shared_ptr<const Code> compile(const program::Program& program,
                                           verdict::Specification s = verdict::default_specification(),
                                           Options options = {}) {
  program.validate();
  return std::make_shared<Code>(program, std::move(s), options);
}

}  // namespace whittle::exec::test
