include(CMakeFindDependencyMacro)
include(${CMAKE_CURRENT_LIST_DIR}/cograph-boost.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/cograph-targets.cmake)
