/* The names of what is written. PRISM takes identifiers only, also between quotes; names that are none become some. */
#include <ctype.h>
#include <string.h>

#include "lang/prism/lexer.h"
#include "lang/prism/write.h"

static bool is_word(const char *name)
{
    for (int kind = PRISM_FIRST_WORD; kind <= WORD_TRUE; kind++)
        if (!strcmp(prism_token_spelling((enum prism_token_kind)kind), name))
            return true;
    return false;
}

static bool may_stand(char c, bool is_first)
{
    unsigned char byte = (unsigned char)c;
    return c == '_' || (byte < 128 && (is_first ? isalpha(byte) : isalnum(byte)));
}

static bool is_identifier(const char *name)
{
    bool is_right = *name && !is_word(name);
    for (const char *c = name; *c; c++)
        is_right = is_right && may_stand(*c, c == name);
    return is_right;
}

/* "from three tokens, at best" is from_three_tokens_at_best. */
static char *make_identifier(struct arena *arena, const char *name)
{
    struct text text = {0};
    if (!may_stand(*name, true) || is_word(name))
        text_char(&text, '_');
    for (const char *c = name; *c; c++)
        if (may_stand(*c, false))
            text_char(&text, *c);
        else if (text.length && text.chars[text.length - 1] != '_')
            text_char(&text, '_');
    char *made = arena_string(arena, text_chars(&text));
    text_free(&text);
    return made;
}

static bool is_taken(const char *const *names, uint32_t count, const char *name)
{
    for (uint32_t i = 0; i < count; i++)
        if (names[i] && !strcmp(names[i], name))
            return true;
    return false;
}

/* Of one name space; NULL: no name. Identifiers keep theirs, so the others have to give way; of two that are the same
 * (PRISM has labels and properties in one space, the reader in two) the first one keeps it. */
static const char **make_identifiers(struct arena *arena, const char *const *names, uint32_t count)
{
    const char **made = ARENA_ARRAY(arena, const char *, count + 1);
    for (uint32_t i = 0; i < count; i++)
        made[i] = names[i] && is_identifier(names[i]) && !is_taken(made, i, names[i]) ? names[i] : NULL;
    for (uint32_t i = 0; i < count; i++) {
        if (!names[i] || made[i])
            continue;
        const char *base = make_identifier(arena, names[i]), *name = base;
        for (uint32_t n = 2; is_taken(made, count, name); n++)
            name = arena_format(arena, "%s_%u", base, n);
        made[i] = name;
    }
    return made;
}

void prism_name_parts(struct prism_writer *writer, struct arena *arena)
{
    const struct system *system = writer->system;
    const struct chain *chain = system->chain;
    uint32_t labels = chain->label_count, properties = (uint32_t)system->properties.count;
    const char **names = ARENA_ARRAY(arena, const char *, chain->reward_count + labels + properties + 1);
    for (uint32_t i = 0; i < chain->reward_count; i++)
        names[i] = chain->rewards[i].name;
    writer->reward_names = make_identifiers(arena, names, chain->reward_count);
    for (uint32_t i = 0; i < labels; i++)
        names[i] = chain->labels[i].name;
    for (uint32_t i = 0; i < properties; i++) {
        const struct property *property = system->properties.items[i];
        names[labels + i] = property->pctl && !property->is_unnamed ? property->name : NULL;
    }
    writer->label_names = make_identifiers(arena, names, labels + properties);
    writer->property_names = writer->label_names + labels;
}
