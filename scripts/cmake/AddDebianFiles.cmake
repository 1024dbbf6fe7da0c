# Run by cpack on what it is about to pack: adds and compresses what Debian's policy asks for.
cmake_path(SET source NORMALIZE ${CMAKE_CURRENT_LIST_DIR}/../..)

# The date of the release, from its heading in CHANGELOG.md: `## [0.1.0] - 2026-11-23`.
string(REPLACE "." "\\." version ${CPACK_PACKAGE_VERSION})
file(STRINGS ${source}/CHANGELOG.md heading REGEX "^## \\[${version}\\] - [-0-9]+$")
string(REGEX REPLACE ".* - " "" date "${heading}")
if(NOT date)
  message(FATAL_ERROR "CHANGELOG.md has no section of release ${CPACK_PACKAGE_VERSION}")
endif()
execute_process(COMMAND date --utc --rfc-email --date=${date}
  OUTPUT_VARIABLE date OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
file(READ ${source}/LICENSE license)
string(REGEX REPLACE "^[^\n]*\n\n[^\n]*\n[^\n]*\n\n" "" license "${license}")
string(REGEX REPLACE "\n\n" "\n.\n" license "${license}")
string(REGEX REPLACE "\n" "\n " license " ${license}")
string(STRIP "${license}" license)

function(compress)
  execute_process(COMMAND gzip --best --no-name --force ${ARGN} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

# What lintian calls unneeded: the compiler's name in each object file.
function(strip)
  execute_process(COMMAND strip --strip-unneeded --enable-deterministic-archives --remove-section=.comment
    --remove-section=.note ${ARGN} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

foreach(component ${CPACK_COMPONENTS_ALL})
  string(TOUPPER ${component} key)
  set(package ${CPACK_DEBIAN_${key}_PACKAGE_NAME})
  set(root ${CPACK_TEMPORARY_DIRECTORY}/${component}/usr)
  set(doc ${root}/share/doc/${package})
  file(WRITE ${doc}/copyright
"Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: graspmap

Files: *
Copyright: 2026 the graspmap authors
License: BSD-3-clause
 ${license}
")
  file(WRITE ${doc}/changelog.Debian
"graspmap (${CPACK_PACKAGE_VERSION}-${CPACK_DEBIAN_PACKAGE_RELEASE}) unstable; urgency=medium

  * Release ${CPACK_PACKAGE_VERSION}; CHANGELOG.md says what changed.

 -- ${CPACK_PACKAGE_CONTACT}  ${date}
")
  compress(${doc}/changelog.Debian)
  file(GLOB pages ${root}/share/man/man1/*.1)
  if(pages)
    compress(${pages})
  endif()
  file(GLOB_RECURSE binaries ${root}/bin/* ${root}/lib/*.a ${root}/lib/*.so)
  if(binaries)
    strip(${binaries})
  endif()
  if(EXISTS ${doc}/CHANGELOG.md)
    file(RENAME ${doc}/CHANGELOG.md ${doc}/changelog)
    compress(${doc}/changelog)
    file(REMOVE ${doc}/LICENSE)
  endif()
  set(overrides ${source}/scripts/lintian/${package})
  if(EXISTS ${overrides})
    file(COPY ${overrides} DESTINATION ${root}/share/lintian/overrides)
  endif()
endforeach()
