# Where ccache is installed, nothing is compiled that any clone has compiled: paths below the root count as relative
# ones (so one source alone is told the root by a definition), and precompiled headers by their content.
find_program(GRASPMAP_CCACHE ccache)
if(GRASPMAP_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  get_filename_component(clone ${CMAKE_CURRENT_LIST_DIR}/../.. ABSOLUTE)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env CCACHE_BASEDIR=${clone} CCACHE_NOHASHDIR=1
    CCACHE_SLOPPINESS=pch_defines,time_macros ${GRASPMAP_CCACHE})
  # clang writes into a precompiled header when the headers in it were changed, so that none would be like another,
  # and the folder: a clone finds what was compiled where it lies itself.
  if(CMAKE_CXX_COMPILER_ID STREQUAL Clang)
    add_compile_options("$<$<COMPILE_LANGUAGE:CXX>:SHELL:-Xclang -fno-pch-timestamp>")
  endif()
endif()
