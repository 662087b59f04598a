/* Expressions as written -> resolved: names replaced by values and variables, formulas expanded, types checked,
 * constant parts folded. A formula is expanded before a module is renamed, so the names inside it are renamed too. */
#ifndef NOETHER_LANG_PRISM_RESOLVE_H
#define NOETHER_LANG_PRISM_RESOLVE_H

#include "lang/prism/reader.h"

/* The renamings of a module that is a copy (of a copy ...), the innermost first. */
struct prism_scope {
    const struct prism_module *module;
    const struct prism_scope *outer;
};

/* What the name is called in the copy. */
const char *prism_scope_rename(const struct prism_scope *scope, const char *name);
/* Never NULL; of type NONE when something was wrong (an error was reported). */
struct prism_expr *prism_resolve(struct prism_reader *reader, const struct prism_expr *expr,
                                 const struct prism_scope *scope);
/* Resolved, and of that type (REAL: any number). `what` is for the message. NULL after an error. */
struct prism_expr *prism_resolve_as(struct prism_reader *reader, const struct prism_expr *expr,
                                    const struct prism_scope *scope, enum prism_type type, const char *what);
/* ... and constant. */
const struct prism_value *prism_resolve_constant(struct prism_reader *reader, const struct prism_expr *expr,
                                                 const struct prism_scope *scope, enum prism_type type,
                                                 const char *what);
/* properties.c: the kinds of expressions that only properties have. */
struct prism_expr *prism_resolve_property(struct prism_reader *reader, struct prism_expr *expr);
/* multi(...), in multi.c. */
struct prism_expr *prism_resolve_multi(struct prism_reader *reader, struct prism_expr *expr);
/* Is there no operator of the property language in it (and no label)? */
bool prism_is_plain(const struct prism_expr *expr);
/* Is it one temporal operator of state formulas? Other path formulas are LTL. */
bool prism_is_single_path(const struct prism_expr *expr);
/* Of R: is it neither F states nor C, I or S, but LTL? */
bool prism_is_linear_goal(const struct prism_expr *expr);
/* Marks it as wrong: its type is NONE. */
struct prism_expr *prism_broken(struct prism_expr *expr);
/* "a bool", "an int", "a double" */
const char *prism_type_phrase(enum prism_type type);

#endif
