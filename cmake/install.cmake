# What `cmake --install` puts where. Three components, as Debian has three packages: the programs (runtime), the shared
# library (library), and what programs that use it are built with (development).
include(GNUInstallDirs)
set(docs ${CMAKE_INSTALL_DOCDIR})

install(TARGETS noether noether-verify COMPONENT runtime)
install(TARGETS libnoether LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT library NAMELINK_COMPONENT development)
install(FILES include/noether.h TYPE INCLUDE COMPONENT development)
configure_file(noether.pc.in ${CMAKE_BINARY_DIR}/noether.pc @ONLY)
install(FILES ${CMAKE_BINARY_DIR}/noether.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT development)

install(FILES docs/noether.1 docs/noether-verify.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT runtime)
install(FILES ${CMAKE_BINARY_DIR}/completion.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions
  RENAME noether COMPONENT runtime)
install(FILES ${CMAKE_BINARY_DIR}/completion.zsh DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions
  RENAME _noether COMPONENT runtime)
install(DIRECTORY docs/ DESTINATION ${docs}/docs COMPONENT runtime PATTERN "*.1" EXCLUDE)
# What the pages lead to lies where they expect it.
install(FILES README.md CHANGELOG.md CONTRIBUTING.md DESTINATION ${docs} COMPONENT runtime)
install(FILES editors/README.md DESTINATION ${docs}/editors COMPONENT runtime)
install(FILES python/README.md DESTINATION ${docs}/python COMPONENT runtime)
install(FILES python/examples/tour.py DESTINATION ${docs}/python/examples COMPONENT runtime)
install(FILES include/noether.h DESTINATION ${docs}/include COMPONENT runtime)
install(DIRECTORY examples DESTINATION ${docs} COMPONENT runtime)
install(DIRECTORY editors/ DESTINATION ${CMAKE_INSTALL_DATADIR}/noether/editors COMPONENT runtime USE_SOURCE_PERMISSIONS)
