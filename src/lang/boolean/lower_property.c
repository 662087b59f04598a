#include <string.h>

#include "base/printable.h"
#include "base/scan.h"
#include "lang/boolean/lower.h"

/* Is a thread at a step that has the label? NULL: no procedure has it. */
static struct expr *at_label(struct bp_lowering *lower, const char *label, struct span span, bool *is_known)
{
    struct threads *threads = &lower->threads;
    struct expr *found = NULL;
    for (size_t p = 0; p < lower->program->procedures.count; p++)
        for (size_t i = 0; i < lower->program->procedures.items[p]->labels.count; i++)
            *is_known |= !strcmp(lower->program->procedures.items[p]->labels.items[i].name.text, label);
    for (uint32_t n = 0; n < lower->flow->nodes.count; n++) {
        const struct flow_node *node = &lower->flow->nodes.items[n];
        const struct bp_procedure *procedure = node->frame->procedure;
        bool is_there = false;
        for (size_t i = 0; i < procedure->labels.count; i++)
            is_there |=
                node->step == procedure->labels.items[i].step && !strcmp(procedure->labels.items[i].name.text, label);
        struct expr *is_at = is_there ? threads_is(threads, lower->pc, lower->each, n, span) : NULL;
        found = found && is_at ? expr_binary(threads->system, OP_OR, found, is_at, span) : is_at ? is_at : found;
    }
    return found;
}

static bool add_unreachable(struct bp_lowering *lower, const char *label, struct span span)
{
    struct threads *threads = &lower->threads;
    bool is_known = false;
    struct expr *at = at_label(lower, label, span, &is_known);
    if (!is_known)
        return false;
    struct expr *formula = at ? threads_not(threads, threads_exists(threads, lower->each, at, span), span)
                              : threads_truth(threads, true, span);
    const char *name = arena_format(lower->arena, "unreachable %s", label);
    system_add_property(threads->system, PROPERTY_INVARIANT, name, formula, span);
    return true;
}

static size_t word_length(const struct scanner *scanner)
{
    size_t length = 0;
    while (scan_peek(scanner, length) && !strchr(" \t\r\n;", scan_peek(scanner, length)))
        length++;
    return length;
}

static void read_asked(struct bp_lowering *lower, const struct source *source)
{
    struct scanner scanner = scan_begin(source);
    while (true) {
        while (scan_skip_blank(&scanner) || scan_peek(&scanner, 0) == ';')
            scanner.at += scan_peek(&scanner, 0) == ';';
        size_t length = word_length(&scanner);
        if (!length)
            return;
        struct span span = scan_span(&scanner, length);
        bool is_known = length == strlen("unreachable") && scan_starts_with(&scanner, "unreachable");
        scanner.at += length;
        while (scan_peek(&scanner, 0) == ' ')
            scanner.at++;
        length = word_length(&scanner);
        if (!is_known || !length) {
            if (report_error(lower->diagnostics, span, "a property of a Boolean program is \"unreachable LABEL\""))
                diag_hint(lower->diagnostics, "assertions stand in the program");
            return;
        }
        span = scan_span(&scanner, length);
        const char *label = arena_string_n(lower->arena, source->text + scanner.at, length);
        if (!add_unreachable(lower, label, span))
            report_error(lower->diagnostics, span, "there is no label \"%s\"", arena_printable(lower->arena, label));
        scanner.at += length;
    }
}

static bool is_there(const struct system *system, const char *name)
{
    for (size_t i = 0; i < system->properties.count; i++)
        if (!strcmp(system->properties.items[i]->name, name))
            return true;
    return false;
}

void bp_lower_properties(struct bp_lowering *lower, const struct source *const *asked)
{
    for (size_t i = 0; i < 2; i++)
        if (asked[i])
            read_asked(lower, asked[i]);
    if (!is_there(lower->threads.system, "unreachable SLIC_ERROR"))
        add_unreachable(lower, "SLIC_ERROR", lower->program->main->name.span);
}
