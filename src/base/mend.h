/* What a text with errors of syntax was meant to be: a keyword is misspelt, or one sign stands for another.
 *
 * Near the first error one token at a time becomes what it may be meant to be, and the text is read again. If the first
 * error is gone, and none has come before it, that token is the mistake: it is reported with the hint, and the text is
 * read on as it was meant, so that what follows is not reported line by line. So a hint is given only where it helps:
 * the parser is asked, and no list says which word may stand where.
 *
 * A text with errors is read a bounded number of times; one without errors once. */
#ifndef NOETHER_BASE_MEND_H
#define NOETHER_BASE_MEND_H

#include "base/arena.h"
#include "base/diag.h"

/* The tokens of a text, and how they are read. A client knows them by their number. */
struct mend {
    void *user;
    size_t count; /* the last one is the end of the file */
    /* Reads all tokens as they stand; the tree lives in `arena`, and the last reading counts. */
    void (*read)(void *user, struct arena *arena, struct diagnostics *diagnostics);
    struct span (*span)(void *user, size_t token);
    const char *(*text)(void *user, size_t token); /* as it is written */
    /* What else it may be meant to be, the `choice`-th guess; NULL: there is no such guess. */
    const char *(*guess)(void *user, size_t token, size_t choice);
    /* From now on it is `text`, which is a guess or what it was before. */
    void (*change)(void *user, size_t token, const char *text);
};

/* Reads the text, and adds what is wrong with it. */
void mend_read(const struct mend *mend, struct arena *arena, struct diagnostics *diagnostics);

#endif
