/* The command line, parsed. Values are checked when parsed, so reading them cannot fail. */
#ifndef NOETHER_CLI_OPTIONS_H
#define NOETHER_CLI_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/amount.h"
#include "base/text.h"
#include "driver/model.h"
#include "driver/option_table.h"

struct option_row {
    char letter; /* 0: none */
    const char *name;
    enum option_kind kind;
    const char *argument, *standard;
    int commands;
    unsigned murphi, prism; /* the engines that use it; all where it is no matter of engines */
    const char *help;
};
/* Values of an option that help shows apart. */
struct comparison_row {
    enum option_id id;
    const char *values, *help;
};
struct command_row {
    const char *name, *operands;
    int operand_count;
    const char *summary;
};
extern const struct option_row option_rows[OPTION_COUNT];
extern const struct command_row command_rows[COMMAND_COUNT];
extern const struct comparison_row comparison_rows[];
extern const size_t comparison_row_count;

struct options {
    enum command_id command;
    const char *values[OPTION_COUNT]; /* what was given, else the default, else NULL; a flag: "yes" */
    VEC(struct define) defines;       /* names and values are on the heap */
    struct text asked;                /* all that was given with --property, a line each */
    VEC(const char *) operands;
    char *const *words; /* all of them, as they were given */
    size_t word_count;
    const struct transport *transport; /* between the processes of --distributed; NULL: there is one */
    struct checkpoint *resumed;        /* that the command goes on from; NULL: none */
    char **own_words;                  /* of that, on the heap; or NULL */
    bool is_one_of_several;            /* models that one command checks */
    struct rank_meeting *meeting;      /* distributed.c: NULL: there is one process */
    int answers; /* in a child process of several.c: where it says that it has given its answer; 0: no child */
};

/* The position of `value` in a list "a|b|c", or -1. */
int options_position(const char *list, const char *value, size_t length);

/* COMMAND_COUNT when there is no such command. */
enum command_id options_find_command(const char *name);
/* Parses what follows the command. False: wrong usage, with what is wrong in `message`. Free it in any case. */
bool options_parse(struct options *options, enum command_id command, int count, char **words, struct text *message);
void options_free(struct options *options);

/* The operand that is a file of properties, or NULL. */
const char *options_properties(const struct options *options);
/* Is it one by its name? */
bool options_is_properties(const char *path);
/* Does a check have several models? Each may have a file of properties behind it. */
bool options_are_several(const struct options *options);
/* KIND_CHOICE: the position of the value in the argument's list. */
int options_choice(const struct options *options, enum option_id id);
/* KIND_SIZE, KIND_COUNT; 0 when not given. */
uint64_t options_number(const struct options *options, enum option_id id);
/* KIND_TIME; 0 when not given. */
double options_seconds(const struct options *options, enum option_id id);
double options_share(const struct options *options, enum option_id id);

/* Tells the parent process of a check that the answer has been given, with this exit code. `answers` 0: no parent. */
void options_note_answer(int answers, int code);

#endif
