# What most files of a target include is parsed once. clang-tidy reads every file without this (check-tidy), and so tells
# which one forgets to include what it uses.

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
precompile(pivotscope_models ${often})
precompile(pivotscope_viz ${often})
precompile(pivotscope_session ${often})
precompile(pivotscope_window_files ${often})
precompile(pivotscope_cli ${often})
precompile(unit_tests ${often_in_tests} <nlohmann/json.hpp>)
precompile(program_tests ${often_in_tests} <nlohmann/json.hpp>)
precompile(memory_tests ${often_in_tests} <nlohmann/json.hpp>)
precompile(thread_tests ${often_in_tests} <nlohmann/json.hpp>)
precompile(property_tests ${often_in_tests} <rapidcheck.h> <rapidcheck/gtest.h>)
precompile(golden_tests ${often_in_tests})
