# Compile and link options shared by everything of ours.
add_library(whittle_options INTERFACE)
target_include_directories(whittle_options INTERFACE ${CMAKE_SOURCE_DIR}/src)
target_compile_options(whittle_options INTERFACE -Wall -Wextra -Wshadow -Wno-missing-field-initializers)
if(WHITTLE_SANITIZE)
  target_compile_options(whittle_options INTERFACE -fsanitize=address,undefined -fno-sanitize-recover=undefined
                                                   -fno-omit-frame-pointer)
  target_link_options(whittle_options INTERFACE -fsanitize=address,undefined)
endif()
if(WHITTLE_COVERAGE)
  target_compile_options(whittle_options INTERFACE --coverage)
  target_link_options(whittle_options INTERFACE --coverage)
endif()
