/* The JSON answer of an earlier run. Exit status 3 must not leave it where a program would take it for the answer of
 * this run. */
#ifndef NOETHER_CLI_STALE_H
#define NOETHER_CLI_STALE_H

/* Sets the path of the JSON answer (NULL: none is asked for). A regular file that exists there is an earlier answer. */
void stale_expect(const char *path);
/* The same from the words of the command line, before there is memory to read them. */
void stale_expect_in(int count, char **words);
/* The file was written: it is the answer of this run. */
void stale_note_written(const char *path);
/* Removes an earlier answer that was not replaced. Needs no memory. */
void stale_remove(void);

#endif
