/* What editors are told of the names of a Promela model. */
#include <string.h>

#include "lang/promela/parse.h"

/* The text at the span; a token of a macro has the span of the use of the macro. */
static bool spells(struct span span, const char *name)
{
    size_t length, size = strlen(name);
    const char *line = source_line(span, &length);
    size_t at = span.column ? span.column - 1 : 0;
    return span.line && at + size <= length && span.length == size && !memcmp(line + at, name, size);
}

void pml_note_use(struct pml_parser *parser, const char *name, struct span use, struct span definition)
{
    if (!parser->names)
        return;
    if (spells(use, name))
        names_use(parser->names, use, definition);
    else
        names_fix(parser->names, definition);
}

void pml_note_variable(struct pml_parser *parser, const struct pml_variable *variable)
{
    if (!parser->names || !spells(variable->span, variable->name))
        return;
    enum name_kind kind = parser->record ? NAME_FIELD : variable->is_parameter ? NAME_PARAMETER : NAME_VARIABLE;
    names_define(parser->names, kind, variable->name, variable->span, names_line(parser->names, variable->span), NULL);
    if (!parser->proctype && !parser->record)
        names_outline(parser->names, kind, variable->name, variable->span, variable->span, variable->span, 0);
}

void pml_note_named(struct pml_parser *parser, enum name_kind kind, const void *space, const char *name,
                    struct span span)
{
    if (parser->names && name && spells(span, name))
        names_define_member(parser->names, kind, space, name, span, names_line(parser->names, span));
}

void pml_note_named_use(struct pml_parser *parser, const void *space, const char *name, struct span use)
{
    if (parser->names && name && spells(use, name))
        names_use_member(parser->names, space, name, use);
    else if (parser->names && name)
        names_fix_member(parser->names, space, name);
}

/* The title of a proctype is its name. */
void pml_note_part(struct pml_parser *parser, enum name_kind kind, const char *title, const struct pml_token *first)
{
    const struct pml_token *last = parser->token > first ? parser->token - 1 : first, *shown = first;
    if (!title) {
        while (shown < last && shown->kind != PMT_PROCTYPE && shown->kind != PMT_D_PROCTYPE)
            shown++;
        shown = shown < last ? shown + 1 : shown;
        title = shown->text;
    }
    names_outline(parser->names, kind, title, shown->span, first->span, last->span, 0);
}
