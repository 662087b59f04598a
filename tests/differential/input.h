/* A random model as generate.py writes it: a file with the extension .m; its properties perhaps in one with .props
 * beside it; a first line "-- -D NAME=VALUE" sets a constant, and "--undefined error" or "--dialect D" in one of the
 * first two comments is as on the command line. */
#ifndef NOETHER_TESTS_INPUT_H
#define NOETHER_TESTS_INPUT_H

#include "base/diag.h"
#include "driver/model.h"

struct input {
    struct model *model; /* NULL: it was refused, see diagnostics */
    struct diagnostics diagnostics;
    struct model_sources sources;
    char *properties; /* path; NULL: none */
    char line[256];
    struct define define;
    size_t define_count;
};

struct input input_open(const char *path);
void input_close(struct input *input);

#endif
