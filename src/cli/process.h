/* The memory of the process: counted from the start of the program to its end, limited by --memory. If it is exhausted,
 * the answer is the partial one (cli/partial.h), and the exit status 3. */
#ifndef NOETHER_CLI_PROCESS_H
#define NOETHER_CLI_PROCESS_H

#include <stdint.h>

void process_begin(void);
/* Bytes; 0: no limit. */
void process_limit_memory(uint64_t bytes);
/* A module (MPI) was loaded, which takes memory before anything is searched: a limit so small that it cannot be kept is
 * that much larger, as the limit is for what the program itself needs. */
void process_note_module(void);

#endif
