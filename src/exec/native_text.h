/* The text of native_runtime.h, put here by the build (CMakeLists.txt). */
#ifndef NOETHER_EXEC_NATIVE_TEXT_H
#define NOETHER_EXEC_NATIVE_TEXT_H

extern const char native_runtime_text[];

#endif
