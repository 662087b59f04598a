/* The whole program: the runtime, the names, helpers, functions, rules, properties, and the table of them. */
#include <stdio.h>

#include "base/hash.h"
#include "exec/native_emit.h"
#include "exec/native_runtime.h"
#include "exec/native_text.h"
#include "exec/workspace.h"
#include "ir/walk.h"

enum {
    COPY_CELLS = 4096, /* that may be copied to the stack */
    STARTS_FEW = 256   /* instances of start states */
};

void write_indent(struct native_emitter *emitter)
{
    for (int i = 0; i < emitter->indent; i++)
        text_append(emitter->out, "    ");
}

void write_line(struct native_emitter *emitter, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    write_indent(emitter);
    text_vformat(emitter->out, format, arguments);
    text_append(emitter->out, "\n");
    va_end(arguments);
}

uint32_t write_site(struct native_emitter *emitter, enum fault_kind kind, struct span span,
                    const struct property *property, const struct type *type)
{
    const struct native_site site = {kind, span, property, type, emitter->level};
    VEC_PUSH(&emitter->source->sites, site);
    return (uint32_t)emitter->source->sites.count - 1;
}

void write_copy_limit(struct native_emitter *emitter, uint32_t cells)
{
    if (cells > COPY_CELLS)
        emitter->source->refusal = "a value of many cells would have to be copied to the stack";
}

static void write_property(struct native_emitter *emitter, const struct property *property)
{
    struct body body;
    struct text head = {0};
    if (!property->formula)
        return;
    body_begin(emitter, &body);
    emitter->needs_scratch = false;
    write_indent(emitter);
    text_append(emitter->out, "return ");
    write_expr(emitter, property->formula);
    text_append(emitter->out, " ? NATIVE_TRUE : NATIVE_FALSE;\n");
    text_format(&head, "static int property_%u(struct native_run *run, int32_t *m)", property->id);
    body_end(emitter, &body, "property", property->name ? property->name : "", property->span, head.chars);
    text_free(&head);
    bool is_pure = expr_is_pure(&emitter->facts, property->formula);
    emitter->source->is_pure[property->id] = is_pure;
    emitter->source->is_direct[property->id] = is_pure && !emitter->needs_scratch;
}

static void write_rule_table(struct native_emitter *emitter, struct rule *const *rules, size_t count, const char *kind,
                             const char *name)
{
    text_format(emitter->out, "static native_function *const %s[] = {\n", name);
    for (size_t r = 0; r < count; r++) {
        if (rules == emitter->system->rules.items && emitter->source->splits.items[r].is_split) {
            text_append(emitter->out, "    0,\n");
            continue;
        }
        text_format(emitter->out, "    %s_%zu_", kind, r);
        write_identifier(emitter->out, rules[r]->name, 40);
        text_append(emitter->out, ",\n");
    }
    text_append(emitter->out, "    0,\n};\n");
}

static void write_tables(struct native_emitter *emitter)
{
    const struct system *system = emitter->system;
    write_finders(emitter);
    size_t selectors = write_selectors(emitter);
    const char *loader = write_loader(emitter);
    write_effects(emitter);
    emitter->source->is_loaded = loader_is_alone(emitter);
    write_rule_table(emitter, system->rules.items, system->rules.count, "rule", "rules");
    write_rule_table(emitter, system->starts.items, emitter->source->has_starts ? system->starts.count : 0, "start",
                     "starts");
    text_append(emitter->out, "static native_function *const properties[] = {\n");
    for (size_t p = 0; p < system->properties.count; p++)
        if (system->properties.items[p]->formula)
            text_format(emitter->out, "    property_%zu,\n", p);
        else
            text_append(emitter->out, "    0,\n");
    text_append(emitter->out, "    0,\n};\n\n");
    text_format(emitter->out,
                "const struct native_program noether_program = {\n"
                "    NATIVE_VERSION, BLOCK_SHIFT, %zu, %zu, %zu, rules, starts, properties, effects, finders,\n"
                "    %zu, %zu, %zu, selectors_, opened_, always_, asked_, answers_, %uu, %d, %s,\n};\n",
                system->rules.count, system->starts.count, system->properties.count, selectors,
                emitter->selections.count, emitter->masks.count, system->holder ? system->holder->address : UINT32_MAX,
                system->holder ? (int)system_nobody(system) : 0, loader);
}

/* Few are enumerated by bytecode before a compiler would have read their text. */
static bool starts_are_many(const struct system *system)
{
    uint64_t instances = 0;
    for (size_t r = 0; r < system->starts.count; r++) {
        uint64_t count = system->starts.items[r]->instance_count;
        if (!count || count > STARTS_FEW - instances)
            return true;
        instances += count;
    }
    return false;
}

static void write_functions(struct native_emitter *emitter)
{
    const struct system *system = emitter->system;
    for (size_t f = 0; f < system->functions.count; f++)
        write_function_head(emitter, system->functions.items[f]);
    text_append(emitter->out, "\n");
    for (size_t f = 0; f < system->functions.count; f++)
        write_function(emitter, system->functions.items[f]);
    for (size_t r = 0; r < system->rules.count; r++)
        write_rule(emitter, system->rules.items[r], false);
    emitter->source->has_starts = starts_are_many(system);
    for (size_t r = 0; r < system->starts.count && emitter->source->has_starts; r++)
        write_rule(emitter, system->starts.items[r], true);
    for (size_t p = 0; p < system->properties.count; p++)
        write_property(emitter, system->properties.items[p]);
    write_tables(emitter);
}

static void append_names(struct text *out, const char *comment, const struct text *names)
{
    if (names->length)
        text_format(out, "/* %s */\nenum {\n%s};\n\n", comment, names->chars);
}

static void assemble(struct native_emitter *emitter, const struct text *functions)
{
    struct text *out = &emitter->source->code;
    text_append(out, "/* ");
    write_comment(out, "The transition function of a model, written by Noether.");
    text_format(out, " */\n#define BLOCK_SHIFT %u\n\n", workspace_shift(emitter->system->state_cells));
    text_append(out, native_runtime_text);
    text_append(out, "\n");
    append_names(out, "Where the variables are.", &emitter->addresses);
    append_names(out, "Where the fields are in their records.", &emitter->offsets);
    append_names(out, "The values of enumerations.", &emitter->codes);
    text_append(out, text_chars(&emitter->helpers));
    text_append(out, text_chars(functions));
}

static void native_emitter_open(struct native_emitter *emitter, struct native_source *source,
                                const struct system *system)
{
    size_t types = system->types.count + 1;
    *emitter = (struct native_emitter){.system = system, .source = source, .level = -1, .arena = arena_create()};
    emitter_open(&emitter->facts, &emitter->nothing, system, &VM_TUNING);
    vm_analyse(&emitter->facts);
    emitter->layout = layout_create(system);
    emitter->names.arena = emitter->arena;
    emitter->homes = ARENA_ARRAY(emitter->arena, struct scratch_home, system->memory_cells - system->state_cells + 1);
    emitter->is_definite = definite_find(system, emitter->arena);
    emitter->address_names = ARENA_ARRAY(emitter->arena, const char *, system->memory_cells + 1);
    emitter->field_names = ARENA_ARRAY(emitter->arena, const char **, types);
    emitter->label_names = ARENA_ARRAY(emitter->arena, const char **, types);
    emitter->has_ordinal = ARENA_ARRAY(emitter->arena, bool, types);
    emitter->has_clear = ARENA_ARRAY(emitter->arena, bool, types);
    emitter->has_blank = ARENA_ARRAY(emitter->arena, bool, types);
    homes_find(emitter);
}

static void native_emitter_close(struct native_emitter *emitter)
{
    emitter_close(&emitter->facts);
    text_free(&emitter->addresses);
    text_free(&emitter->offsets);
    text_free(&emitter->codes);
    text_free(&emitter->helpers);
    VEC_FREE(&emitter->names.names);
    VEC_FREE(&emitter->locals);
    VEC_FREE(&emitter->selections);
    VEC_FREE(&emitter->answers);
    VEC_FREE(&emitter->masks);
    for (size_t g = 0; g < emitter->fields.count; g++)
        VEC_FREE(&emitter->fields.items[g].lanes);
    VEC_FREE(&emitter->fields);
    VEC_FREE(&emitter->words);
    text_free(&emitter->effects);
    text_free(&emitter->mask_tables);
    text_free(&emitter->mask_code);
    layout_destroy(emitter->layout);
    arena_destroy(emitter->arena);
}

static const char *refusal_of(const struct system *system)
{
    if (walk_is_overgrown(system))
        return "its expressions share too much";
    for (size_t r = 0; r < system->rules.count + system->starts.count; r++) {
        const struct rule *rule =
            r < system->rules.count ? system->rules.items[r] : system->starts.items[r - system->rules.count];
        if (rule->parameter_count > NATIVE_PARAMETERS)
            return "a rule has more than 128 parameters";
    }
    return NULL;
}

/* So that a library can be asked what it is. */
static void write_name(struct native_source *source)
{
    snprintf(source->name, sizeof source->name, "%016llx",
             (unsigned long long)hash_bytes(source->code.chars, source->code.length));
    text_format(&source->code, "const char noether_source[] = \"%s\";\n", source->name);
}

void native_write(struct native_source *source, const struct system *system)
{
    struct native_emitter emitter;
    struct text functions = {0};
    *source = (struct native_source){.refusal = refusal_of(system)};
    source->is_direct = memory_zeroed(system->properties.count + 1, sizeof *source->is_direct);
    source->is_pure = memory_zeroed(system->properties.count + 1, sizeof *source->is_pure);
    if (source->refusal)
        return;
    native_emitter_open(&emitter, source, system);
    emitter.out = &functions;
    write_functions(&emitter);
    assemble(&emitter, &functions);
    write_name(source);
    text_free(&functions);
    native_emitter_close(&emitter);
}

void native_source_free(struct native_source *source)
{
    text_free(&source->code);
    VEC_FREE(&source->sites);
    VEC_FREE(&source->splits);
    free(source->is_pure);
    free(source->is_direct);
    *source = (struct native_source){0};
}
