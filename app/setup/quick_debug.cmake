# Debug builds, which the sanitizers are, compile fast. A Release build has none of this, and so tells which file forgets
# to include what it uses.

# What most files of a target include is parsed once.
set(often <algorithm> <array> <filesystem> <functional> <map> <memory> <mutex> <optional> <span> <string> <string_view>
  <vector> <fmt/format.h>)
set(often_in_tests ${often} <gtest/gtest.h> <gmock/gmock.h>)
function(precompile target)
  if(TARGET ${target})
    target_precompile_headers(${target} PRIVATE ${ARGN})
    if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
      target_compile_options(${target} PRIVATE -fpch-preprocess)  # for ccache
    endif()
  endif()
endfunction()
precompile(pivotscope_core ${often})
precompile(pivotscope_viz ${often})
precompile(pivotscope_session ${often} <nlohmann/json.hpp>)
precompile(pivotscope_cli ${often} <nlohmann/json.hpp> <CLI/CLI.hpp>)
precompile(unit_tests ${often_in_tests} <nlohmann/json.hpp>)
precompile(thread_tests ${often_in_tests} <nlohmann/json.hpp>)
precompile(property_tests ${often_in_tests} <rapidcheck.h> <rapidcheck/gtest.h>)

# Only core is worth optimising, and only there does it tell where a read is misaligned: other targets' share of what
# the undefined-behaviour sanitizer asks at every pointer (the address sanitizer sees most of that too) takes a third of
# the time to compile.
foreach(target pivotscope_viz pivotscope_cli pivotscope_session)
  target_compile_options(${target} PRIVATE -O0)
endforeach()
foreach(target pivotscope_viz pivotscope_cli pivotscope_session pivotscope_window unit_tests property_tests golden_tests)
  if(TARGET ${target} AND CMAKE_CXX_FLAGS MATCHES "-fsanitize=[a-z,-]*undefined")
    target_compile_options(${target} PRIVATE -fno-sanitize=null,alignment,vptr,object-size)
  endif()
endforeach()
