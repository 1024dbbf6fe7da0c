# What `cmake --install` puts where (docs/how-to/install.md):
#   component runtime      programs, man pages, completions, examples, documentation
#   component step         what reads STEP files, where OpenCASCADE was there to build it
#   component development  static libraries, headers, the CMake package
# The Python module installs itself with COMPONENT python.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)
set(CMAKE_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE
  GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
set(GRASPMAP_BASH_COMPLETIONS ${CMAKE_INSTALL_DATADIR}/bash-completion/completions
  CACHE STRING "Where the completions of bash go")
set(GRASPMAP_ZSH_COMPLETIONS ${CMAKE_INSTALL_DATADIR}/zsh/site-functions
  CACHE STRING "Where the completions of zsh go; Debian packages: share/zsh/vendor-completions")
mark_as_advanced(GRASPMAP_BASH_COMPLETIONS GRASPMAP_ZSH_COMPLETIONS)

set(programs graspmap)
set(libraries geometry sim grasp)
set(wings geometry sim grasp)
if(GRASPMAP_LAB)
  list(APPEND programs graspmap-lab)
  list(APPEND libraries scenes)
  list(APPEND wings lab)
endif()
install(TARGETS ${programs} RUNTIME COMPONENT runtime)

# Man pages come from the programs' own help. Sanitized programs are for tests.
if(NOT GRASPMAP_SANITIZE)
  set(pages ${CMAKE_BINARY_DIR}/man)
  file(MAKE_DIRECTORY ${pages})
  foreach(program ${programs})
    add_custom_command(OUTPUT ${pages}/${program}.1
      COMMAND ${program} __man-pages ${pages}
      DEPENDS ${program} COMMENT "Man pages of ${program}" VERBATIM)
    list(APPEND first_pages ${pages}/${program}.1)
  endforeach()
  add_custom_target(graspmap_man_pages ALL DEPENDS ${first_pages})
  install(DIRECTORY ${pages}/ DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT runtime
    FILES_MATCHING PATTERN "*.1")
endif()

set(completions ${CMAKE_SOURCE_DIR}/scripts/completions)
foreach(program ${programs})
  install(FILES ${completions}/graspmap.bash DESTINATION ${GRASPMAP_BASH_COMPLETIONS}
    RENAME ${program} COMPONENT runtime)
endforeach()
install(FILES ${completions}/_graspmap DESTINATION ${GRASPMAP_ZSH_COMPLETIONS} COMPONENT runtime)

# The documentation's links to configs/ lead to the examples.
set(examples ${CMAKE_INSTALL_DATADIR}/graspmap/configs)
install(DIRECTORY configs/ DESTINATION ${examples} COMPONENT runtime)
install(FILES README.md CHANGELOG.md CITATION.cff CONTRIBUTING.md LICENSE
  DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT runtime)
install(DIRECTORY docs DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT runtime)
cmake_path(RELATIVE_PATH examples BASE_DIRECTORY ${CMAKE_INSTALL_DOCDIR} OUTPUT_VARIABLE to_examples)
install(CODE "
  foreach(name configs examples)
    file(CREATE_LINK \"${to_examples}\"
      \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_DOCDIR}/\${name}\" SYMBOLIC)
  endforeach()" COMPONENT runtime)

# The engine in the page of a report, and the studio: find_web_file looks there.
install(FILES ${CMAKE_BINARY_DIR}/web/graspmap.wasm ${CMAKE_BINARY_DIR}/web/studio.html OPTIONAL
  DESTINATION ${CMAKE_INSTALL_DATADIR}/graspmap COMPONENT runtime)

# component step: the module for STEP files; read_step looks there.
if(TARGET graspmap_step)
  install(TARGETS graspmap_step LIBRARY DESTINATION lib/graspmap COMPONENT step)
endif()

# Libraries, each with the name that find_package(graspmap) gives it.
foreach(library ${libraries})
  set_target_properties(graspmap_${library} PROPERTIES EXPORT_NAME ${library})
  target_include_directories(graspmap_${library}
    INTERFACE $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}/graspmap>)
  target_compile_features(graspmap_${library} INTERFACE cxx_std_20)
  install(TARGETS graspmap_${library} EXPORT graspmap_targets
    ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT development)
endforeach()
foreach(layer ${wings})
  install(DIRECTORY ${layer} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/graspmap COMPONENT development
    FILES_MATCHING PATTERN "*.hpp"
    PATTERN commands EXCLUDE PATTERN program EXCLUDE PATTERN mpi EXCLUDE PATTERN page EXCLUDE)
endforeach()
set(package ${CMAKE_INSTALL_LIBDIR}/cmake/graspmap)
install(EXPORT graspmap_targets NAMESPACE graspmap:: FILE graspmapTargets.cmake
  DESTINATION ${package} COMPONENT development)
configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/graspmapConfig.cmake.in
  ${CMAKE_BINARY_DIR}/graspmapConfig.cmake INSTALL_DESTINATION ${package})
write_basic_package_version_file(${CMAKE_BINARY_DIR}/graspmapConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_BINARY_DIR}/graspmapConfig.cmake ${CMAKE_BINARY_DIR}/graspmapConfigVersion.cmake
  DESTINATION ${package} COMPONENT development)
