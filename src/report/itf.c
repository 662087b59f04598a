/* ITF, the Informal Trace Format of Apalache and Quint (Apalache's ADR 015): an object with "vars" and "states"; arrays
 * are "#map" objects, records are objects, and an undefined value, which ITF does not have, is "#unserializable". What
 * makes a run a claim of ours (rules, property, constants) is under "#meta", where other tools ignore it. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/watch.h"
#include "report/exchange.h"

static const char undefined_word[] = "undefined", absent_word[] = "absent";

/* --- writing --- */

struct itf_named {
    const char *name;
    const struct json *value;
};
struct itf_named_list {
    VEC(struct itf_named) items;
};

static void note_member(void *user, const char *key, const struct json *value)
{
    struct itf_named_list *list = user;
    VEC_PUSH(&list->items, ((struct itf_named){key, value}));
}

static struct json *unserializable(const char *word)
{
    struct json *object = json_make_object();
    json_set(object, "#unserializable", json_make_text(word));
    return object;
}

static struct json *leaf(const struct json *value)
{
    return json_kind(value) == JSON_KIND_NULL ? unserializable(undefined_word) : json_keep(value);
}

/* The length of the next part of a name: "a", "[1]", ".b". */
static size_t part_length(const char *name)
{
    if (*name == '[')
        return strcspn(name, "]") + 1;
    return *name ? 1 + strcspn(name + 1, ".[") : 0;
}

static struct json *key_of(const char *name, size_t length)
{
    struct text key = {0};
    char *end;
    text_append_n(&key, name, length);
    long long number = strtoll(text_chars(&key), &end, 10);
    struct json *value = length && !*end ? json_make_integer(number) : json_make_text(text_chars(&key));
    text_free(&key);
    return value;
}

/* The members from `from` to before `to` share the first `offset` characters of their names, and stand together. */
static struct json *nest(const struct itf_named *items, size_t from, size_t to, size_t offset)
{
    if (!items[from].name[offset])
        return leaf(items[from].value);
    bool is_map = items[from].name[offset] == '[';
    struct json *object = json_make_object(), *pairs = json_make_array();
    for (size_t next; from < to && !watch_cuts(); from = next) {
        const char *name = items[from].name + offset;
        size_t length = part_length(name);
        for (next = from + 1; next < to && part_length(items[next].name + offset) == length &&
                              !memcmp(items[next].name + offset, name, length);)
            next++;
        struct json *inner = nest(items, from, next, offset + length);
        if (is_map) {
            struct json *pair = json_make_array();
            json_push(pair, key_of(name + 1, length - 2));
            json_push(pair, inner);
            json_push(pairs, pair);
        } else {
            struct text field = {0};
            text_append_n(&field, name + 1, length - 1);
            json_set(object, text_chars(&field), inner);
            text_free(&field);
        }
    }
    if (is_map)
        json_set(object, "#map", pairs);
    else
        json_free(pairs);
    return object;
}

/* "Cache[NODE_1].State" is a part of "Cache". */
static void append_head(const char *name, bool nests, struct text *out)
{
    text_append_n(out, name, nests ? part_length(name) : strlen(name));
}

static void set_variables(const struct json *state, bool nests, struct json *target, struct json *known,
                          struct json *vars)
{
    struct itf_named_list list = {0};
    json_each(state, note_member, &list);
    for (size_t from = 0, to; from < list.items.count && !watch_cuts(); from = to) {
        struct text head = {0}, other = {0};
        append_head(list.items.items[from].name, nests, &head);
        for (to = from + 1; to < list.items.count; to++) {
            text_clear(&other);
            append_head(list.items.items[to].name, nests, &other);
            if (strcmp(text_chars(&other), text_chars(&head)))
                break;
        }
        json_set(target, text_chars(&head), nest(list.items.items, from, to, head.length));
        if (!json_get(known, text_chars(&head))) {
            json_set(known, text_chars(&head), json_make_bool(true));
            json_push(vars, json_make_text(text_chars(&head)));
        }
        text_free(&head);
        text_free(&other);
    }
    VEC_FREE(&list.items);
}

static void copy_member(const struct json *from, const char *key, struct json *to)
{
    const struct json *value = json_get(from, key);
    if (value)
        json_set(to, key, json_keep(value));
}

static struct json *meta_of_step(const struct json *step, size_t index)
{
    static const char *const members[] = {"rule", "rule_id", "step", "parameters", "fault"};
    struct json *meta = json_make_object();
    json_set(meta, "index", json_make_integer((int64_t)index));
    for (size_t i = 0; i < sizeof members / sizeof *members; i++)
        copy_member(step, members[i], meta);
    return meta;
}

/* Every state has every variable: what is not there (a free slot, a process that has not begun) is marked. */
static void fill_absent(struct json *state, const struct json *vars)
{
    for (size_t i = 0; i < json_size(vars) && !watch_cuts(); i++)
        if (!json_get(state, json_read_text(json_item(vars, i))))
            json_set(state, json_read_text(json_item(vars, i)), unserializable(absent_word));
}

static const char *const of_document[] = {"version", "tool", "model", "properties", "defines", "options"};
static const char *const of_result[] = {"id", "name", "kind", "verdict", "reason"};
enum { OF_DOCUMENT = sizeof of_document / sizeof *of_document, OF_RESULT = sizeof of_result / sizeof *of_result };

static struct json *meta_of_document(const struct json *document)
{
    struct json *meta = json_make_object(), *ours = json_make_object(), *result = json_make_object();
    struct text description = {0};
    for (size_t i = 0; i < OF_DOCUMENT; i++)
        copy_member(document, of_document[i], ours);
    for (size_t i = 0; i < OF_RESULT; i++)
        copy_member(json_get(document, "result"), of_result[i], result);
    json_set(ours, "result", result);
    text_format(&description, "a run found by %s", json_read_text(json_get(document, "tool")));
    json_set(meta, "format", json_make_text("ITF"));
    json_set(meta, "format-description", json_make_text("https://apalache-mc.org/docs/adr/015adr-trace.html"));
    json_set(meta, "source", json_keep(json_get(document, "model")));
    json_set(meta, "description", json_make_text(text_chars(&description)));
    json_set(meta, "noether", ours);
    text_free(&description);
    return meta;
}

struct json *itf_from_trace_file(const struct json *document, bool nests)
{
    const struct json *result = json_get(document, "result"), *steps = json_get(result, "trace");
    struct json *itf = json_make_object(), *vars = json_make_array(), *states = json_make_array();
    struct json *known = json_make_object(), *meta = meta_of_document(document);
    struct json **made = memory_zeroed(json_size(steps) + 1, sizeof(struct json *));
    size_t count = 0;
    for (size_t i = 0; i < json_size(steps) && !watch_cuts(); i++) {
        const struct json *step = json_item(steps, i);
        if (!json_get(step, "state")) { /* it fails, and there is no state: the last */
            json_set(meta, "failing_step", meta_of_step(step, i));
            break;
        }
        made[count] = json_make_object();
        json_set(made[count], "#meta", meta_of_step(step, i));
        set_variables(json_get(step, "state"), nests, made[count++], known, vars);
    }
    for (size_t i = 0; i < count; i++) { /* all are handed over, also when the time is up */
        fill_absent(made[i], vars);
        json_push(states, made[i]);
    }
    json_set(itf, "#meta", meta);
    json_set(itf, "params", json_make_array());
    json_set(itf, "vars", vars);
    copy_member(result, "loop", itf);
    json_set(itf, "states", states);
    json_free(known);
    free(made);
    return itf;
}

/* --- reading --- */

struct flat {
    struct text name;
    struct json *state;
    struct text *message;
    bool is_good;
};

static void flatten(struct flat *flat, const struct json *value);

static void flatten_under(struct flat *flat, const char *before, const char *part, const char *after,
                          const struct json *value)
{
    size_t length = flat->name.length;
    text_format(&flat->name, "%s%s%s", before, part, after);
    flatten(flat, value);
    flat->name.chars[flat->name.length = length] = '\0';
}

static void flatten_field(void *user, const char *key, const struct json *value)
{
    flatten_under(user, ".", key, "", value);
}

static void flatten_map(struct flat *flat, const struct json *pairs)
{
    for (size_t i = 0; i < json_size(pairs); i++) {
        const struct json *key = json_item(json_item(pairs, i), 0);
        struct text printed = {0};
        if (!json_read_text(key) && key)
            json_print_compact(key, &printed);
        flatten_under(flat, "[", json_read_text(key) ? json_read_text(key) : text_chars(&printed), "]",
                      json_item(json_item(pairs, i), 1));
        text_free(&printed);
    }
}

static void refuse(struct flat *flat, const char *what)
{
    if (flat->is_good)
        text_format(flat->message, "\"%s\": %s", text_chars(&flat->name), what);
    flat->is_good = false;
}

/* Integers of any size are text in ITF. */
static void flatten_bigint(struct flat *flat, const char *digits)
{
    char *end;
    long long number = digits ? strtoll(digits, &end, 10) : 0;
    if (!digits || !*digits || *end)
        refuse(flat, "a \"#bigint\" that is no integer");
    else
        json_set(flat->state, text_chars(&flat->name), json_make_integer(number));
}

static void flatten(struct flat *flat, const struct json *value)
{
    const char *word = json_read_text(json_get(value, "#unserializable"));
    if (!value) {
        refuse(flat, "there is no value");
    } else if (word) {
        if (strcmp(word, absent_word))
            json_set(flat->state, text_chars(&flat->name), json_make_null());
    } else if (json_get(value, "#map")) {
        flatten_map(flat, json_get(value, "#map"));
    } else if (json_get(value, "#bigint")) {
        flatten_bigint(flat, json_read_text(json_get(value, "#bigint")));
    } else if (json_get(value, "#set") || json_get(value, "#tup")) {
        refuse(flat, "the languages of noether have no sets and tuples");
    } else if (json_kind(value) == JSON_KIND_OBJECT) {
        json_each(value, flatten_field, flat);
    } else {
        json_set(flat->state, text_chars(&flat->name), json_keep(value));
    }
}

static void flatten_variable(void *user, const char *key, const struct json *value)
{
    struct flat *flat = user;
    if (!strcmp(key, "#meta"))
        return;
    text_clear(&flat->name);
    text_append(&flat->name, key);
    flatten(flat, value);
}

static struct json *step_from_meta(const struct json *meta)
{
    static const char *const members[] = {"rule", "rule_id", "parameters", "fault"};
    struct json *step = json_make_object();
    for (size_t i = 0; i < sizeof members / sizeof *members; i++)
        copy_member(meta, members[i], step);
    return step;
}

/* NULL after a message. */
static struct json *step_from_state(const struct json *state, size_t index, struct text *message)
{
    struct text why = {0};
    struct flat flat = {.state = json_make_object(), .message = &why, .is_good = true};
    if (!json_read_text(json_get(json_get(state, "#meta"), "rule"))) {
        text_append(&why, "its \"#meta\" names no rule");
        flat.is_good = false;
    } else {
        json_each(state, flatten_variable, &flat);
    }
    struct json *step = step_from_meta(json_get(state, "#meta"));
    json_set(step, "state", flat.state);
    if (!flat.is_good) {
        text_format(message, "state %zu: %s", index, text_chars(&why));
        json_free(step);
        step = NULL;
    }
    text_free(&flat.name);
    text_free(&why);
    return step;
}

bool itf_is(const struct json *document)
{
    return json_kind(json_get(document, "vars")) == JSON_KIND_ARRAY &&
           json_kind(json_get(document, "states")) == JSON_KIND_ARRAY;
}

struct json *itf_to_trace_file(const struct json *itf, struct text *message)
{
    const struct json *meta = json_get(itf, "#meta"), *ours = json_get(meta, "noether"),
                      *states = json_get(itf, "states");
    if (!json_get(ours, "result")) {
        text_append(message, "an ITF trace without the rules and the property: only those that noether has written "
                             "can be replayed");
        return NULL;
    }
    struct json *document = json_make_object(), *result = json_make_object(), *steps = json_make_array();
    bool is_good = true;
    for (size_t i = 0; i < json_size(states) && is_good; i++) {
        struct json *step = step_from_state(json_item(states, i), i, message);
        is_good = step != NULL;
        if (step)
            json_push(steps, step);
    }
    if (json_get(meta, "failing_step"))
        json_push(steps, step_from_meta(json_get(meta, "failing_step")));
    for (size_t i = 0; i < OF_DOCUMENT; i++)
        copy_member(ours, of_document[i], document);
    for (size_t i = 0; i < OF_RESULT; i++)
        copy_member(json_get(ours, "result"), of_result[i], result);
    json_set(result, "trace", steps);
    copy_member(itf, "loop", result);
    json_set(document, "result", result);
    if (is_good)
        return document;
    json_free(document);
    return NULL;
}
