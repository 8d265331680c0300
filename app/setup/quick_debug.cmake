# Debug builds, which the sanitizers are, compile fast.

# Only core is worth optimising. What the undefined-behaviour sanitizer asks at every pointer (the address sanitizer sees
# most of that too) takes a third of the time to compile; and all it asks of the searches of the cpu machine (host.cpp) takes half of
# theirs, where the trace runs the same algorithms. So core has all of it at night alone.
option(PIVOTSCOPE_ALL_CHECKS "Sanitizers ask in core all they can" OFF)
set(unoptimised pivotscope_models pivotscope_viz pivotscope_cli pivotscope_session pivotscope_window_files)
foreach(target ${unoptimised})
  target_compile_options(${target} PRIVATE -O0)
endforeach()
if(NOT PIVOTSCOPE_ALL_CHECKS AND CMAKE_CXX_FLAGS MATCHES "-fsanitize=[a-z,-]*undefined")
  target_compile_options(pivotscope_core PRIVATE -fno-sanitize=null,alignment,vptr,object-size)
  file(GLOB searches "${PROJECT_SOURCE_DIR}/core/families/*/host.cpp")
  set_property(SOURCE ${searches} TARGET_DIRECTORY pivotscope_core APPEND PROPERTY COMPILE_OPTIONS -fno-sanitize=undefined)
endif()
foreach(target ${unoptimised} pivotscope_window unit_tests program_tests memory_tests property_tests
    golden_tests)
  if(TARGET ${target} AND CMAKE_CXX_FLAGS MATCHES "-fsanitize=[a-z,-]*undefined")
    target_compile_options(${target} PRIVATE -fno-sanitize=null,alignment,vptr,object-size)
  endif()
endforeach()
