# Finds LLVM 19 or 20 and the clang of the same version. Older ones have no debug records, from which the front end knows where
# variables begin to live.
#
#   WHITTLE_CLANG, WHITTLE_LLVM_LINK   the programs
#   WHITTLE_CLANG_NAME                 the compiler's name, for messages and for a program that starts it
#   WHITTLE_CLANG_RESOURCES            folder of clang's own headers
#   WHITTLE_CLANG_INSIDE               are clang's static libraries there (and wanted)?
#   whittle_llvm                       LLVM to link with: the shared library; for a target with the property
#                                      WHITTLE_CLANG_INSIDE the static ones, clang's included
#
# LLVM_DIR chooses among several versions, as for any project.
set(WHITTLE_LLVM_VERSIONS 19 20)  # the one that everything is tested with first
if(NOT LLVM_DIR)
  foreach(version IN LISTS WHITTLE_LLVM_VERSIONS)
    find_package(LLVM CONFIG QUIET NO_DEFAULT_PATH PATHS /usr/lib/llvm-${version} /usr/lib64/llvm${version})
    if(LLVM_FOUND)
      break()
    endif()
  endforeach()
endif()
if(NOT LLVM_FOUND)
  find_package(LLVM CONFIG QUIET)
endif()
if(NOT LLVM_FOUND OR NOT LLVM_VERSION_MAJOR IN_LIST WHITTLE_LLVM_VERSIONS)
  whittle_missing("LLVM 19 or 20" llvm-19-dev)
endif()

find_program(WHITTLE_CLANG NAMES clang-${LLVM_VERSION_MAJOR} clang HINTS ${LLVM_TOOLS_BINARY_DIR})
find_program(WHITTLE_LLVM_LINK NAMES llvm-link-${LLVM_VERSION_MAJOR} llvm-link HINTS ${LLVM_TOOLS_BINARY_DIR})
if(NOT WHITTLE_CLANG)
  whittle_missing("clang ${LLVM_VERSION_MAJOR}" clang-19)
elseif(NOT WHITTLE_LLVM_LINK)
  whittle_missing("llvm-link ${LLVM_VERSION_MAJOR}" llvm-19)
endif()
execute_process(COMMAND ${WHITTLE_CLANG} -print-resource-dir OUTPUT_VARIABLE WHITTLE_CLANG_RESOURCES
                OUTPUT_STRIP_TRAILING_WHITESPACE)
execute_process(COMMAND ${WHITTLE_CLANG} -dumpversion OUTPUT_VARIABLE clang_version OUTPUT_STRIP_TRAILING_WHITESPACE)
if(NOT clang_version MATCHES "^${LLVM_VERSION_MAJOR}\\.")
  message(FATAL_ERROR "${WHITTLE_CLANG} is version ${clang_version}, but LLVM is ${LLVM_PACKAGE_VERSION}: "
                      "choose one with -DWHITTLE_CLANG=... or -DLLVM_DIR=...")
endif()
get_filename_component(WHITTLE_CLANG_NAME ${WHITTLE_CLANG} NAME)

set(llvm LLVM)
if(NOT TARGET LLVM)
  llvm_map_components_to_libnames(llvm core support bitreader asmparser linker analysis transformutils object
                                  debuginfodwarf)
endif()

# clang's static libraries and LLVM's, as one: a linker script, because they need each other in both directions.
set(WHITTLE_CLANG_INSIDE_WANTED AUTO CACHE STRING "clang as a library inside whittle: AUTO, ON or OFF")
set(parts)
set(lacking)
foreach(part clangFrontend clangDriver clangSerialization clangCodeGen clangParse clangSema clangSupport clangAnalysis
             clangEdit clangAST clangASTMatchers clangLex clangBasic)
  if(EXISTS ${LLVM_LIBRARY_DIR}/lib${part}.a)
    list(APPEND parts ${LLVM_LIBRARY_DIR}/lib${part}.a)
  elseif(NOT part STREQUAL clangSupport)
    list(APPEND lacking ${part})
  endif()
endforeach()
if(EXISTS ${LLVM_LIBRARY_DIR}/libclangAPINotes.a)
  list(APPEND parts ${LLVM_LIBRARY_DIR}/libclangAPINotes.a)
endif()
file(GLOB llvm_parts ${LLVM_LIBRARY_DIR}/libLLVM*.a)
find_library(WHITTLE_ZSTD zstd)
find_library(WHITTLE_ZLIB z)
if(NOT llvm_parts OR (LLVM_ENABLE_ZSTD AND NOT WHITTLE_ZSTD))
  list(APPEND lacking LLVM)
endif()
if(NOT LLVM_VERSION_MAJOR EQUAL 19)
  list(APPEND lacking "of clang 19")  # the interface of clang's libraries is another in each version
endif()
set(WHITTLE_CLANG_INSIDE OFF)
if(WHITTLE_CLANG_INSIDE_WANTED STREQUAL ON AND lacking)
  whittle_missing("the static libraries ${lacking}" libclang-19-dev libzstd-dev)
elseif(WHITTLE_CLANG_INSIDE_WANTED AND NOT lacking AND NOT WHITTLE_SANITIZE AND NOT WHITTLE_COVERAGE)
  set(WHITTLE_CLANG_INSIDE ON)
  list(JOIN parts " " words)
  list(JOIN llvm_parts " " llvm_words)
  file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/libclang_and_llvm.a CONTENT "GROUP ( ${words} ${llvm_words} )\n")
  set(inside ${CMAKE_BINARY_DIR}/libclang_and_llvm.a ${WHITTLE_ZLIB} ${CMAKE_DL_LIBS})
  if(LLVM_ENABLE_ZSTD)
    list(APPEND inside ${WHITTLE_ZSTD})
  endif()
  set(llvm "$<IF:$<BOOL:$<TARGET_PROPERTY:WHITTLE_CLANG_INSIDE>>,${inside},${llvm}>")
elseif(WHITTLE_CLANG_INSIDE_WANTED AND lacking)
  message(STATUS "clang's static libraries are not there (package libclang-19-dev): whittle will start the program clang")
endif()

add_library(whittle_llvm INTERFACE)
target_include_directories(whittle_llvm SYSTEM INTERFACE ${LLVM_INCLUDE_DIRS})
target_link_libraries(whittle_llvm INTERFACE "${llvm}")
