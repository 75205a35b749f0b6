# Defines Boost::headers, of which cograph uses Boost.Hana: from Boost's own package, else from bare headers,
# else, with COGRAPH_FETCH, from a download. Installed with cograph, because its users need the same.
if(NOT TARGET Boost::headers)
    find_package(Boost 1.74 CONFIG QUIET)
endif()
if(NOT TARGET Boost::headers)
    find_path(COGRAPH_HANA_INCLUDE_DIR boost/hana.hpp)
    if(NOT COGRAPH_HANA_INCLUDE_DIR AND COGRAPH_FETCH)
        include(FetchContent)
        FetchContent_Declare(hana
            URL https://github.com/boostorg/hana/archive/refs/tags/boost-1.83.0.tar.gz
            SOURCE_SUBDIR headers-only)
        FetchContent_MakeAvailable(hana)
        set(COGRAPH_HANA_INCLUDE_DIR ${hana_SOURCE_DIR}/include CACHE PATH "Where boost/hana.hpp is" FORCE)
    endif()
    if(NOT COGRAPH_HANA_INCLUDE_DIR)
        message(FATAL_ERROR "cograph needs Boost.Hana 1.74 or newer: install libboost-dev (Debian, Ubuntu) or "
                            "boost-devel (Fedora), or configure with -DCOGRAPH_FETCH=ON to download it")
    endif()
    add_library(Boost::headers INTERFACE IMPORTED GLOBAL)
    target_include_directories(Boost::headers INTERFACE ${COGRAPH_HANA_INCLUDE_DIR})
endif()
