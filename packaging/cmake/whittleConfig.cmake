# find_package(whittle) gives the program as whittle::whittle, and whittle_check.
#
#   whittle_check(TARGET
#     [NAME test]             name of the CTest test [whittle.TARGET]
#     [SOURCES file...]       harness and stubs besides the target's own C sources
#     [ONLY_SOURCES file...]  these instead of the target's own C sources
#     [ENTRY function]        where to start [main]
#     [PROPERTY name...]      what to check
#     [EXPECT true|false]     the right answer [true]
#     [TIMEOUT time]          for whittle: 10s, 5m, 1h [60s]; CTest's own limit is a minute longer
#     [LABELS label...]       CTest labels besides `whittle`
#     [OPTIONS option...])    more options of `whittle check`
#
# adds a test that checks the target's C sources with the target's include folders and definitions.
get_filename_component(_whittle_prefix "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)
if(NOT TARGET whittle::whittle)
  add_executable(whittle::whittle IMPORTED)
  find_program(WHITTLE_PROGRAM whittle HINTS ${_whittle_prefix}/bin)
  if(NOT WHITTLE_PROGRAM)
    set(whittle_FOUND FALSE)
    set(whittle_NOT_FOUND_MESSAGE "the program whittle is not in ${_whittle_prefix}/bin")
    return()
  endif()
  set_target_properties(whittle::whittle PROPERTIES IMPORTED_LOCATION ${WHITTLE_PROGRAM})
endif()

function(whittle_check target)
  cmake_parse_arguments(W "" "NAME;ENTRY;EXPECT;TIMEOUT" "SOURCES;ONLY_SOURCES;PROPERTY;LABELS;OPTIONS" ${ARGN})
  if(W_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "whittle_check(${target}): unknown arguments ${W_UNPARSED_ARGUMENTS}")
  endif()
  if(NOT TARGET ${target})
    message(FATAL_ERROR "whittle_check: there is no target ${target}")
  endif()
  if(NOT W_NAME)
    set(W_NAME whittle.${target})
  endif()
  if(NOT W_TIMEOUT)
    set(W_TIMEOUT 60s)
  endif()
  if(W_EXPECT AND NOT W_EXPECT MATCHES "^(true|false)$")
    message(FATAL_ERROR "whittle_check(${target}): EXPECT is true or false, not ${W_EXPECT}")
  endif()
  set(sources)
  if(NOT W_ONLY_SOURCES)
    get_target_property(own ${target} SOURCES)
    list(FILTER own INCLUDE REGEX "\\.(c|i)$")
    get_target_property(folder ${target} SOURCE_DIR)
    foreach(file IN LISTS own)
      get_filename_component(file ${file} ABSOLUTE BASE_DIR ${folder})
      list(APPEND sources ${file})
    endforeach()
  endif()
  foreach(file IN LISTS W_SOURCES W_ONLY_SOURCES)
    get_filename_component(file ${file} ABSOLUTE)
    list(APPEND sources ${file})
  endforeach()
  if(NOT sources)
    message(FATAL_ERROR "whittle_check(${target}): no C sources")
  endif()
  set(options --timeout ${W_TIMEOUT} ${W_OPTIONS})
  if(W_ENTRY)
    list(APPEND options --entry ${W_ENTRY})
  endif()
  if(W_PROPERTY)
    list(JOIN W_PROPERTY "," properties)
    list(APPEND options --property ${properties})
  endif()
  set(includes "$<TARGET_PROPERTY:${target},INCLUDE_DIRECTORIES>")
  set(definitions "$<TARGET_PROPERTY:${target},COMPILE_DEFINITIONS>")
  add_test(NAME ${W_NAME}
           COMMAND whittle::whittle check ${sources} ${options}
                   "$<$<BOOL:${includes}>:-I$<JOIN:${includes},;-I>>"
                   "$<$<BOOL:${definitions}>:-D$<JOIN:${definitions},;-D>>"
           COMMAND_EXPAND_LISTS)
  if(NOT W_TIMEOUT MATCHES "^([0-9]+)(s|m|h)?$")
    message(FATAL_ERROR "whittle_check(${target}): TIMEOUT is 10s, 5m or 1h, not ${W_TIMEOUT}")
  endif()
  set(unit_s 1)
  set(unit_m 60)
  set(unit_h 3600)
  set(unit_ 1)
  math(EXPR limit "${CMAKE_MATCH_1} * ${unit_${CMAKE_MATCH_2}} + 60")
  set_tests_properties(${W_NAME} PROPERTIES LABELS "whittle;${W_LABELS}" TIMEOUT ${limit})
  if(W_EXPECT STREQUAL "false")
    # Any other end than a violation, a crash too, is a failure.
    set_tests_properties(${W_NAME} PROPERTIES PASS_REGULAR_EXPRESSION "(^|\n)false\\(")
  endif()
endfunction()
