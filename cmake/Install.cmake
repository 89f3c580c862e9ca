# What `cmake --install` puts where, and the packages that CPack makes of it. Everything is found relative to the program:
# a prefix can be moved as a whole.
include(GNUInstallDirs)
set(share ${CMAKE_BINARY_DIR}/share)

# The manual page and completions say what the program says about itself.
file(MAKE_DIRECTORY ${share})
set(generated)
foreach(file whittle.1 whittle.bash _whittle whittle.fish)
  set(arguments_whittle.1 help --as man)
  set(arguments_whittle.bash completion bash)
  set(arguments__whittle completion zsh)
  set(arguments_whittle.fish completion fish)
  add_custom_command(
    OUTPUT ${share}/${file}
    COMMAND $<TARGET_FILE:whittle> ${arguments_${file}} > ${share}/${file}
    DEPENDS whittle
    COMMENT "Generating ${file}"
    VERBATIM)
  list(APPEND generated ${share}/${file})
endforeach()
add_custom_target(whittle_generated ALL DEPENDS ${generated})

install(TARGETS whittle RUNTIME DESTINATION bin)
install(FILES ${CMAKE_BINARY_DIR}/runtime/whittle_runtime_ILP32.bc ${CMAKE_BINARY_DIR}/runtime/whittle_runtime_LP64.bc
        DESTINATION share/whittle)
if(WHITTLE_MPI)
  install(TARGETS whittle_mpi LIBRARY DESTINATION share/whittle)
endif()
install(DIRECTORY ${CMAKE_SOURCE_DIR}/runtime/include DESTINATION share/whittle)
if(WHITTLE_CLANG_INSIDE)
  install(DIRECTORY ${WHITTLE_CLANG_RESOURCES}/include DESTINATION share/whittle/clang
          PATTERN "openmp_wrappers" EXCLUDE PATTERN "cuda_wrappers" EXCLUDE PATTERN "ppc_wrappers" EXCLUDE
          PATTERN "llvm_libc_wrappers" EXCLUDE PATTERN "hlsl" EXCLUDE PATTERN "zos_wrappers" EXCLUDE
          PATTERN "fuzzer" EXCLUDE PATTERN "orc" EXCLUDE PATTERN "profile" EXCLUDE PATTERN "sanitizer" EXCLUDE
          PATTERN "xray" EXCLUDE)
endif()
install(FILES ${share}/whittle.1 DESTINATION share/man/man1)
install(FILES ${share}/whittle.bash DESTINATION share/bash-completion/completions RENAME whittle)
install(FILES ${share}/_whittle DESTINATION share/zsh/vendor-completions)
install(FILES ${share}/whittle.fish DESTINATION share/fish/vendor_completions.d)
install(FILES ${CMAKE_SOURCE_DIR}/docs/report.schema.json DESTINATION share/whittle/schema)
install(FILES ${CMAKE_SOURCE_DIR}/runtime/native/schedule.c ${CMAKE_SOURCE_DIR}/runtime/native/schedule.h
              ${CMAKE_SOURCE_DIR}/runtime/native/replay.c ${CMAKE_SOURCE_DIR}/runtime/native/calls.txt ${CMAKE_SOURCE_DIR}/runtime/native/replay.h
        DESTINATION share/whittle/native)
install(DIRECTORY ${CMAKE_SOURCE_DIR}/packaging/benchexec
                  ${CMAKE_SOURCE_DIR}/packaging/editors DESTINATION share/whittle PATTERN "__pycache__" EXCLUDE)
install(FILES ${CMAKE_SOURCE_DIR}/LICENSE DESTINATION share/doc/whittle RENAME copyright)
install(FILES ${CMAKE_SOURCE_DIR}/NEWS.md DESTINATION share/doc/whittle)
install(DIRECTORY ${CMAKE_SOURCE_DIR}/examples DESTINATION share/doc/whittle)
install(DIRECTORY ${CMAKE_SOURCE_DIR}/packaging/ci DESTINATION share/doc/whittle)

# The site: cmake --build BUILD --target docs
find_program(WHITTLE_CMARK cmark-gfm)
find_package(Python3 COMPONENTS Interpreter QUIET)
if(WHITTLE_CMARK AND Python3_FOUND)
  add_custom_target(docs COMMAND ${Python3_EXECUTABLE} -B ${CMAKE_SOURCE_DIR}/docs/site/build.py ${CMAKE_SOURCE_DIR}
                                 ${CMAKE_BINARY_DIR}/site VERBATIM)
endif()

include(CMakePackageConfigHelpers)
write_basic_package_version_file(${share}/whittleConfigVersion.cmake COMPATIBILITY SameMinorVersion ARCH_INDEPENDENT)
install(FILES ${CMAKE_SOURCE_DIR}/packaging/cmake/whittleConfig.cmake ${share}/whittleConfigVersion.cmake
        DESTINATION share/cmake/whittle)

set(CPACK_PACKAGE_VENDOR "The whittle authors")
set(CPACK_PACKAGE_CONTACT "The whittle authors <whittle@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "software model checker for C programs and AVR firmware")
set(CPACK_RESOURCE_FILE_LICENSE ${CMAKE_SOURCE_DIR}/LICENSE)
set(CPACK_GENERATOR DEB TGZ)
set(CPACK_STRIP_FILES ON)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
# The headers of libc: programs include them.
set(CPACK_DEBIAN_PACKAGE_DEPENDS libc6-dev)
if(NOT WHITTLE_CLANG_INSIDE)
  string(APPEND CPACK_DEBIAN_PACKAGE_DEPENDS ", ${WHITTLE_CLANG_NAME}")
endif()
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS libc6-dev-i386)  # --data-model ILP32
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "gcc-avr, avr-libc")
include(CPack)
