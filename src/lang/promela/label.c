#include <string.h>

#include "lang/promela/parse.h"

static bool is_around(const struct pml_parser *parser, uint32_t outer, uint32_t inner)
{
    while (inner != outer && inner)
        inner = parser->parents.items[inner];
    return inner == outer;
}

static uint32_t find_symbol(struct pml_parser *parser, const char *name)
{
    for (size_t i = parser->symbols.count; i-- > 0;) {
        const struct pml_symbol *symbol = &parser->symbols.items[i];
        if (!strcmp(symbol->name, name) && is_around(parser, symbol->block, parser->block))
            return (uint32_t)i;
    }
    struct pml_symbol symbol = {name, parser->block};
    VEC_PUSH(&parser->symbols, symbol);
    return (uint32_t)parser->symbols.count - 1;
}

/* In several blocks of a proctype there may be labels of one name; all but the first get a number. */
static const char *unique_name(struct pml_parser *parser, const char *name)
{
    size_t same = 0;
    for (size_t i = 0; i < parser->targets.count; i++)
        same += !strcmp(parser->targets.items[i].name, name);
    return same ? arena_format(parser->arena, "%s@%zu", name, same + 1) : name;
}

const char *pml_label_declare(struct pml_parser *parser, const char *name, struct span span)
{
    struct pml_target target = {find_symbol(parser, name), name,          unique_name(parser, name), span,
                                parser->inlined,           parser->d_step};
    if (pml_find_variable(parser, name) &&
        report_error(parser->syntax.diagnostics, span, "\"%s\" is a variable, and cannot be a label", name))
        diag_hint(parser->syntax.diagnostics, "an assignment is written %s = ...", name);
    for (size_t i = 0; i < parser->targets.count; i++) {
        const struct pml_target *other = &parser->targets.items[i];
        if (other->symbol == target.symbol && other->from == target.from)
            report_error(parser->syntax.diagnostics, span, "the label \"%s\" is declared already", name);
    }
    VEC_PUSH(&parser->targets, target);
    struct pml_known_label known = {parser->proctype, target.unique, span};
    names_define(parser->names, NAME_LABEL, name, span, NULL, NULL);
    VEC_PUSH(&parser->labels, known);
    return target.unique;
}

void pml_label_use(struct pml_parser *parser, struct pml_stmt *stmt, const char *name)
{
    struct pml_jump jump = {find_symbol(parser, name), parser->token[-1].span, stmt, parser->d_step};
    stmt->label = name;
    VEC_PUSH(&parser->jumps, jump);
}

/* The label in the block of the goto; else the first in a block around it; else the last anywhere: as in SPIN. */
static const struct pml_target *find_target(const struct pml_parser *parser, const struct pml_jump *jump)
{
    const struct pml_target *best = NULL;
    const struct pml_symbol *from = &parser->symbols.items[jump->symbol];
    for (size_t i = parser->targets.count; i-- > 0;) {
        const struct pml_target *target = &parser->targets.items[i];
        const struct pml_symbol *to = &parser->symbols.items[target->symbol];
        if (strcmp(to->name, from->name) != 0)
            continue;
        if (to->block == from->block)
            return target;
        if (is_around(parser, to->block, from->block) || !best)
            best = target;
    }
    return best;
}

static void report_missing(struct pml_parser *parser, const struct pml_stmt *stmt)
{
    if (!report_error(parser->syntax.diagnostics, stmt->span, "there is no label \"%s\" in this process", stmt->label))
        return;
    VEC(const char *) names = {0};
    for (size_t i = 0; i < parser->targets.count; i++)
        VEC_PUSH(&names, parser->targets.items[i].name);
    const char *closest = diag_closest(stmt->label, names.items, names.count);
    if (closest)
        diag_hint(parser->syntax.diagnostics, "did you mean \"%s\"?", closest);
    VEC_FREE(&names);
}

void pml_labels_resolve(struct pml_parser *parser)
{
    for (size_t i = 0; i < parser->jumps.count && !parser->syntax.lost; i++) {
        const struct pml_target *target = find_target(parser, &parser->jumps.items[i]);
        if (target && target->d_step != parser->jumps.items[i].d_step)
            report_error(parser->syntax.diagnostics, parser->jumps.items[i].stmt->span,
                         "a goto cannot enter or leave a d_step");
        if (target) {
            pml_note_use(parser, target->name, parser->jumps.items[i].span, target->span);
            parser->jumps.items[i].stmt->label = target->unique;
        } else
            report_missing(parser, parser->jumps.items[i].stmt);
    }
    VEC_CLEAR(&parser->symbols);
    VEC_CLEAR(&parser->targets);
    VEC_CLEAR(&parser->jumps);
}
