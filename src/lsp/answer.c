#include "lsp/answer.h"

#include <string.h>

#include "base/names.h"
#include "lsp/analyse.h"

static int64_t number_at(const struct json *array, size_t column)
{
    int64_t number = -1;
    json_read_integer(json_item(array, column), &number);
    return number;
}

static const char *text_at(const struct json *array, size_t column)
{
    const char *text = json_read_text(json_item(array, column));
    return text ? text : "";
}

/* The position in the text that was read; false: what stands there is new. */
static bool carry_back(const struct text *now, const struct text *then, struct position *position, bool is_utf8)
{
    size_t least = now->length < then->length ? now->length : then->length, before = 0, behind = 0;
    while (before < least && now->chars[before] == then->chars[before])
        before++;
    while (behind < least - before && now->chars[now->length - 1 - behind] == then->chars[then->length - 1 - behind])
        behind++;
    struct lined lined;
    lined_open(&lined, text_chars(now), now->length, is_utf8);
    size_t offset = lined_offset(&lined, *position);
    lined_close(&lined);
    if (offset > before && offset < now->length - behind)
        return false;
    if (offset > before)
        offset = offset - now->length + then->length;
    lined_open(&lined, text_chars(then), then->length, is_utf8);
    *position = lined_position(&lined, offset);
    lined_close(&lined);
    return true;
}

static bool is_at(const struct json *place, struct position position)
{
    return number_at(place, AT_FILE) == 0 && number_at(place, AT_LINE) == position.line &&
           number_at(place, AT_FROM) <= position.character && position.character <= number_at(place, AT_TO);
}

/* A name at a position: */
struct named {
    const struct json *answer;     /* of the reading that knows it; NULL: none */
    const struct json *here;       /* the place, */
    int64_t number;                /* and its definition */
    const struct json *definition; /* NULL: none */
};

static struct named find_in(const struct json *answer, struct position position)
{
    const struct json *uses = json_get(answer, "uses"), *definitions = json_get(answer, "definitions");
    struct named named = {.answer = answer, .number = -1};
    for (size_t i = 0; i < json_size(definitions); i++)
        if (is_at(json_item(definitions, i), position)) {
            named.here = json_item(definitions, i);
            named.number = (int64_t)i;
        }
    for (size_t i = 0; i < json_size(uses); i++)
        if (is_at(json_item(uses, i), position) &&
            (named.number < 0 || number_at(named.here, AT_FROM) < number_at(json_item(uses, i), AT_FROM))) {
            named.here = json_item(uses, i);
            named.number = number_at(named.here, USE_DEFINITION);
        }
    const struct json *definition = named.number < 0 ? NULL : json_item(definitions, (size_t)named.number);
    named.definition = json_size(definition) ? definition : NULL;
    return named;
}

/* By the last reading; else by the last that has named all, carried over what was changed since. */
static struct named find_name(const struct document *document, struct position position, bool is_utf8)
{
    struct named named = {0};
    if (document->last.answer && document->is_current)
        named = find_in(document->last.answer, position);
    if (!named.definition && document->whole.answer &&
        carry_back(&document->text, &document->whole.text, &position, is_utf8))
        named = find_in(document->whole.answer, position);
    return named;
}

static struct json *place_range(const struct json *place)
{
    struct position from = {(uint32_t)number_at(place, AT_LINE), (uint32_t)number_at(place, AT_FROM)};
    struct position to = {from.line, (uint32_t)number_at(place, AT_TO)};
    return range_json(from, to);
}

static struct json *place_location(const struct document *document, const struct json *answer, const struct json *place)
{
    int64_t file = number_at(place, AT_FILE);
    struct json *location = json_make_object();
    if (file > 0) {
        char *uri = document_uri(text_at(json_get(answer, "files"), (size_t)file));
        json_set(location, "uri", json_make_text(uri));
        free(uri);
    } else
        json_set(location, "uri", json_make_text(document->uri));
    json_set(location, "range", place_range(place));
    return location;
}

struct json *answer_definition(const struct document *document, struct position position, bool is_utf8)
{
    struct named named = find_name(document, position, is_utf8);
    return named.definition ? place_location(document, named.answer, named.definition) : json_make_null();
}

struct json *answer_hover(const struct document *document, struct position position, bool is_utf8)
{
    struct named named = find_name(document, position, is_utf8);
    const struct json *definition = named.definition;
    if (!definition)
        return json_make_null();
    const char *detail = text_at(definition, DEFINITION_DETAIL), *type = text_at(definition, DEFINITION_TYPE);
    const char *symmetry = *type ? json_read_text(json_get(document->symmetry, type)) : NULL;
    struct text shown = {0};
    text_format(&shown, "```%s\n%s\n```", document->language->name,
                *detail ? detail : text_at(definition, DEFINITION_NAME));
    if (symmetry && !strcmp(type, text_at(definition, DEFINITION_NAME)))
        text_format(&shown, "\n\n%s", symmetry);
    else if (symmetry)
        text_format(&shown, "\n\n%s: %s", type, symmetry);
    struct json *contents = json_make_object(), *hover = json_make_object();
    json_set(contents, "kind", json_make_text("markdown"));
    json_set(contents, "value", json_make_text(text_chars(&shown)));
    json_set(hover, "contents", contents);
    if (document->is_current && named.answer == document->last.answer)
        json_set(hover, "range", place_range(named.here));
    text_free(&shown);
    return hover;
}

/* Calls back with every place of the name: its definition, and its uses in order. */
static void each_place(const struct document *document, const struct named *named, bool with_definition,
                       void (*visit)(const struct document *document, const struct json *place, struct json *out),
                       struct json *out)
{
    const struct json *uses = json_get(named->answer, "uses");
    if (with_definition && named->definition)
        visit(document, named->definition, out);
    for (size_t i = 0; named->definition && i < json_size(uses); i++)
        if (number_at(json_item(uses, i), USE_DEFINITION) == named->number)
            visit(document, json_item(uses, i), out);
}

static void add_location(const struct document *document, const struct json *place, struct json *out)
{
    json_push(out, place_location(document, document->last.answer, place));
}

static void add_highlight(const struct document *document, const struct json *place, struct json *out)
{
    (void)document;
    if (number_at(place, AT_FILE))
        return;
    struct json *highlight = json_make_object();
    json_set(highlight, "range", place_range(place));
    json_push(out, highlight);
}

/* All places of a name are known for the text as it is, or not at all. */
static struct named find_now(const struct document *document, struct position position)
{
    return document->is_current ? find_in(document->last.answer, position) : (struct named){0};
}

struct json *answer_references(const struct document *document, struct position position, bool with_definition)
{
    struct named named = find_now(document, position);
    struct json *places = json_make_array();
    each_place(document, &named, with_definition, add_location, places);
    return places;
}

struct json *answer_highlights(const struct document *document, struct position position)
{
    struct named named = find_now(document, position);
    struct json *places = json_make_array();
    each_place(document, &named, true, add_highlight, places);
    return places;
}

/* --- outline and lenses --- */

/* The protocol's kinds of symbols, by enum name_kind. */
static int symbol_kind(int64_t kind)
{
    enum {
        MODULE = 2,
        CLASS = 5,
        FIELD = 8,
        FUNCTION = 12,
        VARIABLE,
        CONSTANT,
        BOOLEAN = 17,
        KEY = 20,
        ENUM_MEMBER = 22,
        EVENT = 24
    };
    static const int kinds[] = {
        [NAME_CONSTANT] = CONSTANT, [NAME_TYPE] = CLASS,        [NAME_VARIABLE] = VARIABLE, [NAME_PARAMETER] = VARIABLE,
        [NAME_FIELD] = FIELD,       [NAME_VALUE] = ENUM_MEMBER, [NAME_ROUTINE] = FUNCTION,  [NAME_FORMULA] = FUNCTION,
        [NAME_MODULE] = MODULE,     [NAME_ACTION] = EVENT,      [NAME_LABEL] = KEY,         [NAME_RULE] = EVENT,
        [NAME_START] = EVENT,       [NAME_PROPERTY] = BOOLEAN};
    return kind >= 0 && kind < (int64_t)(sizeof kinds / sizeof *kinds) ? kinds[kind] : VARIABLE;
}

static struct json *outline_symbol(const struct json *entry)
{
    struct position shown[2], from, to;
    shown[0] = (struct position){(uint32_t)number_at(entry, OUTLINE_LINE), (uint32_t)number_at(entry, OUTLINE_FROM)};
    shown[1] = (struct position){shown[0].line, (uint32_t)number_at(entry, OUTLINE_TO)};
    from = (struct position){(uint32_t)number_at(entry, OUTLINE_FIRST), (uint32_t)number_at(entry, OUTLINE_FIRST + 1)};
    to = (struct position){(uint32_t)number_at(entry, OUTLINE_LAST), (uint32_t)number_at(entry, OUTLINE_LAST + 1)};
    const char *title = text_at(entry, OUTLINE_TITLE);
    struct json *symbol = json_make_object();
    json_set(symbol, "name", json_make_text(*title ? title : "?")); /* the protocol wants one */
    json_set(symbol, "kind", json_make_integer(symbol_kind(number_at(entry, OUTLINE_KIND))));
    json_set(symbol, "range", range_json(from, to));
    json_set(symbol, "selectionRange", range_json(shown[0], shown[1]));
    json_set(symbol, "children", json_make_array());
    return symbol;
}

struct json *answer_outline(const struct document *document)
{
    enum { DEEPEST = 64 };
    struct json *parents[DEEPEST + 1] = {json_make_array()};
    const struct json *outline = json_get(document->last.answer, "outline");
    int64_t known = 0; /* parents[0..known] are lists that take symbols */
    for (size_t i = 0; i < json_size(outline); i++) {
        const struct json *entry = json_item(outline, i);
        int64_t depth = number_at(entry, OUTLINE_DEPTH);
        if (number_at(entry, AT_FILE))
            continue;
        depth = depth < 0 ? 0 : depth > known ? known : depth;
        struct json *symbol = outline_symbol(entry);
        json_push(parents[depth], symbol);
        known = depth < DEEPEST ? depth + 1 : DEEPEST;
        parents[known] = (struct json *)json_get(symbol, "children"); /* the symbol is ours, and may be changed */
    }
    return parents[0];
}

static void add_lens(struct json *lenses, struct json *range, const char *title, const char *command, const char *uri)
{
    struct json *lens = json_make_object(), *named = json_make_object(), *arguments = json_make_array();
    json_push(arguments, json_make_text(uri));
    json_set(named, "title", json_make_text(title));
    json_set(named, "command", json_make_text(command));
    json_set(named, "arguments", arguments);
    json_set(lens, "range", range);
    json_set(lens, "command", named);
    json_push(lenses, lens);
}

struct json *answer_lenses(const struct document *document)
{
    struct json *lenses = json_make_array();
    if (!document->is_current)
        return lenses;
    const struct json *outline = json_get(document->last.answer, "outline"),
                      *definitions = json_get(document->last.answer, "definitions");
    struct position start = {0, 0};
    add_lens(lenses, range_json(start, start), "check", "noether.check", document->uri);
    for (size_t i = 0; i < json_size(outline); i++) {
        const struct json *entry = json_item(outline, i);
        int64_t kind = number_at(entry, OUTLINE_KIND), line = number_at(entry, OUTLINE_LINE);
        struct position from = {(uint32_t)line, (uint32_t)number_at(entry, OUTLINE_FROM)};
        if (kind == NAME_PROPERTY && !number_at(entry, AT_FILE) && line > 0)
            add_lens(lenses, range_json(from, from), "check", "noether.check", document->uri);
    }
    for (size_t i = 0; i < json_size(definitions); i++) {
        const struct json *definition = json_item(definitions, i);
        const char *words = NULL;
        if (number_at(definition, DEFINITION_KIND) == NAME_TYPE && !number_at(definition, AT_FILE))
            words = json_read_text(json_get(document->symmetry, text_at(definition, DEFINITION_NAME)));
        if (words)
            add_lens(lenses, place_range(definition), words, "noether.showSymmetry", document->uri);
    }
    return lenses;
}

/* --- renaming --- */

static void add_place(const struct document *document, const struct json *place, struct json *out)
{
    (void)document;
    struct json *made = json_make_array();
    for (size_t column = AT_FILE; column <= AT_TO; column++)
        json_push(made, json_make_integer(number_at(place, column)));
    json_push(out, made);
}

struct json *answer_rename_places(const struct document *document, struct position position, struct text *refusal)
{
    bool is_whole = false, is_fixed = false;
    json_read_bool(json_get(document->last.answer, "is_whole"), &is_whole);
    if (!document->is_current || !is_whole) {
        text_append(refusal, "the text has errors: not all uses of the name are known");
        return NULL;
    }
    struct named named = find_now(document, position);
    if (named.definition)
        json_read_bool(json_item(named.definition, DEFINITION_IS_FIXED), &is_fixed);
    if (!named.definition)
        text_append(refusal, "there is no name that can be renamed here");
    else if (is_fixed)
        text_format(refusal, "\"%s\" cannot be renamed: it also stands where it is no name of its own",
                    text_at(named.definition, DEFINITION_NAME));
    if (refusal->length)
        return NULL;
    struct json *answer = json_make_object(), *places = json_make_array();
    each_place(document, &named, true, add_place, places);
    json_set(answer, "places", places);
    json_set(answer, "range", place_range(named.here));
    json_set(answer, "name", json_make_text(text_at(named.definition, DEFINITION_NAME)));
    return answer;
}
