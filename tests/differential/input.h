/* A random model as a generator writes it: the extension of the file says the language; its properties may stand in a
 * file with .props beside it; a first line "-- -D NAME=VALUE" or "// -D NAME=VALUE" sets a constant. "--undefined
 * error", "--dialect D" and
 * "--threads-of-model N --recursion N" in one of the first two comments are as on the command line, and so is a line
 * "// --property TEXT" among them. */
#ifndef NOETHER_TESTS_INPUT_H
#define NOETHER_TESTS_INPUT_H

#include "base/diag.h"
#include "driver/model.h"

struct input {
    struct model *model; /* NULL: it was refused, see diagnostics */
    struct diagnostics diagnostics;
    struct model_sources sources;
    char *properties; /* path; NULL: none */
    char *asked;      /* text of a property; NULL: none */
    char line[256];
    struct define define;
    size_t define_count;
};

struct input input_open(const char *path);
void input_close(struct input *input);

#endif
