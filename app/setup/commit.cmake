# cmake -D SOURCE=FOLDER -D OUT=FILE -P commit.cmake: a source file that says of which commit the program is built. Run by every
# build; the file is written only where the commit is another one.
find_program(git git)
set(commit "")
if(git AND EXISTS "${SOURCE}/.git")
  execute_process(COMMAND "${git}" -C "${SOURCE}" describe --always --dirty --abbrev=12 --exclude=*
    OUTPUT_VARIABLE commit OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
endif()
if(NOT commit MATCHES "^[0-9a-z-]+$")
  set(commit "unknown")
endif()
set(text "#include \"app/cli/commit.hpp\"\n\nconst char* pivotscope::built_from() { return \"${commit}\"; }\n")
set(old "")
if(EXISTS "${OUT}")
  file(READ "${OUT}" old)
endif()
if(NOT text STREQUAL old)
  file(WRITE "${OUT}" "${text}")
endif()
