# The assets folder of the build tree: Debian's fonts by copy, what the repository keeps in assets/ by link.
# It lies beside the programs, which look there (core/common/program_folder.hpp).
set(PIVOTSCOPE_ASSETS_DIR "${PROJECT_BINARY_DIR}/assets")

function(pivotscope_font package file)
  find_file(font NAMES "${file}" NO_CACHE PATHS
    /usr/share/fonts/opentype/${package} /usr/share/fonts/truetype/${package} /usr/share/fonts/${package})
  if(NOT font)
    message(WARNING "The font ${file} (Debian: fonts-${package}) is missing; the window falls back to a plain one.")
    return()
  endif()
  configure_file("${font}" "${PIVOTSCOPE_ASSETS_DIR}/fonts/${file}" COPYONLY)
  if(EXISTS "/usr/share/doc/fonts-${package}/copyright")
    configure_file("/usr/share/doc/fonts-${package}/copyright" "${PIVOTSCOPE_ASSETS_DIR}/fonts/${package}.copyright" COPYONLY)
  endif()
endfunction()

foreach(weight Regular Italic Medium SemiBold Bold)
  pivotscope_font(inter Inter-${weight}.otf)
endforeach()
foreach(weight Regular Medium Bold)
  pivotscope_font(jetbrains-mono JetBrainsMono-${weight}.ttf)
endforeach()
pivotscope_font(font-awesome fontawesome-webfont.ttf)

file(GLOB kept RELATIVE "${PROJECT_SOURCE_DIR}/assets" "${PROJECT_SOURCE_DIR}/assets/*")
foreach(name IN LISTS kept)
  file(CREATE_LINK "${PROJECT_SOURCE_DIR}/assets/${name}" "${PIVOTSCOPE_ASSETS_DIR}/${name}" SYMBOLIC)
endforeach()
