# require_package(DEBIAN_PACKAGE NAME ...): find_package(NAME ...), with a message that says what to
# install when it is not found. A macro: what is found has to be known to the caller.
macro(require_package debian_package name)
  find_package(${name} ${ARGN} QUIET)
  if(NOT ${name}_FOUND)
    message(FATAL_ERROR
      "${name} was not found (needed: ${name} ${ARGN}; Debian: apt-get install ${debian_package}). "
      "scripts/run and scripts/test install everything that is missing.")
  endif()
endmacro()

# require_library(DEBIAN_PACKAGE PREFIX HEADER [LIBRARY]): the same for what has no CMake package. Sets
# PREFIX_INCLUDE_DIR and, unless it is headers only, PREFIX_LIBRARY.
macro(require_library debian_package prefix header)
  find_path(${prefix}_INCLUDE_DIR ${header})
  set(${prefix}_LIBRARY_NAME ${ARGN})
  if(${prefix}_LIBRARY_NAME)
    find_library(${prefix}_LIBRARY ${${prefix}_LIBRARY_NAME})
  endif()
  if(NOT ${prefix}_INCLUDE_DIR OR (${prefix}_LIBRARY_NAME AND NOT ${prefix}_LIBRARY))
    message(FATAL_ERROR
      "${header} was not found (Debian: apt-get install ${debian_package}). "
      "scripts/run and scripts/test install everything that is missing.")
  endif()
endmacro()
