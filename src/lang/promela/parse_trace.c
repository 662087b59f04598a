/* What may stand in a trace or notrace assertion: events, and what orders them. */
#include <string.h>

#include "lang/promela/parse.h"

static void refuse(struct pml_parser *parser, const struct pml_stmt *stmt, const char *what)
{
    if (report_error(parser->syntax.diagnostics, stmt->span, "%s", what))
        diag_hint(parser->syntax.diagnostics,
                  "sends (q!...), receives (q?...), if, do, goto and break can stand in it");
}

static void check_event(struct pml_parser *parser, const struct pml_stmt *stmt)
{
    if (stmt->is_sorted || stmt->is_random || stmt->is_peek)
        refuse(parser, stmt, "an event is written as a plain send or receive");
    for (uint32_t i = 0; i < stmt->label_count; i++)
        if (!strncmp(stmt->labels[i].name, "accept", 6) || !strncmp(stmt->labels[i].name, "progress", 8))
            report_error(parser->syntax.diagnostics, stmt->labels[i].span,
                         "labels for cycles are not supported in a trace assertion");
}

static void check_block(struct pml_parser *parser, const struct pml_block *block)
{
    for (uint32_t i = 0; i < block->count; i++) {
        const struct pml_stmt *stmt = block->items[i];
        check_event(parser, stmt);
        switch (stmt->kind) {
        case PML_SEND:
        case PML_RECEIVE:
        case PML_IF:
        case PML_DO:
        case PML_BLOCK:
        case PML_GOTO:
        case PML_BREAK:
            break;
        default:
            refuse(parser, stmt, "this is no event of a trace assertion");
        }
        for (uint32_t o = 0; o < stmt->option_count; o++)
            check_block(parser, &stmt->options[o]);
        check_block(parser, &stmt->body);
    }
}

void pml_check_events(struct pml_parser *parser, const struct pml_proctype *trace)
{
    check_block(parser, &trace->body);
    if (trace->locals.count)
        report_error(parser->syntax.diagnostics, trace->locals.items[0]->span,
                     "a trace assertion has no variables of its own");
}
