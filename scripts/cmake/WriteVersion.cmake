# Writes OUTPUT from version.cpp.in: cmake -DSOURCE=... -DOUTPUT=... -DVERSION=...
# -DBUILD=... -P WriteVersion.cmake
# configure_file leaves the file alone when nothing changed, so that nothing is rebuilt then.
set(COMMIT "unknown")
find_program(GIT git)
if(GIT)
  # Empty only when SOURCE is the top of a checkout, not a folder inside somebody else's.
  execute_process(COMMAND ${GIT} -C ${SOURCE} rev-parse --show-prefix
    OUTPUT_VARIABLE prefix RESULT_VARIABLE status ERROR_QUIET OUTPUT_STRIP_TRAILING_WHITESPACE)
  if(status EQUAL 0 AND prefix STREQUAL "")
    execute_process(COMMAND ${GIT} -C ${SOURCE} describe --always --dirty=-modified --abbrev=40 --exclude=*
      OUTPUT_VARIABLE commit RESULT_VARIABLE status ERROR_QUIET OUTPUT_STRIP_TRAILING_WHITESPACE)
    if(status EQUAL 0 AND NOT commit STREQUAL "")
      set(COMMIT ${commit})
    endif()
  endif()
endif()
configure_file(${CMAKE_CURRENT_LIST_DIR}/version.cpp.in ${OUTPUT} @ONLY)
