# One folder that runs elsewhere: bin/pivotscope, the libraries it links in lib/, its assets in share/pivotscope.
# glibc is the machine's. So is libstdc++ where it has one, since a graphics driver may need a newer one than ours;
# lib/fallback is looked at last. GLFW is loaded when a window opens (viz/third_party), so only that needs X and GL.

set_target_properties(pivotscope PROPERTIES BUILD_WITH_INSTALL_RPATH ON
  INSTALL_RPATH "$ORIGIN/../lib:/usr/lib/${CMAKE_LIBRARY_ARCHITECTURE}:/usr/lib64:/usr/lib:$ORIGIN/../lib/fallback")
install(TARGETS pivotscope RUNTIME_DEPENDENCY_SET pivotscope_libraries RUNTIME DESTINATION bin)
install(RUNTIME_DEPENDENCY_SET pivotscope_libraries
  PRE_EXCLUDE_REGEXES "^lib(c|m|dl|rt|pthread|stdc\\+\\+|gcc_s)\\.so" "^ld-linux"
  LIBRARY DESTINATION lib)

foreach(name libstdc++.so.6 libgcc_s.so.1)
  execute_process(COMMAND "${CMAKE_CXX_COMPILER}" -print-file-name=${name}
    OUTPUT_VARIABLE file OUTPUT_STRIP_TRAILING_WHITESPACE)
  file(REAL_PATH "${file}" file)
  install(FILES "${file}" RENAME ${name} DESTINATION lib/fallback)
endforeach()
file(REAL_PATH "${PIVOTSCOPE_GLFW_LIBRARY}" file)
install(FILES "${file}" RENAME libglfw.so.3 DESTINATION lib)

install(DIRECTORY "${PIVOTSCOPE_ASSETS_DIR}/fonts" "${PIVOTSCOPE_ASSETS_DIR}/measured" DESTINATION share/pivotscope)
install(DIRECTORY "${PROJECT_SOURCE_DIR}/assets/" DESTINATION share/pivotscope OPTIONAL)
install(FILES "${PROJECT_SOURCE_DIR}/LICENSE" DESTINATION share/doc/pivotscope)
