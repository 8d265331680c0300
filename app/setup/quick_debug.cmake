# Debug builds, which the sanitizers are, compile fast.

# Only core is worth optimising, and only there does it tell where a read is misaligned: other targets' share of what
# the undefined-behaviour sanitizer asks at every pointer (the address sanitizer sees most of that too) takes a third of
# the time to compile.
set(unoptimised pivotscope_models pivotscope_viz pivotscope_cli pivotscope_session pivotscope_window_files)
foreach(target ${unoptimised})
  target_compile_options(${target} PRIVATE -O0)
endforeach()
foreach(target ${unoptimised} pivotscope_window unit_tests program_tests property_tests
    golden_tests)
  if(TARGET ${target} AND CMAKE_CXX_FLAGS MATCHES "-fsanitize=[a-z,-]*undefined")
    target_compile_options(${target} PRIVATE -fno-sanitize=null,alignment,vptr,object-size)
  endif()
endforeach()
