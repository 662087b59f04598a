#include "lsp/analyse.h"

#include <string.h>

#include "driver/model.h"
#include "pass/view.h"

enum { MOST_FILES = 64 };

/* The files that positions are in, each with its lines. */
struct analysed_files {
    struct {
        const struct source *source;
        struct lined lined;
    } items[MOST_FILES];
    size_t count;
    bool is_utf8;
};

/* The number of the file, which is added if it is new; -1: there are too many. */
static int file_of(struct analysed_files *files, const struct source *source)
{
    for (size_t i = 0; i < files->count; i++)
        if (files->items[i].source == source)
            return (int)i;
    if (!source || files->count == MOST_FILES)
        return -1;
    files->items[files->count].source = source;
    lined_open(&files->items[files->count].lined, source->text, source->length, files->is_utf8);
    return (int)files->count++;
}

static void find_range(const struct analysed_files *files, int file, struct span span, struct position range[2])
{
    size_t from, to;
    const struct lined *lined = &files->items[file].lined;
    lined_span(lined, span, &from, &to);
    range[0] = lined_position(lined, from);
    range[1] = lined_position(lined, to);
}

/* [file, line, from, to], to which more is added; NULL: nowhere. */
static struct json *place_json(struct analysed_files *files, struct span span)
{
    int file = file_of(files, span.source);
    if (file < 0 || !span.line)
        return NULL;
    struct position range[2];
    find_range(files, file, span, range);
    struct json *place = json_make_array();
    json_push(place, json_make_integer(file));
    json_push(place, json_make_integer(range[0].line));
    json_push(place, json_make_integer(range[0].character));
    json_push(place, json_make_integer(range[1].character));
    return place;
}

static struct json *diagnostic_json(struct analysed_files *files, const struct diagnostic *item)
{
    enum { ERROR = 1, WARNING, INFORMATION };
    static const int severities[] = {ERROR, WARNING, INFORMATION};
    struct json *made = json_make_object();
    int file = file_of(files, item->span.source);
    struct position range[2] = {{0, 0}, {0, 0}};
    if (file >= 0)
        find_range(files, file, item->span, range);
    struct text message = {0};
    text_append(&message, item->message);
    if (item->hint)
        text_format(&message, "\nhint: %s", item->hint);
    json_set(made, "range", range_json(range[0], range[1]));
    json_set(made, "severity", json_make_integer(severities[item->severity]));
    json_set(made, "source", json_make_text("noether"));
    json_set(made, "message", json_make_text(text_chars(&message)));
    json_set(made, "file", json_make_integer(file < 0 ? 0 : file));
    text_free(&message);
    return made;
}

static struct json *diagnostics_json(struct analysed_files *files, const struct diagnostics *list)
{
    struct json *items = json_make_array();
    for (size_t i = 0; i < list->count; i++)
        json_push(items, diagnostic_json(files, &list->items[i]));
    return items;
}

static struct json *definitions_json(struct analysed_files *files, const struct names *names)
{
    struct json *items = json_make_array();
    for (size_t i = 0; i < names->definitions.count; i++) {
        const struct name_definition *definition = &names->definitions.items[i];
        struct json *item = place_json(files, definition->span);
        if (!item)
            item = json_make_array(); /* keeps the numbers of the others */
        else {
            json_push(item, json_make_integer(definition->kind));
            json_push(item, json_make_text(definition->name));
            json_push(item, json_make_text(definition->detail));
            json_push(item, json_make_text(definition->type));
            json_push(item, json_make_bool(definition->is_fixed));
        }
        json_push(items, item);
    }
    return items;
}

static struct json *uses_json(struct analysed_files *files, const struct names *names)
{
    struct json *items = json_make_array();
    for (size_t i = 0; i < names->uses.count; i++) {
        struct json *item = place_json(files, names->uses.items[i].span);
        if (!item)
            continue;
        json_push(item, json_make_integer(names->uses.items[i].definition));
        json_push(items, item);
    }
    return items;
}

static struct json *outline_json(struct analysed_files *files, const struct names *names)
{
    struct json *items = json_make_array();
    for (size_t i = 0; i < names->outline.count; i++) {
        const struct outline_entry *entry = &names->outline.items[i];
        int file = file_of(files, entry->span.source);
        if (file < 0)
            continue;
        struct position shown[2], from[2], to[2];
        find_range(files, file, entry->span, shown);
        find_range(files, file, entry->from, from);
        find_range(files, file, entry->to.line ? entry->to : entry->span, to);
        if (position_is_before(to[1], shown[1])) /* the part holds what is shown of it */
            to[1] = shown[1];
        if (position_is_before(shown[0], from[0]))
            from[0] = shown[0];
        const int64_t numbers[] = {shown[0].line,     shown[0].character, shown[1].character, from[0].line,
                                   from[0].character, to[1].line,         to[1].character,    entry->depth};
        struct json *item = json_make_array();
        json_push(item, json_make_integer(file));
        json_push(item, json_make_integer(entry->kind));
        json_push(item, json_make_text(entry->title));
        for (size_t n = 0; n < sizeof numbers / sizeof *numbers; n++)
            json_push(item, json_make_integer(numbers[n]));
        json_push(items, item);
    }
    return items;
}

static struct json *files_json(const struct analysed_files *files)
{
    struct json *items = json_make_array();
    for (size_t i = 0; i < files->count; i++)
        json_push(items, json_make_text(files->items[i].source->path));
    return items;
}

static void answer_names(const struct analysis_job *job, const struct source *own, const struct diagnostics *list,
                         struct names *names, struct worker_output *output)
{
    struct analysed_files files = {.is_utf8 = job->is_utf8};
    struct json *answer = json_make_object();
    file_of(&files, own);
    json_set(answer, "diagnostics", diagnostics_json(&files, list));
    json_set(answer, "definitions", definitions_json(&files, names));
    json_set(answer, "uses", uses_json(&files, names));
    json_set(answer, "outline", outline_json(&files, names));
    json_set(answer, "is_whole", json_make_bool(!names->is_partial && list->errors < DIAGNOSTICS_MAX_ERRORS));
    json_set(answer, "files", files_json(&files));
    for (size_t i = 0; i < files.count; i++)
        lined_close(&files.items[i].lined);
    worker_answer(output, answer);
}

/* --- symmetry --- */

/* "interchangeable: 4 elements", or why they are not. */
static void describe_factor(const struct symmetry_factor *factor, struct text *out)
{
    if (factor->is_used && !factor->words)
        text_format(out, "interchangeable: %u element%s", factor->degree, factor->degree == 1 ? "" : "s");
    else if (factor->is_used)
        text_format(out, "symmetric: %s", factor->words);
    else {
        text_append(out, "not interchangeable");
        if (factor->breach_count)
            text_format(out, ": %s (line %u)", factor->breaches[0].message, factor->breaches[0].span.line);
    }
}

static void answer_symmetry(const struct model *model, struct worker_output *output)
{
    bool is_copy;
    struct detect_options options = {.explains = true, .watch = watch_of_thread};
    struct view *view = view_detected(model->layout, &options, &is_copy);
    struct json *types = json_make_object();
    for (uint32_t i = 0; i < view->symmetry->factor_count; i++) {
        const struct symmetry_factor *factor = &view->symmetry->factors[i];
        const struct type *type = factor->type->origin ? factor->type->origin : factor->type;
        const char *name = type->name ? type->name : factor->type->name;
        struct text words = {0};
        describe_factor(factor, &words);
        if (name && !json_get(types, name))
            json_set(types, name, json_make_text(text_chars(&words)));
        text_free(&words);
    }
    struct json *answer = json_make_object();
    json_set(answer, "symmetry", types);
    worker_answer(output, answer);
    view_close(view);
}

/* --- reading --- */

/* The model that properties are for: what is open in the editor, else the file. */
static struct source *read_model_of(const struct analysis_job *job)
{
    const char *reason;
    if (!job->model)
        return NULL;
    return job->model_chars ? source_from_text(job->model, job->model_chars, strlen(job->model_chars))
                            : source_read(job->model, &reason);
}

void analyse_run(void *user, struct worker_output *output)
{
    const struct analysis_job *job = user;
    struct diagnostics list = {0};
    struct model_sources sources = {0};
    struct names *names = names_create();
    struct source *own = source_from_text(job->path, job->chars, job->length);
    struct source *other = job->is_properties ? read_model_of(job) : NULL;
    struct model *model = NULL;
    if (!job->is_properties)
        model = model_load_text(job->language, own, NULL, job->defines, job->define_count, names, &list, &sources);
    else if (other)
        model = model_load_text(job->language, other, own, job->defines, job->define_count, names, &list, &sources);
    else if (job->language->lay_out) { /* what can be said without the model */
        struct format_tokens tokens = {0};
        job->language->lay_out(own, true, &tokens, &list);
        VEC_FREE(&tokens);
        names->is_partial = true;
    }
    names_finish(names);
    answer_names(job, own, &list, names, output);
    if (model && !job->only_names)
        answer_symmetry(model, output);
    model_destroy(model);
    model_free_sources(&sources);
    if (!other && job->is_properties)
        source_free(own);
    names_destroy(names);
    diag_free(&list);
}

void format_run(void *user, struct worker_output *output)
{
    const struct analysis_job *job = user;
    struct diagnostics list = {0};
    struct text made = {0}, refusal = {0};
    struct json *answer = json_make_object();
    struct source *own = source_from_text(job->path, job->chars, job->length);
    if (!job->language->lay_out)
        text_format(&refusal, "there is no layout for %s models", job->language->title);
    else if (format_source(own, job->is_properties, job->language->lay_out, &made, &list))
        json_set(answer, "text", json_make_text(text_chars(&made)));
    else
        text_format(&refusal, "line %u: %s", list.items[0].span.line, list.items[0].message);
    if (refusal.length)
        json_set(answer, "refusal", json_make_text(text_chars(&refusal)));
    worker_answer(output, answer);
}
