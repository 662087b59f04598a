# Optional parts: a library is used only if a small program that uses it can be compiled and linked here. Half of a package
# (a compiler wrapper without headers, a header without its library) is as good as none.
include(CheckCSourceCompiles)

# Sets RESULT to whether the program compiles with INCLUDES (folders) and links with LIBRARIES. What fails is said, and
# tried again by the next run of CMake.
function(noether_try_part RESULT NAME WITHOUT PROGRAM INCLUDES LIBRARIES)
  set(CMAKE_REQUIRED_INCLUDES ${INCLUDES})
  set(CMAKE_REQUIRED_LIBRARIES ${LIBRARIES})
  set(CMAKE_REQUIRED_QUIET ON)
  string(FIND "${INCLUDES};${LIBRARIES}" "-NOTFOUND" is_missing)
  if(is_missing EQUAL -1)
    check_c_source_compiles("${PROGRAM}" ${RESULT})
  endif()
  if(NOT ${RESULT})
    unset(${RESULT} CACHE)
    set(${RESULT} OFF PARENT_SCOPE)
    message(STATUS "${NAME} cannot be used (not installed, or not whole): ${WITHOUT}")
  endif()
endfunction()

# MPI, of which CMake's own module ends with an error where there is a wrapper and its headers are missing (openmpi-bin
# without libopenmpi-dev). So the wrapper is tried first. A macro: the module's target is for the caller.
macro(noether_find_mpi RESULT)
  set(mpi_program "#include <mpi.h>\nint main(void) { return MPI_Init_thread(0, 0, MPI_THREAD_SERIALIZED, 0); }\n")
  find_program(MPI_C_COMPILER NAMES mpicc mpicc.openmpi mpicc.mpich)
  set(mpi_libraries MPI-NOTFOUND)
  if(MPI_C_COMPILER)
    file(WRITE ${CMAKE_BINARY_DIR}/parts/mpi.c "${mpi_program}")
    execute_process(COMMAND ${MPI_C_COMPILER} mpi.c -o mpi WORKING_DIRECTORY ${CMAKE_BINARY_DIR}/parts
      RESULT_VARIABLE mpi_code OUTPUT_QUIET ERROR_QUIET)
    if(mpi_code EQUAL 0)
      find_package(MPI COMPONENTS C QUIET)
    endif()
    if(MPI_C_FOUND)
      set(mpi_libraries ${MPI_C_LIBRARIES} ${MPI_C_LINK_FLAGS})
    endif()
  endif()
  noether_try_part(NOETHER_HAS_MPI "MPI" "no distributed searches" "${mpi_program}" "${MPI_C_INCLUDE_DIRS}" "${mpi_libraries}")
  set(${RESULT} ${NOETHER_HAS_MPI})
endmacro()
