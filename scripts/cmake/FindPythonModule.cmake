# Sets GRASPMAP_HAS_PYTHON_MODULE: whether the Python module is to be built, by the option
# GRASPMAP_PYTHON_MODULE, which is ON, OFF or AUTO: where pybind11 and Python's headers are installed. It
# is for Debian's Python, which need not be the first on the PATH.
set(GRASPMAP_PYTHON_MODULE AUTO CACHE STRING "The Python module: ON, OFF, or AUTO: where pybind11 is")
set_property(CACHE GRASPMAP_PYTHON_MODULE PROPERTY STRINGS AUTO ON OFF)
set(GRASPMAP_HAS_PYTHON_MODULE OFF)
# A sanitizer must be in the program that loads the module: scripts/python_sanitized sees to that.
if(GRASPMAP_PYTHON_MODULE STREQUAL OFF OR (GRASPMAP_PYTHON_MODULE STREQUAL AUTO AND GRASPMAP_SANITIZE))
  return()
endif()
if(NOT DEFINED Python_EXECUTABLE AND EXISTS /usr/bin/python3)
  set(Python_EXECUTABLE /usr/bin/python3 CACHE FILEPATH "The Python that the module is for")
endif()
find_package(Python 3.11 COMPONENTS Interpreter Development.Module QUIET)
if(Python_FOUND)
  find_package(pybind11 2.10 CONFIG QUIET)
endif()
if(Python_FOUND AND pybind11_FOUND)
  set(GRASPMAP_HAS_PYTHON_MODULE ON)
elseif(GRASPMAP_PYTHON_MODULE STREQUAL AUTO)
  message(STATUS "No Python module: pybind11 or Python's headers are not installed "
    "(Debian: apt-get install pybind11-dev python3-dev python3-numpy).")
else()
  message(FATAL_ERROR "pybind11 or Python's headers were not found (Debian: apt-get install "
    "pybind11-dev python3-dev python3-numpy).")
endif()
