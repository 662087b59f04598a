/* The names of a model: where each is defined and used, and an outline of the text. A front end fills the table while
 * it reads, if the reading asks for it (struct reading of ir/language.h); editors are the readers.
 *
 * Whoever resolves a name knows the place of its definition, perhaps before all is known of the definition: a use is
 * kept with that place, and names_finish connects both. What is recorded twice (a rule that is read once for each value
 * of a parameter) is kept once. Strings are copied; spans point into sources that the caller keeps. */
#ifndef NOETHER_BASE_NAMES_H
#define NOETHER_BASE_NAMES_H

#include <stdbool.h>

#include "base/source.h"
#include "base/vec.h"

enum name_kind {
    NAME_CONSTANT,
    NAME_TYPE,
    NAME_VARIABLE,
    NAME_PARAMETER, /* of a routine, a rule or a quantifier */
    NAME_FIELD,
    NAME_VALUE, /* of an enum */
    NAME_ROUTINE,
    NAME_FORMULA, /* an expression with a name: a formula, an alias, a macro */
    NAME_MODULE,  /* a module, a proctype */
    NAME_ACTION,
    NAME_LABEL, /* of a place in a process */
    NAME_RULE,
    NAME_START,
    NAME_PROPERTY
};

struct name_definition {
    enum name_kind kind;
    const char *name;
    struct span span;
    const char *detail; /* the declaration, as the language would write it; NULL: just the name */
    const char *type;   /* the name of the index type whose symmetry concerns it; or NULL */
    bool is_fixed;      /* it cannot be renamed: other names depend on it, or it stands in text that is no name */
};

struct name_use {
    struct span span;
    uint32_t definition;
};

/* A part of the text: parents stand before their parts, which are deeper. */
struct outline_entry {
    enum name_kind kind;
    const char *title;
    struct span span;     /* what to show: on the first line of the part */
    struct span from, to; /* the first and the last token */
    uint32_t depth;
};

struct name_slot;
struct name_member;

struct names {
    struct arena *arena;
    VEC(struct name_definition) definitions; /* after names_finish by place */
    VEC(struct name_use) uses;               /* after names_finish by place, without the definitions themselves */
    VEC(struct outline_entry) outline;
    VEC(struct span) targets; /* of the uses, until they are connected */
    VEC(struct name_member) members;
    VEC(struct span) fixed;  /* definitions that are not to be renamed, until names_finish */
    struct name_slot *slots; /* definitions and uses by place */
    size_t slot_count, taken;
    bool is_partial; /* an error of syntax, or too many errors: there are names that are not in the table */
};

struct names *names_create(void);
void names_destroy(struct names *names);

/* All of these do nothing where `names` is NULL: nobody has asked. */

/* `detail` may be NULL and follow with a second call. */
void names_define(struct names *names, enum name_kind kind, const char *name, struct span span, const char *detail,
                  const char *type);
/* The one that is defined there, if any, is not to be renamed. A use that means one and then the other (a text that is
 * read in several places) fixes both. */
void names_fix(struct names *names, struct span definition);
void names_use(struct names *names, struct span use, struct span definition);
/* Parts of a whole, which may have no place of its own, such as a type of a record; or a space of names. A second
 * definition of one is a use: they are renamed together. */
void names_define_member(struct names *names, enum name_kind kind, const void *whole, const char *name,
                         struct span span, const char *detail);
void names_use_member(struct names *names, const void *whole, const char *name, struct span use);
void names_fix_member(struct names *names, const void *whole, const char *name);
void names_outline(struct names *names, enum name_kind kind, const char *title, struct span span, struct span from,
                   struct span to, uint32_t depth);
/* The line of the text that a definition stands on, for its detail. */
const char *names_line(struct names *names, struct span span);
void names_finish(struct names *names);

#endif
