/* A modelling language: its front end, and the questions that other rooms may ask about it.
 *
 * A front end is a row: it registers a `struct language` with the driver (driver/languages.c), reads a `struct reading`
 * and returns a finished system whose `language` is that row. Nothing after it asks which language it was; it asks
 * for features of the system (system_has_probabilities) or for the words of the language below. */
#ifndef NOETHER_IR_LANGUAGE_H
#define NOETHER_IR_LANGUAGE_H

#include "base/format.h"
#include "base/names.h"
#include "ir/system.h"

/* -D NAME=VALUE; one that names no constant of the model is an error. */
struct define {
    const char *name, *value;
};

/* An expression, read in the scope of the model: names are those of its globals, and elements of scalarsets may be
 * called as they are printed ("Node_2"). */
struct question {
    const struct source *text;
    const struct type *type; /* the answer, in the arena of the system: the type, and */
    struct expr *value;      /* a scalar (which may be undefined), */
    struct place *place;     /* or an array, record or multiset */
};

/* Whose rules hold for undefined values of a Murphi model; auto: what both tools accept, and what neither stops at. */
enum dialect { DIALECT_AUTO, DIALECT_CMURPHI, DIALECT_RUMUR };

/* Promela: when a process that has ended disappears: when it has the highest pid, as in SPIN; at any time; never. */
enum process_death { DEATH_LAST, DEATH_ANY, DEATH_NEVER };

/* How a model is read; all zero: as if no option were given. */
struct manner {
    bool is_lenient;         /* a property that cannot be checked is no error, but unknown */
    bool undefined_is_error; /* Murphi: also in comparisons of scalarsets and unions */
    enum dialect dialect;
    uint32_t threads;   /* Boolean programs: how many threads run the model; 0: it says so itself */
    uint32_t recursion; /* and how deep procedures may call themselves; 0: the front end decides */
    uint32_t processes; /* Promela: room for so many where they are started without bound; 0: the front end decides */
    enum process_death death;
    bool keeps_loops;    /* Promela: every statement of a loop is a step (a trail is followed); no part of the text */
    bool ignores_labels; /* and labels of cycles ask for nothing */
};

/* As numbers, for files. False: they are none of a manner. */
enum { MANNER_NUMBERS = 8 };
void manner_write(const struct manner *manner, uint32_t *numbers);
bool manner_read(struct manner *manner, const uint32_t *numbers);
/* The number-th option that belongs to models of one language: its name, "recursion"; NULL: there are no more.
 * `is_given`: not as if it were not given. */
const char *manner_option(const struct manner *manner, size_t number, bool *is_given);
/* "\n  with --recursion 3" for each option that is not as if none were given. */
void manner_print(const struct manner *manner, struct text *out);

/* What is read besides the model; all zero: nothing. */
struct reading {
    const struct define *defines;
    size_t define_count;
    const struct source *properties, *asked; /* a file of properties, and what was asked for besides; or NULL */
    struct question *question;               /* answered when the model is read; or NULL */
    /* Of chains: modules that synchronise in more combinations than that become one rule (struct joint of ir/chain.h).
     * 0: the front end decides. */
    uint64_t most_combined;
    struct manner manner;
    struct names *names; /* filled where it is not NULL (base/names.h), also of a model with errors */
};

struct language {
    const char *name;       /* as --language takes it */
    const char *title;      /* as messages call it */
    const char *extensions; /* of its files, separated by blanks */
    const char *openings;   /* words that its models begin with and those of other languages do not, in the same way */
    /* NULL when diagnostics->errors > 0. The sources must outlive the system (spans point into them). */
    struct system *(*read)(const struct source *source, const struct reading *reading, struct diagnostics *diagnostics);
    /* The extension of the file of properties that is read without being named where it stands beside the model; NULL:
     * none. */
    const char *beside;
    /* The extensions of files of properties that are for its models, as above; NULL: no extension tells. */
    const char *asks;
    /* Does the text begin as properties for its models do and those for models of other languages do not? NULL: there
     * are no files of them. */
    bool (*begins_property)(const char *text);
    const char *property_form; /* how one is written, for a hint */
    const char *equality;      /* the operator that compares; NULL: "=" */
    /* Is it one name, and no word of the language? */
    bool (*is_name)(const char *text);
    format_reader *lay_out;    /* for the layout of texts; NULL: there is none */
    const char *manners;       /* options (manner_option) that are for its models; NULL: none */
    bool is_ground;            /* rules have no parameters and formulas no quantifiers: every element is named */
    const char *may_end;       /* what allows a model to end in a state, as a hint; NULL: --final CONDITION */
    bool declares_types;       /* index types, whose sizes may be constants */
    bool declares_final;       /* "final CONDITION;" in a model is what --final is on the command line */
    bool loops_move;           /* a step that leads back to its state is one: there is no deadlock */
    bool outcomes_share_names; /* several rules come from one command and have its name and line */
    bool spans_are_whole;      /* the place of an expression in the text is all of it, or its first line */
    bool statements_are_rules; /* a rule is a part of a statement, and the parts of one have its place in the text */
};

/* Of systems that were not read from a text. */
extern const struct language language_none;

/* The last of those with that name, which counts; NULL: none. */
const struct define *reading_define(const struct reading *reading, const char *name);

#endif
