/* Names and their meanings. Scopes nest; an inner name hides an outer one. */
#ifndef NOETHER_LANG_MURPHI_SCOPE_H
#define NOETHER_LANG_MURPHI_SCOPE_H

#include "base/vec.h"
#include "ir/system.h"
#include "lang/murphi/ast.h"

/* A function or procedure, and what a call of it changes. */
struct routine {
    struct function *function;
    uint32_t cost;            /* of walking through a call and what it calls, in statements; saturates */
    bool writes_state;        /* assigns to a global variable, or calls what does */
    bool *writes_parameter;   /* for each parameter: assigned to (by reference) */
    bool may_be_undefined;    /* a RETURN gives a scalar that CMurphi may return undefined */
    const struct type *boxed; /* so its result is the field of a record: of this type; NULL: it is as declared */
};

enum symbol_kind {
    SYMBOL_VALUE, /* a constant, or an alias of an expression */
    SYMBOL_TYPE,
    SYMBOL_PLACE, /* a variable, a parameter, an alias of one */
    SYMBOL_ROUTINE,
    SYMBOL_ERROR /* its declaration was wrong: say nothing more about it */
};

struct symbol {
    enum symbol_kind kind;
    const char *name;
    uint64_t hash;
    uint32_t scope;        /* the depth it is declared at */
    struct symbol *hidden; /* the older one in its bucket */
    struct span span;
    uint32_t uses;
    struct span last_use; /* of a name in an expression */
    bool is_derived;      /* a constant that is not given by a number */
    struct expr *value;
    const struct type *type;
    struct place *place;
    struct routine *routine;

    /* PLACE */
    const char *read_only;      /* NULL, or what it is that cannot be assigned to: "a loop variable" */
    bool is_fixed;              /* always defined, and constant as long as it is in scope */
    bool is_outside;            /* outlives the function: writing it is a side effect */
    int parameter;              /* which reference parameter it is (part of), or -1 */
    const struct type *slot_of; /* the number of a slot of such a multiset, or NULL */
};

enum { SCOPE_BUCKETS = 1024 };

struct scope {
    struct arena *arena;
    struct symbol *buckets[SCOPE_BUCKETS]; /* newest first */
    VEC(struct symbol *) symbols;
    VEC(size_t) starts; /* where each scope begins */
    /* Told of each symbol whose scope is closed, when all is known of it; or NULL. */
    void (*forget)(void *user, const struct symbol *symbol);
    void *user;
};

void scope_open(struct scope *scope);
void scope_close(struct scope *scope);
/* Closes scopes until `depth` are open. */
void scope_close_to(struct scope *scope, size_t depth);
/* The symbol of that name in the innermost scope that has one, or NULL. */
struct symbol *scope_find(const struct scope *scope, const char *name);
/* The same, only in the innermost scope. */
struct symbol *scope_find_here(const struct scope *scope, const char *name);
struct symbol *scope_add(struct scope *scope, enum symbol_kind kind, struct ast_name name);
/* The visible name closest in spelling, or one of the keywords that may stand there, too (a list that NULL ends); or
 * NULL. */
const char *scope_suggest(const struct scope *scope, const char *name, const char *const *keywords);
void scope_free(struct scope *scope);

#endif
