# Defines cograph_catch2: Catch2 2 or 3, from its package, else from its single header, else, with COGRAPH_FETCH,
# from a download. tests/catch.hpp hides the difference.
add_library(cograph_catch2 INTERFACE)
find_package(Catch2 QUIET)
if(NOT TARGET Catch2::Catch2)
    find_path(COGRAPH_CATCH2_INCLUDE_DIR catch2/catch.hpp)
    if(COGRAPH_CATCH2_INCLUDE_DIR)
        add_library(Catch2::Catch2 INTERFACE IMPORTED GLOBAL)
        target_include_directories(Catch2::Catch2 INTERFACE ${COGRAPH_CATCH2_INCLUDE_DIR})
    elseif(COGRAPH_FETCH)
        include(FetchContent)
        FetchContent_Declare(Catch2
            URL https://github.com/catchorg/Catch2/archive/refs/tags/v3.5.4.tar.gz)
        FetchContent_MakeAvailable(Catch2)
    else()
        message(FATAL_ERROR "the tests need Catch2: install catch2 (Debian, Ubuntu) or catch-devel (Fedora), "
                            "or configure with -DCOGRAPH_FETCH=ON to download it, "
                            "or with -DCOGRAPH_BUILD_TESTS=OFF to do without tests")
    endif()
endif()
target_link_libraries(cograph_catch2 INTERFACE Catch2::Catch2)
