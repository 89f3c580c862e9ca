#include "program/rmw.h"

#include "base/error.h"

namespace whittle::program {

term::Term combine(term::Store& store, Rmw rmw, term::Term old, term::Term operand) {
  switch (rmw) {
    case Rmw::Exchange: return operand;
    case Rmw::Add: return store.add(old, operand);
    case Rmw::Sub: return store.sub(old, operand);
    case Rmw::And: return store.band(old, operand);
    case Rmw::Nand: return store.bnot(store.band(old, operand));
    case Rmw::Or: return store.bor(old, operand);
    case Rmw::Xor: return store.bxor(old, operand);
    case Rmw::Max: return store.ite(store.sgt(old, operand), old, operand);
    case Rmw::Min: return store.ite(store.slt(old, operand), old, operand);
    case Rmw::UMax: return store.ite(store.ugt(old, operand), old, operand);
    case Rmw::UMin: return store.ite(store.ult(old, operand), old, operand);
  }
  fail_internal("an unknown read-modify-write operation");
}

}  // namespace whittle::program
