/* Which constructs of the language stand in some models, and how often.
 *
 * Every construct that is known by itself (a kind of token, of node of the syntax tree or of the IR, an operator) is
 * expected from the beginning: a new one counts as missing until the generator makes it. So are the combinations listed
 * here. */
#ifndef NOETHER_TESTS_CONSTRUCTS_H
#define NOETHER_TESTS_CONSTRUCTS_H

#include "base/vec.h"
#include "ir/system.h"

struct construct {
    char *name;
    uint64_t count;
};

struct constructs {
    VEC(struct construct) items;
};

/* Counts it, expected or not. */
void constructs_note(struct constructs *constructs, const char *format, ...) __attribute__((format(printf, 2, 3)));
void constructs_expect(struct constructs *constructs, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* constructs_tree.c: tokens and syntax tree of the text; `is_model`: not a file of properties. */
void constructs_expect_tree(struct constructs *constructs);
void constructs_note_tree(struct constructs *constructs, const struct source *source, bool is_model);
/* constructs_ir.c: the typed system made of it. */
void constructs_expect_ir(struct constructs *constructs);
void constructs_note_ir(struct constructs *constructs, const struct system *system);

#endif
