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
