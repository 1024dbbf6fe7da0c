# include_root(TARGET FOLDER...): TARGET, and what links it, may include "FOLDER/..." of these folders
# of the repository, and of no others. The compiler looks in a folder of links to them. Programs that
# use an installed graspmap look in its headers (Install.cmake).
function(include_root target)
  set(root ${CMAKE_BINARY_DIR}/include/${target})
  foreach(folder ${ARGN})
    cmake_path(GET folder PARENT_PATH parent)
    file(MAKE_DIRECTORY ${root}/${parent})
    file(CREATE_LINK ${CMAKE_SOURCE_DIR}/${folder} ${root}/${folder} SYMBOLIC)
  endforeach()
  get_target_property(type ${target} TYPE)
  if(type STREQUAL EXECUTABLE)
    target_include_directories(${target} PRIVATE ${root})
  elseif(type STREQUAL INTERFACE_LIBRARY)
    target_include_directories(${target} INTERFACE ${root})
  else()
    target_include_directories(${target} PUBLIC $<BUILD_INTERFACE:${root}>)
  endif()
endfunction()
