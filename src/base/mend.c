#include "base/mend.h"

#include <string.h>

#include "base/report.h"
#include "base/scan.h"

enum {
    MOST_MISTAKES = 8,   /* that are mended in one text */
    MOST_GUESSES = 3,    /* of one token */
    MOST_WORK = 2000000, /* tokens that are read in attempts: a large text has fewer of them, ... */
    LEAST_ATTEMPTS = 8,  /* ... but so many */
    REACH = 12           /* so many tokens before the error may be the mistake */
};

/* There is one. */
static const struct diagnostic *first_error(const struct diagnostics *list)
{
    const struct diagnostic *first = list->items;
    while (first->severity != SEVERITY_ERROR)
        first++;
    for (const struct diagnostic *item = first; item < list->items + list->count; item++)
        if (item->severity == SEVERITY_ERROR && span_is_before(item->span, first->span))
            first = item;
    return first;
}

/* What is wrong with the tokens as they stand; the tree is not kept. */
static struct diagnostics try_reading(const struct mend *mend)
{
    struct arena *scratch = arena_create();
    struct diagnostics found = {0};
    mend->read(mend->user, scratch, &found);
    arena_destroy(scratch);
    return found;
}

/* The number of tokens that begin before or at the place. */
static size_t tokens_until(const struct mend *mend, struct span place)
{
    size_t low = 0, high = mend->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (span_is_before(place, mend->span(mend->user, middle)))
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

/* Is the first error gone, and none before it? Then `now` is what is still wrong. A sign has a meaning where it stands,
 * so another one in its place must leave fewer errors; a word that is no keyword has none. */
static bool helps(const struct mend *mend, struct span error, bool is_sign, struct diagnostics *now)
{
    struct diagnostics found = try_reading(mend);
    bool is_further = !found.errors || span_is_before(error, first_error(&found)->span);
    bool is_better = !found.is_late && is_further && (!is_sign || found.errors < now->errors);
    diag_free(is_better ? now : &found);
    if (is_better)
        *now = found;
    return is_better;
}

static bool is_at(const struct diagnostic *error, struct span span)
{
    return span.line == error->span.line && span.column == error->span.column;
}

static void report_mistake(const struct mend *mend, size_t token, const char *text, const char *guess,
                           const struct diagnostic *error, struct diagnostics *said)
{
    struct span span = mend->span(mend->user, token);
    if (is_at(error, span))
        diag_error(said, span, "%s", error->message);
    else
        diag_error(said, span, "unexpected \"%s\"", text);
    diag_hint(said, "did you mean \"%s\"?", guess);
}

static bool mend_token(const struct mend *mend, size_t token, size_t *attempts, struct diagnostics *now,
                       struct diagnostics *said)
{
    const char *text = mend->text(mend->user, token), *guess;
    for (size_t choice = 0; choice < MOST_GUESSES && *attempts && (guess = mend->guess(mend->user, token, choice));
         choice++) {
        (*attempts)--;
        struct diagnostics mistake = {0};
        const struct diagnostic *error = first_error(now);
        struct span place = error->span;
        report_mistake(mend, token, text, guess, error, &mistake);
        mend->change(mend->user, token, guess);
        bool is_mended = helps(mend, place, !scan_is_letter(*text), now);
        if (is_mended)
            diag_append(said, &mistake);
        else
            mend->change(mend->user, token, text);
        diag_free(&mistake);
        if (is_mended)
            return true;
    }
    return false;
}

static bool quotes(const char *words, const char *text)
{
    size_t length = strlen(text);
    for (const char *at = words; (at = strchr(at, '"')); at++)
        if (!strncmp(at + 1, text, length) && at[1 + length] == '"')
            return true;
    return false;
}

/* An error at the token is explained where it is none of syntax ("... found \"X\""), or has a hint about the token. */
static bool is_explained(const struct mend *mend, const struct diagnostic *error, size_t token)
{
    const char *text = mend->text(mend->user, token);
    return error->hint && is_at(error, mend->span(mend->user, token)) && mend->guess(mend->user, token, 0) &&
           (!quotes(error->message, text) || quotes(error->hint, text));
}

/* The nearest token first. The one behind the place is near, too: where a separator is missing, the error is the gap.
 */
static bool mend_first(const struct mend *mend, size_t *attempts, struct diagnostics *now, struct diagnostics *said)
{
    size_t until = tokens_until(mend, first_error(now)->span) + 1;
    if (until > 1 && is_explained(mend, first_error(now), until - 2))
        return false;
    for (size_t i = 0; i < REACH && i < until; i++)
        if (until - 1 - i < mend->count && mend_token(mend, until - 1 - i, attempts, now, said))
            return true;
    return false;
}

void mend_read(const struct mend *mend, struct arena *arena, struct diagnostics *diagnostics)
{
    struct diagnostics now = {0}, said = {0};
    mend->read(mend->user, arena, &now);
    bool is_wrong = now.errors;
    size_t attempts = LEAST_ATTEMPTS + MOST_WORK / (mend->count + 1);
    while (now.errors && !now.is_late && said.count < MOST_MISTAKES && mend_first(mend, &attempts, &now, &said))
        ;
    if (is_wrong) { /* the trees of the attempts are gone */
        diag_free(&now);
        mend->read(mend->user, arena, &now);
    }
    diag_append(diagnostics, &said);
    diag_append(diagnostics, &now);
    diag_free(&said);
    diag_free(&now);
}
