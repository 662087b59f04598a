/* Permutations that the user gives as a JSON answer. */
#include <string.h>

#include "base/json.h"
#include "detect/claim_reader.h"

/* Where the string stands in the text, from *from on: JSON has no positions. */
static void find_string(struct claim_reader *r, const char *string, const char **from)
{
    const struct source *source = r->source;
    size_t length = strlen(string);
    const char *last = source->text + source->length;
    for (const char *at = *from; length && at + length < last; at++)
        if (*at == '"' && at[length + 1] == '"' && !memcmp(at + 1, string, length)) {
            *from = at + 1;
            break;
        }
    r->number = 1;
    r->line = source->text;
    for (const char *at = source->text; at < *from; at++)
        if (*at == '\n') {
            r->number++;
            r->line = at + 1;
        }
}

static bool take_type(struct claim_reader *r, const char *name)
{
    r->at = name;
    r->end = name + strlen(name);
    const char *line = r->line;
    r->line = name;
    bool is_fine = claim_take_types(r);
    r->line = line;
    return is_fine;
}

static void read_factor(struct claim_reader *r, const struct json *factor, const char **from, struct claims *claims)
{
    const struct json *sets = json_get(factor, "sets"), *generators = json_get(factor, "generators");
    const char *type = json_read_text(json_get(factor, "type"));
    int64_t degree = 0;
    bool is_fine = true;
    r->type_count = 0;
    find_string(r, type ? type : "", from);
    for (size_t i = 0; i < json_size(sets) && is_fine; i++) {
        const char *name = json_read_text(json_get(json_item(sets, i), "type"));
        is_fine = name && take_type(r, name);
    }
    if (is_fine && !json_size(sets))
        is_fine = type && take_type(r, type);
    json_read_integer(json_get(factor, "degree"), &degree);
    r->at = r->end = r->source->text;
    if (is_fine && !json_size(generators) && degree > 1) {
        claim_refuse(r, r->at, 1, "the generators of %s are not in this answer: there are too many",
                     r->names[r->types[0]]);
        claim_hint(r, "the text that noether symmetry --generators prints has them all");
        return;
    }
    for (size_t g = 0; is_fine && g < json_size(generators) && !watch_is_over(r->d->watch); g++) {
        const char *cycles = json_read_text(json_item(generators, g));
        if (!cycles)
            return;
        find_string(r, cycles, from);
        r->at = !strncmp(*from, cycles, strlen(cycles)) ? *from : cycles;
        r->line = r->at == cycles ? cycles : r->line;
        r->end = r->at + strlen(cycles);
        is_fine = claim_read_cycles(r, claims);
    }
    if (!is_fine && !r->is_wrong)
        claim_refuse(r, r->at, 1, "this answer has no types of its generators");
}

void claims_read_json(struct claim_reader *r, struct claims *claims)
{
    struct text message = {0};
    struct json *answer = json_parse(r->source->text, r->source->length, &message);
    const struct json *factors = json_get(answer, "factors");
    const char *from = r->source->text;
    factors = factors ? factors : json_get(json_get(answer, "symmetry"), "factors");
    r->line = r->at = from;
    r->end = claim_line_end(r->source, from);
    r->number = 1;
    if (!answer)
        claim_refuse(r, from, 1, "this is no JSON: %s", text_chars(&message));
    else if (!factors)
        claim_refuse(r, from, 1, "this is no answer of noether symmetry --json: it has no factors");
    for (size_t f = 0; f < json_size(factors) && !r->is_wrong; f++)
        read_factor(r, json_item(factors, f), &from, claims);
    json_free(answer);
    text_free(&message);
}
