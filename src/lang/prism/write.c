/* A system as PRISM text: one module, whose commands are the system's choices. */
#include "lang/prism/write.h"

#include <string.h>

enum { WIDE = 110 };

static void name_cells(struct prism_writer *writer, struct arena *arena)
{
    const struct system *system = writer->system;
    writer->names = ARENA_ARRAY(arena, const char *, system->state_cells + 1);
    writer->types = ARENA_ARRAY(arena, const struct type *, system->state_cells + 1);
    writer->values = ARENA_ARRAY(arena, const struct expr *, system->memory_cells - system->state_cells + 1);
    for (size_t g = 0; g < system->globals.count; g++) {
        const struct variable *global = system->globals.items[g];
        bool is_array = global->type->kind == TYPE_ARRAY;
        for (uint32_t i = 0; i < (is_array ? global->type->index->size : 1); i++) {
            writer->names[global->address + i] = is_array ? global->element_names[i] : global->name;
            writer->types[global->address + i] = is_array ? global->type->element : global->type;
        }
    }
}

static bool refuse(const struct prism_writer *writer, struct span span, struct diagnostics *diagnostics)
{
    if (writer->why)
        diag_error(diagnostics, span, "counter abstraction: %s cannot be written", writer->why);
    return !writer->why;
}

/* --- variables --- */

static void write_variable(struct prism_writer *writer, uint32_t cell, const struct expr *initial)
{
    const struct type *type = writer->types[cell];
    bool is_bool = type->kind == TYPE_BOOL;
    text_format(writer->out, "  %s : ", writer->names[cell]);
    if (is_bool)
        text_append(writer->out, "bool");
    else
        text_format(writer->out, "[%d..%d]", type_code(type, 0), type_code(type, type->size - 1));
    if (initial && is_bool)
        text_append(writer->out, initial->value ? " init true" : " init false");
    else if (initial)
        text_format(writer->out, " init %lld", (long long)initial->value);
    text_char(writer->out, ';');
}

static void write_variables(struct prism_writer *writer, const struct prism_remarks *remarks, struct arena *arena)
{
    const struct chain *chain = writer->system->chain;
    const struct rule *start = writer->system->starts.items[0];
    const struct expr **initial = ARENA_ARRAY(arena, const struct expr *, writer->system->state_cells + 1);
    for (uint32_t i = 0; i < start->body.count && !start->parameter_count; i++)
        initial[prism_cell_of(start->body.items[i]->place)] = start->body.items[i]->value;
    for (uint32_t i = 0; i < chain->order_count; i++) {
        uint32_t cell = chain->order[i];
        if (remarks && remarks->titles[cell])
            text_format(writer->out, "  // %s\n", remarks->titles[cell]);
        write_variable(writer, cell, initial[cell]);
        if (remarks && remarks->notes[cell])
            text_format(writer->out, " // %s", remarks->notes[cell]);
        text_char(writer->out, '\n');
    }
}

/* --- commands --- */

/* Scratch variables hold values of the state before. */
static void write_update(struct prism_writer *writer, const struct block *body)
{
    const char *before = "";
    for (uint32_t i = 0; i < body->count; i++) {
        const struct stmt *stmt = body->items[i];
        uint32_t cell = prism_cell_of(stmt->place), first = writer->system->state_cells;
        if (cell >= first) {
            writer->values[cell - first] = stmt->value;
            continue;
        }
        text_format(writer->out, "%s(%s'=", before, writer->names[cell]);
        prism_write_expr(writer, stmt->value, BIND_COND);
        text_char(writer->out, ')');
        before = "&";
    }
    text_append(writer->out, *before ? "" : "true");
}

static void write_updates(struct prism_writer *writer, const struct choice *choice)
{
    for (uint32_t i = 0; i < choice->rule_count; i++) {
        const struct rule *rule = writer->system->rules.items[choice->first_rule + i];
        text_append(writer->out, i ? " + " : " ");
        if (choice->rule_count > 1 || !prism_is_one(rule->weight)) {
            prism_write_weight(writer, rule->weight, BIND_COND + 1);
            text_char(writer->out, ':');
        }
        write_update(writer, &rule->body);
    }
}

static void write_command(struct prism_writer *writer, const struct choice *choice)
{
    const struct rule *first = writer->system->rules.items[choice->first_rule];
    struct text line = {0}, *out = writer->out;
    if (first->joint)
        writer->why = "a rule for many combinations of synchronised commands";
    writer->out = &line;
    text_format(&line, "  [%s] ", choice->action ? choice->action : "");
    if (first->guard)
        prism_write_expr(writer, first->guard, BIND_COND);
    else
        text_append(&line, "true");
    text_append(&line, " ->");
    size_t guard = line.length;
    if (!writer->why)
        write_updates(writer, choice);
    text_append(&line, ";\n");
    writer->out = out;
    bool is_wide = line.length > WIDE;
    text_append_n(out, line.chars, guard);
    text_append(out, is_wide ? "\n     " : "");
    text_append(out, line.chars + guard);
    text_free(&line);
}

/* --- what stands outside of the module --- */

static void write_initial(struct prism_writer *writer)
{
    const struct rule *start = writer->system->starts.items[0];
    if (!start->parameter_count)
        return;
    text_append(writer->out, "\ninit\n  ");
    if (start->guard)
        prism_write_expr(writer, start->guard, BIND_COND);
    else
        text_append(writer->out, "true");
    text_append(writer->out, "\nendinit\n");
}

static void write_reward(struct prism_writer *writer, const struct reward *item)
{
    text_append(writer->out, "  ");
    if (item->is_transition)
        text_format(writer->out, "[%s] ", item->action ? item->action : "");
    prism_write_expr(writer, item->guard->formula, BIND_COND + 1);
    text_append(writer->out, " : ");
    prism_write_weight(writer, item->value, BIND_COND);
    text_append(writer->out, ";\n");
}

static void write_rewards(struct prism_writer *writer, uint32_t number)
{
    const struct reward_structure *structure = &writer->system->chain->rewards[number];
    text_append(writer->out, "\nrewards");
    if (structure->name)
        text_format(writer->out, " \"%s\"", writer->reward_names[number]);
    text_char(writer->out, '\n');
    for (uint32_t i = 0; i < structure->count; i++)
        write_reward(writer, &structure->items[i]);
    text_append(writer->out, structure->count ? "" : "  false : 0;\n");
    text_append(writer->out, "endrewards\n");
}

static void write_label(struct prism_writer *writer, uint32_t number)
{
    const struct label *label = &writer->system->chain->labels[number];
    text_format(writer->out, label->formula ? "\nlabel \"%s\" = " : "\n// the label \"%s\" distinguishes modules",
                label->formula ? writer->label_names[number] : label->name);
    if (label->formula)
        prism_write_expr(writer, label->formula, BIND_COND);
    text_append(writer->out, label->formula ? ";\n" : "\n");
}

static bool write_model(struct prism_writer *writer, const struct prism_remarks *remarks, struct arena *arena,
                        struct diagnostics *diagnostics)
{
    static const char *const kinds[] = {[CHAIN_MDP] = "mdp", [CHAIN_DTMC] = "dtmc", [CHAIN_CTMC] = "ctmc"};
    const struct chain *chain = writer->system->chain;
    text_format(writer->out, "%s\n\nmodule generic_process\n", kinds[chain->kind]);
    write_variables(writer, remarks, arena);
    text_char(writer->out, '\n');
    for (uint32_t i = 0; i < chain->choice_count; i++) {
        write_command(writer, &chain->choices[i]);
        if (!refuse(writer, chain->choices[i].span, diagnostics))
            return false;
    }
    text_append(writer->out, "endmodule\n");
    write_initial(writer);
    for (uint32_t i = 0; i < chain->reward_count; i++)
        write_rewards(writer, i);
    for (uint32_t i = 0; i < chain->label_count; i++)
        write_label(writer, i);
    return refuse(writer, writer->system->starts.items[0]->span, diagnostics);
}

/* --- properties --- */

static void leave_out(const struct property *property, const char *why, struct diagnostics *diagnostics)
{
    if (property->is_unnamed)
        diag_warning(diagnostics, property->span, "this property is left out: %s cannot be written", why);
    else
        diag_warning(diagnostics, property->span, "property \"%s\" is left out: %s cannot be written", property->name,
                     why);
}

static void write_properties(struct prism_writer *writer, struct text *out, struct diagnostics *diagnostics)
{
    const struct system *system = writer->system;
    for (size_t i = 0; i < system->properties.count; i++) {
        const struct property *property = system->properties.items[i];
        struct text written = {0};
        writer->out = &written;
        writer->why = NULL;
        if (!property->pctl)
            continue;
        if (prism_write_property(writer, property))
            text_append(out, text_chars(&written));
        else
            leave_out(property, writer->why, diagnostics);
        text_free(&written);
    }
}

bool prism_write(const struct system *system, const struct prism_remarks *remarks, struct text *model,
                 struct text *properties, struct diagnostics *diagnostics)
{
    struct arena *arena = arena_create();
    struct prism_writer writer = {.system = system, .out = model};
    name_cells(&writer, arena);
    prism_name_parts(&writer, arena);
    bool is_written = write_model(&writer, remarks, arena, diagnostics);
    if (is_written)
        write_properties(&writer, properties, diagnostics);
    arena_destroy(arena);
    return is_written;
}
