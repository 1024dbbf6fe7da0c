# `cpack -G DEB` in a build folder: Debian packages of what Install.cmake installs (scripts/package).
#   graspmap           component runtime
#   graspmap-step      component step, where OpenCASCADE is installed
#   graspmap-dev       component development
#   python3-graspmap   component python, where something is installed with it
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME graspmap)
set(CPACK_PACKAGE_VENDOR "the graspmap authors")
set(CPACK_PACKAGE_CONTACT "the graspmap authors <graspmap@users.noreply.github.com>")
set(CPACK_PACKAGE_DIRECTORY ${CMAKE_BINARY_DIR})
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS ${CMAKE_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS})
set(CPACK_COMPONENTS_GROUPING IGNORE)
get_cmake_property(CPACK_COMPONENTS_ALL COMPONENTS)
list(REMOVE_ITEM CPACK_COMPONENTS_ALL Unspecified)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_RELEASE 1)
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)
# copyright, changelogs, compressed man pages: what Debian wants besides.
set(CPACK_PRE_BUILD_SCRIPTS ${CMAKE_CURRENT_LIST_DIR}/AddDebianFiles.cmake)

set(CPACK_DEBIAN_RUNTIME_PACKAGE_NAME graspmap)
set(CPACK_DEBIAN_RUNTIME_PACKAGE_SECTION science)
set(CPACK_DEBIAN_RUNTIME_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_RUNTIME_PACKAGE_RECOMMENDS "gnuplot-nox | gnuplot")
set(CPACK_DEBIAN_RUNTIME_PACKAGE_SUGGESTS "graspmap-step, bash-completion, zsh")
set(CPACK_COMPONENT_RUNTIME_DESCRIPTION
"maps from where a gripper grasps a part best
graspmap simulates many thousand times how a parallel-jaw gripper closes on a
flat part on a table, each time with a different placement and different
friction, and maps how often the grasp succeeds. Parts and fingers come from
DXF or SVG drawings, from points and arcs, or from simple shapes. Other
commands plan for a robot that is not exact, and compare runs with experiments.
.
graspmap-lab simulates scenes of rigid bodies with contact and friction, and
compares time-steppers.")

set(CPACK_DEBIAN_STEP_PACKAGE_NAME graspmap-step)
set(CPACK_DEBIAN_STEP_PACKAGE_SECTION science)
set(CPACK_DEBIAN_STEP_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_STEP_PACKAGE_DEPENDS "graspmap (= ${PROJECT_VERSION}-${CPACK_DEBIAN_PACKAGE_RELEASE})")
set(CPACK_COMPONENT_STEP_DESCRIPTION
"STEP files for graspmap
With this package graspmap reads parts from STEP files, by OpenCASCADE: exact
sections and silhouettes, mass, and the faces on which they rest.")

set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_NAME graspmap-dev)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS "libeigen3-dev, libtbb-dev, libboost-dev, \
libboost-program-options-dev, libtomlplusplus-dev, libfmt-dev, libsqlite3-dev, libxxhash-dev, \
libzip-dev, zlib1g-dev, libpugixml-dev, libqhull-dev, libpolyclipping-dev")
set(CPACK_COMPONENT_DEVELOPMENT_DESCRIPTION
"simulate grasps in your own C++ programs
Static libraries, headers and a CMake package of graspmap, which simulates how
a gripper closes on a flat part and maps how often the grasp succeeds.")

# python/ installs the module with COMPONENT python. It works with the Python that it was built for.
set(CPACK_DEBIAN_PYTHON_PACKAGE_NAME python3-graspmap)
set(CPACK_DEBIAN_PYTHON_PACKAGE_SECTION python)
set(CPACK_DEBIAN_PYTHON_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PYTHON_PACKAGE_DEPENDS "python3 (>= 3.11), python3 (<< 3.12), python3-numpy")
set(CPACK_DEBIAN_PYTHON_PACKAGE_RECOMMENDS "gnuplot-nox | gnuplot")
set(CPACK_DEBIAN_PYTHON_PACKAGE_SUGGESTS "python3-matplotlib, python3-xarray, python3-pandas, python3-scipy")
set(CPACK_COMPONENT_PYTHON_DESCRIPTION
"map from where a gripper grasps a part best, in Python
A Python module with the simulations and analyses of graspmap: sweeps over
placements and friction, maps of success, plans for a robot that is not exact,
and comparisons with experiments.")

include(CPack)
