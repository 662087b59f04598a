/* Permutations that the user gives, in the form that `noether symmetry --generators` prints:
 *
 *   Client and Box: (Client 1 Client 2)(Box 6 Box 7)
 *   Node {1..4}: (1 2)(3 4)
 *
 * First the types whose elements move (the sets in braces are for the reader), then cycles; an element of one of
 * several types has its type before it. Blank lines and lines that begin with # say nothing. Where a line says
 * "generators:", as in the whole answer, only the indented lines behind it count. A text that begins with { is a JSON
 * answer: of `noether symmetry`, or of a check. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "detect/claim_reader.h"

static struct span span_at(const struct claim_reader *r, const char *at, size_t length)
{
    size_t most = (size_t)(r->end - at);
    length = length > most ? most : length;
    return (struct span){r->source, r->number, (uint32_t)(at - r->line) + 1, length ? (uint32_t)length : 1};
}

bool claim_refuse(struct claim_reader *r, const char *at, size_t length, const char *format, ...)
{
    va_list arguments;
    struct text message = {0};
    va_start(arguments, format);
    text_vformat(&message, format, arguments);
    va_end(arguments);
    if (r->refused)
        diag_error(r->refused, span_at(r, at, length), "%s", text_chars(&message));
    text_free(&message);
    r->is_wrong = true;
    return false;
}

void claim_hint(struct claim_reader *r, const char *format, ...)
{
    va_list arguments;
    struct text message = {0};
    va_start(arguments, format);
    text_vformat(&message, format, arguments);
    va_end(arguments);
    if (r->refused)
        diag_hint(r->refused, "%s", text_chars(&message));
    text_free(&message);
}

/* --- names --- */

static void skip_blanks(struct claim_reader *r)
{
    while (r->at < r->end && (*r->at == ' ' || *r->at == '\t' || *r->at == '\r'))
        r->at++;
}

static bool starts_with(const struct claim_reader *r, const char *name, const char *delimiters)
{
    size_t length = strlen(name);
    return (size_t)(r->end - r->at) >= length && !memcmp(r->at, name, length) &&
           (r->at + length == r->end || strchr(delimiters, r->at[length]));
}

static uint32_t carrier_size(const struct claim_reader *r, uint32_t c)
{
    return (uint32_t)((int64_t)r->d->carriers->items[c].hi - r->d->carriers->items[c].lo + 1);
}

/* As its index type prints it (rewrite/retype.h). */
static void element_name(const struct claim_reader *r, uint32_t c, uint32_t ordinal, struct text *out)
{
    const struct carrier *carrier = &r->d->carriers->items[c];
    const struct type *type = carrier->type;
    int32_t code = carrier->lo + (int32_t)ordinal;
    bool is_whole = type->blocks->lo == carrier->lo && type->blocks->hi == carrier->hi;
    if (type->kind == TYPE_RANGE && !(is_whole && type_has_name(type, code)))
        text_format(out, "%d", code);
    else
        type_print_value(type, code, out);
}

/* The element at this place, if it is one of the carrier's. */
static size_t element_here(const struct claim_reader *r, uint32_t c, uint32_t *ordinal)
{
    const struct carrier *carrier = &r->d->carriers->items[c];
    size_t length = 0, here;
    if (carrier->type->kind == TYPE_RANGE && !carrier->type->names) {
        char digits[32];
        size_t size = strspn(r->at, "-0123456789");
        if (!size || size >= sizeof digits || size > (size_t)(r->end - r->at))
            return 0;
        memcpy(digits, r->at, size);
        digits[size] = 0;
        char *rest;
        long long value = strtoll(digits, &rest, 10);
        if (*rest || value < carrier->lo || value > carrier->hi || !starts_with(r, digits, " \t,)"))
            return 0;
        *ordinal = (uint32_t)(value - carrier->lo);
        return size;
    }
    struct text name = {0};
    for (uint32_t i = 0; i < carrier_size(r, c) && !watch_is_over(r->d->watch); i++) {
        text_clear(&name);
        element_name(r, c, i, &name);
        here = name.length > length && starts_with(r, text_chars(&name), " \t,)") ? name.length : 0;
        if (here) {
            length = here;
            *ordinal = i;
        }
    }
    text_free(&name);
    return length;
}

/* The longest name of a type at this place; 0: there is none. */
static size_t longest_name(const struct claim_reader *r)
{
    size_t length = 0;
    for (uint32_t c = 0; c < r->d->carriers->count; c++)
        if (strlen(r->names[c]) > length && starts_with(r, r->names[c], " \t:{"))
            length = strlen(r->names[c]);
    return length;
}

static bool refuse_name(struct claim_reader *r)
{
    struct text names = {0};
    size_t word = strcspn(r->at, " \t:{\r\n");
    claim_refuse(r, r->at, word, "the model has no type or family \"%.*s\"", (int)word, r->at);
    for (uint32_t c = 0; c < r->d->carriers->count; c++)
        if (detect_is_open(r->d, c))
            text_format(&names, "%s%s", names.length ? ", " : "", r->names[c]);
    if (names.length)
        claim_hint(r, "elements of these can be permuted: %s", text_chars(&names));
    else
        claim_hint(r, "no elements of this model can be permuted");
    text_free(&names);
    return false;
}

/* Adds the types with this name whose elements can be permuted: several may have none of their own (1..4). */
bool claim_take_types(struct claim_reader *r)
{
    size_t length = longest_name(r);
    uint32_t before = r->type_count, closed = NO_CARRIER;
    if (!length)
        return refuse_name(r);
    for (uint32_t c = 0; c < r->d->carriers->count && r->type_count < MOST_TYPES; c++) {
        if (strlen(r->names[c]) != length || memcmp(r->names[c], r->at, length))
            continue;
        if (detect_is_open(r->d, c))
            r->types[r->type_count++] = c;
        else
            closed = c;
    }
    if (r->type_count == MOST_TYPES)
        return claim_refuse(r, r->at, length, "a permutation moves elements of less than %d types", MOST_TYPES);
    if (r->type_count == before) {
        claim_refuse(r, r->at, length, "elements of %.*s cannot be permuted", (int)length, r->at);
        const struct symmetry_factor *why = &r->d->refused[closed];
        if (why->breach_count)
            claim_hint(r, "%s (line %u)", why->breaches[0].message, why->breaches[0].span.line);
        return false;
    }
    r->at += length;
    return true;
}

static bool read_types(struct claim_reader *r)
{
    for (;;) {
        if (!claim_take_types(r))
            return false;
        skip_blanks(r);
        if (r->at < r->end && *r->at == '{') {
            const char *brace = r->at;
            while (r->at < r->end && *r->at != '}')
                r->at++;
            if (r->at == r->end)
                return claim_refuse(r, brace, 1, "this brace is not closed");
            r->at++;
            skip_blanks(r);
        }
        if (r->end - r->at > 4 && !memcmp(r->at, "and ", 4)) {
            r->at += 4;
            skip_blanks(r);
            continue;
        }
        if (r->at < r->end && *r->at == ':') {
            r->at++;
            return true;
        }
        return claim_refuse(r, r->at, 1, "\":\" and the cycles of a permutation belong here, as in Node: (1 2)(3 4)");
    }
}

/* --- cycles --- */

static size_t word_length(const struct claim_reader *r)
{
    size_t length = 0;
    while (r->at + length < r->end && !strchr(" \t,()", r->at[length]))
        length++;
    return length;
}

static bool refuse_either(struct claim_reader *r, size_t length, uint32_t one, uint32_t other)
{
    const char *name = r->names[one];
    if (!strcmp(name, r->names[other])) {
        claim_refuse(r, r->at, length, "several types of the model are called %s, and have this element", name);
        claim_hint(r, "give the one that is meant a name of its own");
    } else {
        claim_refuse(r, r->at, length, "is this an element of %s or of %s?", name, r->names[other]);
        claim_hint(r, "write its type before it: (%s %.*s ...)", name, (int)length, r->at);
    }
    return false;
}

static bool read_element(struct claim_reader *r, uint32_t *type, uint32_t *ordinal)
{
    const char *begin = r->at;
    size_t best = 0;
    uint32_t named = NO_CARRIER; /* its type stands before it */
    for (uint32_t t = 0; t < r->type_count && named == NO_CARRIER; t++) {
        const char *name = r->names[r->types[t]];
        uint32_t here;
        if (!starts_with(r, name, " "))
            continue;
        r->at += strlen(name) + 1;
        if (element_here(r, r->types[t], &here))
            named = t;
        else
            r->at = begin;
    }
    for (uint32_t t = 0; t < r->type_count; t++) {
        uint32_t here;
        bool is_other = named != NO_CARRIER && strcmp(r->names[r->types[t]], r->names[r->types[named]]) != 0;
        size_t size = is_other ? 0 : element_here(r, r->types[t], &here);
        if (size && best)
            return refuse_either(r, size, *type, r->types[t]);
        if (size) {
            best = size;
            *type = r->types[t];
            *ordinal = here;
        }
    }
    if (!best) {
        size_t word = word_length(r);
        if (!word)
            return claim_refuse(r, r->at, 1, "an element belongs here");
        claim_refuse(r, r->at, word, "\"%.*s\" is no element of %s%s", (int)word, r->at, r->names[r->types[0]],
                     r->type_count > 1 ? " or the other types of this line" : "");
        return false;
    }
    uint32_t key[] = {*type, *ordinal}, before = words_count(&r->met);
    r->at += best;
    if (words_intern(&r->met, key, 2) < before)
        return claim_refuse(r, begin, (size_t)(r->at - begin), "this is no permutation: %.*s stands in it twice",
                            (int)(r->at - begin), begin);
    return true;
}

static bool read_cycle(struct claim_reader *r)
{
    const char *begin = r->at++;
    uint32_t first = 0, last = 0, type = 0, count = 0;
    for (;; count++) {
        while (r->at < r->end && (*r->at == ' ' || *r->at == '\t' || *r->at == ','))
            r->at++;
        if (r->at == r->end)
            return claim_refuse(r, begin, 1, "this cycle is not closed");
        if (*r->at == ')')
            break;
        const char *element = r->at;
        uint32_t own = NO_CARRIER, ordinal = 0;
        if (!read_element(r, &own, &ordinal))
            return false;
        if (count && own != type) {
            claim_refuse(r, element, (size_t)(r->at - element),
                         "a cycle has elements of one type: this one began with %s", r->names[type]);
            claim_hint(r, "types are permuted together in cycles of their own: (Client 1 Client 2)(Box 6 Box 7)");
            return false;
        }
        if (count)
            VEC_PUSH(&r->claim.moves, ((struct claim_move){own, last, ordinal}));
        first = count ? first : ordinal;
        type = own;
        last = ordinal;
    }
    r->at++;
    if (count > 1)
        VEC_PUSH(&r->claim.moves, ((struct claim_move){type, last, first}));
    return true;
}

/* The cycles up to the end of the claim. */
bool claim_read_cycles(struct claim_reader *r, struct claims *claims)
{
    skip_blanks(r);
    const char *begin = r->at;
    r->claim = (struct permutation_claim){0};
    words_free(&r->met);
    r->met = (struct words){0};
    bool is_fine = r->at < r->end && *r->at == '(';
    if (!is_fine)
        claim_refuse(r, r->at, 1, "the cycles of a permutation belong here, as in (1 2)(3 4)");
    while (is_fine && r->at < r->end) {
        is_fine =
            *r->at == '(' ? read_cycle(r) : claim_refuse(r, r->at, word_length(r), "a cycle belongs here, as in (1 2)");
        skip_blanks(r);
    }
    if (!is_fine || !r->claim.moves.count) { /* of the identity there is nothing to prove */
        VEC_FREE(&r->claim.moves);
        return is_fine;
    }
    r->claim.span = span_at(r, begin, (size_t)(r->end - begin));
    VEC_PUSH(&claims->items, r->claim);
    return true;
}

static bool read_line(struct claim_reader *r, struct claims *claims)
{
    r->type_count = 0;
    while (r->end > r->at && isspace((unsigned char)r->end[-1]))
        r->end--;
    skip_blanks(r);
    return r->at == r->end || *r->at == '#' || (read_types(r) && claim_read_cycles(r, claims));
}

/* --- texts --- */

static bool is_head(const char *line, const char *end)
{
    static const char head[] = "generators:";
    while (line < end && isspace((unsigned char)*line))
        line++;
    while (end > line && isspace((unsigned char)end[-1]))
        end--;
    return (size_t)(end - line) == sizeof head - 1 && !memcmp(line, head, sizeof head - 1);
}

const char *claim_line_end(const struct source *source, const char *at)
{
    const char *last = source->text + source->length, *end = memchr(at, '\n', (size_t)(last - at));
    return end ? end : last;
}

static bool has_head(const struct source *source)
{
    for (const char *at = source->text; at < source->text + source->length; at = claim_line_end(source, at) + 1)
        if (is_head(at, claim_line_end(source, at)))
            return true;
    return false;
}

static void read_text(struct claim_reader *r, struct claims *claims)
{
    const struct source *source = r->source;
    bool is_inside = !has_head(source), is_answer = !is_inside;
    for (const char *at = source->text; at < source->text + source->length && !watch_is_over(r->d->watch);) {
        const char *end = claim_line_end(source, at);
        r->number++;
        bool is_whole = r->refused && r->refused->errors >= DIAGNOSTICS_MAX_ERRORS;
        if (is_whole)
            return;
        if (is_answer && is_head(at, end)) {
            is_inside = true;
        } else if (is_inside && is_answer && at < end && !isspace((unsigned char)*at)) {
            is_inside = false;
        } else if (is_inside) {
            r->line = r->at = at;
            r->end = end;
            read_line(r, claims);
        }
        at = end + 1;
    }
}

bool claims_read(const struct detecting *d, const struct source *source, struct claims *claims,
                 struct diagnostics *refused)
{
    struct claim_reader r = {.d = d, .source = source, .refused = refused};
    uint32_t count = d->carriers->count;
    r.names = memory_zeroed((size_t)count + 1, sizeof *r.names);
    for (uint32_t c = 0; c < count; c++) {
        struct text name = {0};
        type_print(d->carriers->items[c].type, &name);
        r.names[c] = memory_string(text_chars(&name));
        text_free(&name);
    }
    if (source->length && source->text[0] == '{')
        claims_read_json(&r, claims);
    else
        read_text(&r, claims);
    for (uint32_t c = 0; c < count; c++)
        free(r.names[c]);
    free(r.names);
    words_free(&r.met);
    return !r.is_wrong;
}

void claims_free(struct claims *claims)
{
    for (size_t i = 0; i < claims->items.count; i++)
        VEC_FREE(&claims->items.items[i].moves);
    VEC_FREE(&claims->items);
}
