/* The reduced model as PRISM text: one module, whose variables are the counters and whatever is not counted (the
 * listing in section 5.1 of the paper). */
#include <string.h>

#include "lang/prism/generic.h"

enum { WIDE = 110 };

/* More than anybody would read, or check in reasonable time. */
enum { MOST_COMMANDS = 50000 };

struct writing {
    struct text *out;
    size_t commands;
    VEC(bool) is_written; /* in an mdp: by id of the command as a term */
};

bool generic_print(struct prism_generic *generic, const struct gterm *term, bool is_conjunct, struct span span,
                   struct text *out)
{
    const char *why;
    if (gterm_print(generic, term, is_conjunct, out, &why))
        return true;
    return generic_error(generic, span, "%s cannot be written", why);
}

/* --- variables --- */

static uint32_t count_initial(const struct prism_generic *generic, uint32_t family, uint32_t location)
{
    const struct generic_family *counted = &generic->families.items[family];
    uint32_t count = 0;
    for (uint32_t m = 0; m < counted->count; m++) {
        const struct prism_component *component = &generic->network->components[counted->members[m]];
        bool is_here = true;
        for (uint32_t i = 0; i < counted->variable_count; i++)
            is_here &= component->variables[i]->initial == counted->locations.items[location][i];
        count += is_here;
    }
    return count;
}

/* "s1=2", for the comment. */
static void print_location(const struct prism_generic *generic, const struct generic_family *family, uint32_t location,
                           struct text *out)
{
    const struct prism_component *component = &generic->network->components[family->members[0]];
    for (uint32_t i = 0; i < family->variable_count; i++) {
        text_format(out, "%s%s=", i ? ", " : "", component->variables[i]->name.text);
        if (component->variables[i]->type == PRISM_TYPE_BOOL)
            text_append(out, family->locations.items[location][i] ? "true" : "false");
        else
            text_format(out, "%lld", (long long)family->locations.items[location][i]);
    }
}

static void write_counters(const struct prism_generic *generic, uint32_t number, struct text *out)
{
    const struct generic_family *family = &generic->families.items[number];
    const struct prism_component *components = generic->network->components;
    text_format(out, "  // how many of %s .. %s are in each local state, here that of %s\n",
                components[family->members[0]].name.text, components[family->members[family->count - 1]].name.text,
                components[family->members[0]].name.text);
    for (uint32_t i = 0; i < family->locations.count; i++) {
        text_format(out, "  %s : [0..%u]", generic->counter_names[family->first_counter + i], family->count);
        if (!generic->network->initial)
            text_format(out, " init %u", count_initial(generic, number, i));
        text_append(out, "; // ");
        print_location(generic, family, i, out);
        text_char(out, '\n');
    }
}

static bool is_kept(const struct prism_generic *generic, const struct prism_variable *variable)
{
    return variable->module == PRISM_GLOBAL || generic->family_of[variable->module] == NOT_COUNTED;
}

static void write_variable(const struct prism_generic *generic, const struct prism_variable *variable, struct text *out)
{
    text_format(out, "  %s : ", variable->name.text);
    if (variable->type == PRISM_TYPE_BOOL)
        text_append(out, "bool");
    else
        text_format(out, "[%lld..%lld]", (long long)variable->low, (long long)variable->high);
    if (generic->network->initial)
        text_append(out, "");
    else if (variable->type == PRISM_TYPE_BOOL)
        text_append(out, variable->initial ? " init true" : " init false");
    else
        text_format(out, " init %lld", (long long)variable->initial);
    text_append(out, ";\n");
}

static void write_variables(const struct prism_generic *generic, struct text *out)
{
    for (uint32_t i = 0; i < generic->network->variable_count; i++)
        if (is_kept(generic, generic->network->variables[i]))
            write_variable(generic, generic->network->variables[i], out);
    for (uint32_t f = 0; f < generic->families.count; f++)
        write_counters(generic, f, out);
}

/* --- commands --- */

static bool write_guard(struct prism_generic *generic, const struct generic_command *command, struct text *out)
{
    bool is_good = true;
    if (!command->guard.count)
        text_append(out, "true");
    for (size_t i = 0; i < command->guard.count && is_good; i++) {
        text_append(out, i ? " & " : "");
        is_good = generic_print(generic, command->guard.items[i], command->guard.count > 1, command->span, out);
    }
    return is_good;
}

static void write_move(const struct prism_generic *generic, uint32_t counter, int32_t move, const char *before,
                       struct text *out)
{
    const char *name = generic->counter_names[counter];
    text_format(out, "%s(%s'=%s%+d)", before, name, name, move);
}

static bool write_update(struct prism_generic *generic, const struct generic_command *command,
                         const struct generic_update *update, struct text *out)
{
    size_t begin;
    if (command->updates.count > 1 || !gterm_is_number(update->weight, 1)) {
        if (!generic_print(generic, update->weight, false, command->span, out))
            return false;
        text_char(out, ':');
    }
    begin = out->length;
    for (int rises = 0; rises < 2; rises++)
        for (uint32_t c = 0; c < generic->counter_count; c++)
            if (update->moves[c] && (update->moves[c] > 0) == rises)
                write_move(generic, c, update->moves[c], out->length > begin ? "&" : "", out);
    for (uint32_t i = 0; i < update->count; i++) {
        text_format(out, "%s(%s'=", out->length > begin ? "&" : "", update->variables[i]->name.text);
        if (!generic_print(generic, update->values[i], false, command->span, out))
            return false;
        text_char(out, ')');
    }
    if (out->length == begin)
        text_append(out, "true");
    return true;
}

/* In an mdp the same command once more changes nothing. */
static bool is_repeated(struct prism_generic *generic, struct writing *writing, const struct generic_command *command)
{
    struct gterms *terms = generic->terms;
    generic_terms parts = {0};
    if (generic->network->type != PRISM_MDP)
        return false;
    VEC_PUSH(&parts, gterm_join(terms, TERM_AND, command->guard.items, (uint32_t)command->guard.count));
    for (size_t i = 0; i < command->updates.count; i++) {
        const struct generic_update *update = &command->updates.items[i];
        VEC_PUSH(&parts, update->weight);
        for (uint32_t c = 0; c < generic->counter_count; c++)
            if (update->moves[c]) {
                VEC_PUSH(&parts, gterm_counter(terms, c));
                VEC_PUSH(&parts, gterm_int(terms, update->moves[c]));
            }
        for (uint32_t k = 0; k < update->count; k++) {
            VEC_PUSH(&parts, gterm_variable(terms, update->variables[k]));
            VEC_PUSH(&parts, update->values[k]);
        }
    }
    const struct gterm *whole = gterm_tuple(terms, parts.items, (uint32_t)parts.count);
    VEC_FREE(&parts);
    while (writing->is_written.count <= whole->id)
        VEC_PUSH(&writing->is_written, false);
    bool is_known = writing->is_written.items[whole->id] && !command->action;
    writing->is_written.items[whole->id] = true;
    return is_known;
}

static bool write_command(struct prism_generic *generic, const struct generic_command *command, void *data)
{
    struct writing *writing = data;
    struct text line = {0};
    if (is_repeated(generic, writing, command))
        return true;
    if (writing->commands == MOST_COMMANDS)
        return generic_error(generic, command->span, "more than %d commands are needed", MOST_COMMANDS);
    text_format(&line, "  [%s] ", command->action ? command->action : "");
    bool is_good = write_guard(generic, command, &line);
    text_append(&line, " ->");
    size_t guard = line.length;
    for (size_t i = 0; i < command->updates.count && is_good; i++) {
        text_append(&line, i ? " + " : " ");
        is_good = write_update(generic, command, &command->updates.items[i], &line);
    }
    text_append(&line, ";\n");
    if (line.length > WIDE) {
        text_append_n(writing->out, line.chars, guard);
        text_append(writing->out, "\n     ");
        text_append(writing->out, line.chars + guard);
    } else
        text_append(writing->out, text_chars(&line));
    text_free(&line);
    writing->commands++;
    return is_good;
}

/* --- labels, initial states --- */

/* A label that tells modules apart is left out: no property that is written uses it. */
static bool write_labels(struct prism_generic *generic, struct text *out)
{
    bool is_good = true;
    for (uint32_t i = 0; i < generic->network->label_count && is_good; i++) {
        const struct prism_label *label = &generic->network->labels[i];
        const struct gterm *formula = generic_translate(generic, gterm_from(generic->terms, label->formula));
        text_format(out, formula ? "\nlabel \"%s\" = " : "\n// the label \"%s\" distinguishes modules",
                    label->name.text);
        if (formula)
            is_good = generic_print(generic, formula, false, label->name.span, out);
        text_append(out, formula ? ";\n" : "\n");
    }
    return is_good;
}

static bool write_initial(struct prism_generic *generic, struct text *out)
{
    if (!generic->network->initial)
        return true;
    const struct gterm *condition =
        generic_translate_or_refuse(generic, gterm_from(generic->terms, generic->network->initial),
                                    generic->network->initial->span, "the condition on the initial states");
    if (!condition)
        return false;
    text_append(out, "\ninit\n  ");
    if (!generic_print(generic, condition, true, generic->network->initial->span, out))
        return false;
    for (size_t f = 0; f < generic->families.count; f++) {
        const struct generic_family *family = &generic->families.items[f];
        for (uint32_t i = 0; i < family->locations.count; i++)
            text_format(out, "%s%s", i ? "+" : " & ", generic->counter_names[family->first_counter + i]);
        text_format(out, "=%u", family->count);
    }
    text_append(out, "\nendinit\n");
    return true;
}

bool generic_write_model(struct prism_generic *generic, const char *title, struct text *out, size_t *commands)
{
    static const char *const types[] = {[PRISM_MDP] = "mdp", [PRISM_DTMC] = "dtmc", [PRISM_CTMC] = "ctmc"};
    struct writing writing = {.out = out};
    text_format(out, "// %s, counted: how many modules are in which local state (noether reduce).\n%s\n\n", title,
                types[generic->network->type]);
    text_append(out, "module generic_process\n");
    write_variables(generic, out);
    text_char(out, '\n');
    bool is_good = true;
    for (size_t i = 0; i < generic->orbits.count && is_good; i++) {
        size_t before = writing.commands;
        is_good = generic_make_commands(generic, &generic->orbits.items[i], write_command, &writing);
        generic->orbits.items[i].is_written = writing.commands > before;
    }
    text_append(out, "endmodule\n");
    VEC_FREE(&writing.is_written);
    *commands = writing.commands;
    return is_good && write_initial(generic, out) && generic_write_rewards(generic, out) && write_labels(generic, out);
}
