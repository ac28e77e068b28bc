# `cpack -G DEB` in the build folder makes a package for this Debian: the program, its pages and scenarios. Libraries and
# headers are the component `development`, which is not packaged.
set(CPACK_PACKAGE_NAME spillway)
set(CPACK_PACKAGE_VENDOR "The Spillway authors")
set(CPACK_PACKAGE_CONTACT "The Spillway authors <spillway@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "discrete-event traffic simulator for service meshes")
set(CPACK_PACKAGE_DESCRIPTION
    "Spillway says where every share of a service mesh's traffic goes, why, and
what that does to capacity: from a scenario file, or from the documents of
Envoy, Kuma and Istio as they are found.")
set(CPACK_RESOURCE_FILE_LICENSE "${PROJECT_SOURCE_DIR}/LICENSE")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_GENERATOR DEB)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_COMPONENTS_GROUPING ALL_COMPONENTS_IN_ONE)
set(CPACK_COMPONENTS_ALL Unspecified)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION net)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "gnuplot-nox, graphviz")
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "bash-completion")
# Packs what is built; the build itself is `cmake --build`.
set(CMAKE_SKIP_INSTALL_ALL_DEPENDENCY ON)
include(CPack)
