# precompile(TARGET HEADERS...): what most files of a target include is parsed once.
set(often <algorithm> <array> <filesystem> <functional> <map> <memory> <mutex> <optional> <span> <string> <string_view>
  <vector> <fmt/format.h>)
function(precompile target)
  if(TARGET ${target})
    target_precompile_headers(${target} PRIVATE ${ARGN})
    if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
      target_compile_options(${target} PRIVATE -fpch-preprocess)  # for ccache
    endif()
  endif()
endfunction()
