#include "frontend/dialect.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

namespace whittle::frontend {
namespace {

constexpr std::array<std::string_view, 6> kPrefixes = {"__VERIFIER_", "__CPROVER_", "__ESBMC_",
                                                       "klee_",       "nondet_",    "__builtin_"};
constexpr std::array<std::string_view, 2> kNames = {"assert", "reach_error"};

constexpr std::pair<std::string_view, std::string_view> kNondetTypes[] = {
    {"bool", "_Bool"},
    {"char", "char"},
    {"schar", "signed char"},
    {"uchar", "unsigned char"},
    {"unsigned_char", "unsigned char"},
    {"short", "short"},
    {"ushort", "unsigned short"},
    {"unsigned_short", "unsigned short"},
    {"int", "int"},
    {"uint", "unsigned"},
    {"unsigned", "unsigned"},
    {"unsigned_int", "unsigned"},
    {"long", "long"},
    {"ulong", "unsigned long"},
    {"unsigned_long", "unsigned long"},
    {"longlong", "long long"},
    {"ulonglong", "unsigned long long"},
    {"float", "float"},
    {"double", "double"},
    {"size_t", "__SIZE_TYPE__"},
    {"ssize_t", "__PTRDIFF_TYPE__"},
    {"ptrdiff_t", "__PTRDIFF_TYPE__"},
    {"uintptr_t", "__UINTPTR_TYPE__"},
    {"int8_t", "__INT8_TYPE__"},
    {"int16_t", "__INT16_TYPE__"},
    {"int32_t", "__INT32_TYPE__"},
    {"int64_t", "__INT64_TYPE__"},
    {"uint8_t", "__UINT8_TYPE__"},
    {"uint16_t", "__UINT16_TYPE__"},
    {"uint32_t", "__UINT32_TYPE__"},
    {"uint64_t", "__UINT64_TYPE__"},
    {"S8", "__INT8_TYPE__"},
    {"S16", "__INT16_TYPE__"},
    {"S32", "__INT32_TYPE__"},
    {"S64", "__INT64_TYPE__"},
    {"U8", "__UINT8_TYPE__"},
    {"U16", "__UINT16_TYPE__"},
    {"U32", "__UINT32_TYPE__"},
    {"U64", "__UINT64_TYPE__"},
    {"u8", "__UINT8_TYPE__"},
    {"u16", "__UINT16_TYPE__"},
    {"u32", "__UINT32_TYPE__"},
    {"u64", "__UINT64_TYPE__"},
    {"pointer", "void*"},
    {"ptr", "void*"},
    {"charp", "char*"},
    {"pchar", "char*"},
    {"const_char_pointer", "const char*"},
    {"loff_t", "long long"},
    {"sector_t", "unsigned long"},
    {"pthread_t", "unsigned long"},
};

/// Types where `int f()` would be wrong: conditions of any scalar type, sizes, results that are no int.
constexpr std::pair<std::string_view, std::string_view> kDeclarations[] = {
    {"assert", "int assert(_Bool);"},
    {"reach_error", "void reach_error(void);"},
    {"__VERIFIER_error", "void __VERIFIER_error(void);"},
    {"__VERIFIER_assume", "void __VERIFIER_assume(_Bool);"},
    {"__VERIFIER_assert", "void __VERIFIER_assert(_Bool);"},
    {"__VERIFIER_atomic_begin", "void __VERIFIER_atomic_begin(void);"},
    {"__VERIFIER_atomic_end", "void __VERIFIER_atomic_end(void);"},
    {"__VERIFIER_nondet_memory", "void __VERIFIER_nondet_memory(void*, __SIZE_TYPE__);"},
    {"__CPROVER_assume", "void __CPROVER_assume(_Bool);"},
    {"__CPROVER_assert", "void __CPROVER_assert(_Bool, const char*);"},
    {"__CPROVER_precondition", "void __CPROVER_precondition(_Bool, const char*);"},
    {"__CPROVER_postcondition", "void __CPROVER_postcondition(_Bool, const char*);"},
    {"__CPROVER_cover", "void __CPROVER_cover(_Bool);"},
    {"__CPROVER_atomic_begin", "void __CPROVER_atomic_begin(void);"},
    {"__CPROVER_atomic_end", "void __CPROVER_atomic_end(void);"},
    {"__CPROVER_async", "void __CPROVER_async(void*);"},
    {"__CPROVER_fence", "void __CPROVER_fence(const char*, ...);"},
    {"__CPROVER_input", "void __CPROVER_input(const char*, ...);"},
    {"__CPROVER_output", "void __CPROVER_output(const char*, ...);"},
    {"__CPROVER_printf", "void __CPROVER_printf(const char*, ...);"},
    {"__CPROVER_allocate", "void* __CPROVER_allocate(__SIZE_TYPE__, _Bool);"},
    {"__CPROVER_havoc_object", "void __CPROVER_havoc_object(void*);"},
    {"__CPROVER_havoc_slice", "void __CPROVER_havoc_slice(void*, __SIZE_TYPE__);"},
    {"__CPROVER_OBJECT_SIZE", "__SIZE_TYPE__ __CPROVER_OBJECT_SIZE(const void*);"},
    {"__CPROVER_POINTER_OFFSET", "__SIZE_TYPE__ __CPROVER_POINTER_OFFSET(const void*);"},
    {"__CPROVER_POINTER_OBJECT", "__SIZE_TYPE__ __CPROVER_POINTER_OBJECT(const void*);"},
    {"__CPROVER_same_object", "_Bool __CPROVER_same_object(const void*, const void*);"},
    {"__CPROVER_r_ok", "_Bool __CPROVER_r_ok(const void*, __SIZE_TYPE__);"},
    {"__CPROVER_w_ok", "_Bool __CPROVER_w_ok(const void*, __SIZE_TYPE__);"},
    {"__CPROVER_rw_ok", "_Bool __CPROVER_rw_ok(const void*, __SIZE_TYPE__);"},
    {"__CPROVER_DYNAMIC_OBJECT", "_Bool __CPROVER_DYNAMIC_OBJECT(const void*);"},
    {"__CPROVER_array_copy", "void __CPROVER_array_copy(const void*, const void*);"},
    {"__CPROVER_array_replace", "void __CPROVER_array_replace(const void*, const void*);"},
    {"__CPROVER_array_equal", "_Bool __CPROVER_array_equal(const void*, const void*);"},
    // (The value of an element, whatever its type; of void, a byte.)
    {"__CPROVER_array_set",
     "void __CPROVER_array_set_elements(const void*, __SIZE_TYPE__, const void*);\n"
     "#define __CPROVER_array_set(array, value) __CPROVER_array_set_elements(array, sizeof *(array), "
     "&(__typeof__(__builtin_choose_expr(__builtin_types_compatible_p(__typeof__(*(array)), void), (char)0, *(array)))){value})"},
    {"__CPROVER_equal",
     "#define __CPROVER_equal(a, b) __extension__({ __typeof__(a) __one = (a), __other = (b); "
     "__builtin_memcmp(&__one, &__other, sizeof __one) == 0; })"},
    {"__CPROVER_buffer_size", "__SIZE_TYPE__ __CPROVER_buffer_size(const void*);"},
    {"__CPROVER_is_zero_string", "_Bool __CPROVER_is_zero_string(const void*);"},
    {"__CPROVER_zero_string_length", "__SIZE_TYPE__ __CPROVER_zero_string_length(const void*);"},
    {"__CPROVER_saturating_plus",
     "#define __CPROVER_saturating_plus(a, b) __extension__({ __typeof__((a) + (b)) __sum, __a = (a); "
     "__builtin_add_overflow(__a, b, &__sum) ? __CPROVER_end_of(__a, 0) : __sum; })\n"
     "#define __CPROVER_end_of(a, down) (__typeof__(a))((__typeof__(a))-1 < 0 ? ((1ull << (8 * sizeof(a) - 1)) - 1) + ((a) < 0) : (down) ? 0 : ~0ull)"},
    {"__CPROVER_saturating_minus",
     "#define __CPROVER_saturating_minus(a, b) __extension__({ __typeof__((a) - (b)) __rest, __a = (a); "
     "__builtin_sub_overflow(__a, b, &__rest) ? __CPROVER_end_of(__a, 1) : __rest; })\n"
     "#define __CPROVER_end_of(a, down) (__typeof__(a))((__typeof__(a))-1 < 0 ? ((1ull << (8 * sizeof(a) - 1)) - 1) + ((a) < 0) : (down) ? 0 : ~0ull)"},
    {"__CPROVER_isnanf", "_Bool __CPROVER_isnanf(float);"},
    {"__CPROVER_isnand", "_Bool __CPROVER_isnand(double);"},
    {"__CPROVER_isinff", "_Bool __CPROVER_isinff(float);"},
    {"__CPROVER_isinfd", "_Bool __CPROVER_isinfd(double);"},
    {"__CPROVER_isfinitef", "_Bool __CPROVER_isfinitef(float);"},
    {"__CPROVER_isfinited", "_Bool __CPROVER_isfinited(double);"},
    {"__CPROVER_isnormalf", "_Bool __CPROVER_isnormalf(float);"},
    {"__CPROVER_isnormald", "_Bool __CPROVER_isnormald(double);"},
    {"__CPROVER_signf", "_Bool __CPROVER_signf(float);"},
    {"__CPROVER_signd", "_Bool __CPROVER_signd(double);"},
    {"__CPROVER_fabsf", "float __CPROVER_fabsf(float);"},
    {"__CPROVER_fabs", "double __CPROVER_fabs(double);"},
    {"klee_make_symbolic", "void klee_make_symbolic(void*, __SIZE_TYPE__, const char*);"},
    {"klee_int", "int klee_int(const char*);"},
    {"klee_range", "int klee_range(int, int, const char*);"},
    {"klee_choose", "__UINTPTR_TYPE__ klee_choose(__UINTPTR_TYPE__);"},
    {"klee_assume", "void klee_assume(_Bool);"},
    {"klee_assert", "int klee_assert(_Bool);"},
    {"klee_silent_exit", "void klee_silent_exit(int) __attribute__((noreturn));"},
    {"klee_abort", "void klee_abort(void) __attribute__((noreturn));"},
    {"klee_check_memory_access", "void klee_check_memory_access(const void*, __SIZE_TYPE__);"},
    {"klee_get_obj_size", "__SIZE_TYPE__ klee_get_obj_size(void*);"},
    {"__ESBMC_assume", "void __ESBMC_assume(_Bool);"},
    {"__ESBMC_assert", "void __ESBMC_assert(_Bool, const char*);"},
    {"__ESBMC_atomic_begin", "void __ESBMC_atomic_begin(void);"},
    {"__ESBMC_atomic_end", "void __ESBMC_atomic_end(void);"},
};

template <typename Table>
std::string_view find(const Table& table, std::string_view name) {
  auto found = std::find_if(std::begin(table), std::end(table), [&](const auto& row) { return row.first == name; });
  return found == std::end(table) ? std::string_view{} : found->second;
}

/// What follows __VERIFIER_nondet_ or nondet_.
std::string_view input_type_name(std::string_view name) {
  for (std::string_view prefix : {"__VERIFIER_nondet_", "nondet_"})
    if (name.starts_with(prefix)) return name.substr(prefix.size());
  return {};
}

}  // namespace

bool is_dialect(std::string_view name) {
  return std::any_of(kPrefixes.begin(), kPrefixes.end(), [&](auto prefix) { return name.starts_with(prefix); }) ||
         std::find(kNames.begin(), kNames.end(), name) != kNames.end();
}

bool is_input_name(std::string_view name) { return !input_type_name(name).empty(); }

std::string dialect_declaration(std::string_view name) {
  if (std::string_view known = find(kDeclarations, name); !known.empty()) return std::string(known);
  std::string_view type = find(kNondetTypes, input_type_name(name));
  return type.empty() ? std::string() : fmt::format("{} {}(void);", type, name);
}

}  // namespace whittle::frontend
