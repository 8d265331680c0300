# pivotscope_warnings: link it PRIVATE to every target of ours, and to nothing of others'.
add_library(pivotscope_warnings INTERFACE)
target_compile_options(pivotscope_warnings INTERFACE
  $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wall -Wextra -Wpedantic -Wshadow=local -Wconversion -Wnon-virtual-dtor -Woverloaded-virtual -Werror>
  $<$<COMPILE_LANGUAGE:CUDA>:-Werror=all-warnings -Xcompiler=-Wall,-Wextra,-Werror>)
