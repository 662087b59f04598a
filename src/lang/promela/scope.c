#include <string.h>

#include "lang/promela/parse.h"

void pml_scope_begin(struct pml_parser *parser)
{
    VEC_PUSH(&parser->parents, parser->block);
    parser->block = (uint32_t)parser->parents.count - 1;
}

void pml_scope_end(struct pml_parser *parser)
{
    while (parser->visible.count && VEC_LAST(&parser->visible).block == parser->block)
        parser->visible.count--;
    parser->block = parser->parents.items[parser->block];
}

struct pml_variable *pml_find_variable(const struct pml_parser *parser, const char *name)
{
    for (size_t i = parser->visible.count; i-- > 0;)
        if (!strcmp(parser->visible.items[i].variable->name, name))
            return parser->visible.items[i].variable;
    return NULL;
}

struct pml_variable *pml_find_field(const struct pml_record *record, const char *name)
{
    for (size_t i = 0; i < record->fields.count; i++)
        if (!strcmp(record->fields.items[i]->name, name))
            return record->fields.items[i];
    return NULL;
}

struct pml_record *pml_find_record(const struct pml_parser *parser, const char *name)
{
    for (size_t i = 0; i < parser->model->records.count; i++)
        if (!strcmp(parser->model->records.items[i]->name, name))
            return parser->model->records.items[i];
    return NULL;
}

struct pml_inline *pml_find_inline(const struct pml_parser *parser, const char *name)
{
    for (size_t i = 0; i < parser->inlines.count; i++)
        if (!strcmp(parser->inlines.items[i]->name, name))
            return parser->inlines.items[i];
    return NULL;
}

/* One that stands before, or is being read. */
static bool is_known_proctype(const struct pml_parser *parser, const char *name)
{
    for (size_t i = 0; i < parser->model->proctypes.count; i++)
        if (!strcmp(parser->model->proctypes.items[i]->name, name))
            return true;
    return false;
}

/* A variable of a process may have the name of a proctype that comes later. */
bool pml_is_proctype(const struct pml_parser *parser, const char *name)
{
    const struct pml_variable *variable = pml_find_variable(parser, name);
    for (size_t i = 0; i < parser->proctypes.count && !(variable && variable->owner); i++)
        if (!strcmp(parser->proctypes.items[i], name))
            return true;
    return false;
}

static struct pml_names *find_set(const struct pml_parser *parser, const char *name)
{
    for (size_t i = 0; i < parser->model->mtypes.count; i++) {
        struct pml_names *set = parser->model->mtypes.items[i];
        if (name ? set->name && !strcmp(set->name, name) : !set->name)
            return set;
    }
    return NULL;
}

struct pml_names *pml_mtype_set(struct pml_parser *parser, const char *name)
{
    struct pml_names *set = find_set(parser, name);
    if (set)
        return set;
    set = ARENA_NEW(parser->arena, struct pml_names);
    set->name = name;
    VEC_PUSH(&parser->model->mtypes, set);
    return set;
}

uint32_t pml_find_mtype(const struct pml_parser *parser, const char *name, const struct pml_names **found)
{
    for (size_t i = 0; i < parser->model->mtypes.count; i++) {
        const struct pml_names *set = parser->model->mtypes.items[i];
        for (size_t j = 0; j < set->names.count; j++)
            if (!strcmp(set->names.items[j], name)) {
                *found = set;
                return set->numbers.items[j];
            }
    }
    return 0;
}

static bool is_taken(const struct pml_parser *parser, const char *name, const char **what)
{
    const struct pml_names *set;
    if (parser->record) {
        *what = "a field of this record";
        return pml_find_field(parser->record, name) != NULL;
    }
    bool is_proctype = parser->proctype ? is_known_proctype(parser, name) : pml_is_proctype(parser, name);
    *what = pml_find_mtype(parser, name, &set) ? "an mtype"
            : is_proctype                      ? "a proctype"
            : pml_find_record(parser, name)    ? "a record type"
            : pml_find_inline(parser, name)    ? "an inline"
            : pml_find_variable(parser, name)  ? "a variable"
                                               : NULL;
    return *what != NULL;
}

bool pml_declare(struct pml_parser *parser, struct pml_variable *variable)
{
    const char *what;
    if (is_taken(parser, variable->name, &what)) {
        if (report_error(parser->syntax.diagnostics, variable->span, "\"%s\" is declared already: it is %s",
                         variable->name, what))
            diag_hint(parser->syntax.diagnostics,
                      "in Promela a name must be new in its block and in all blocks around it");
        return false;
    }
    pml_note_variable(parser, variable);
    if (parser->record) {
        variable->id = (uint32_t)parser->record->fields.count;
        VEC_PUSH(&parser->record->fields, variable);
        return true;
    }
    struct pml_visible visible = {variable, parser->block};
    VEC_PUSH(&parser->visible, visible);
    variable->owner = parser->proctype;
    if (parser->proctype) {
        variable->id = (uint32_t)parser->proctype->locals.count;
        VEC_PUSH(&parser->proctype->locals, variable);
    } else {
        variable->id = (uint32_t)parser->model->globals.count;
        VEC_PUSH(&parser->model->globals, variable);
    }
    return true;
}

void pml_unknown_name(struct pml_parser *parser, struct span span, const char *name)
{
    if (!report_error(parser->syntax.diagnostics, span, "unknown name \"%s\"", name))
        return;
    VEC(const char *) names = {0};
    for (size_t i = 0; i < parser->visible.count; i++)
        VEC_PUSH(&names, parser->visible.items[i].variable->name);
    for (size_t i = 0; i < parser->model->mtypes.count; i++)
        for (size_t j = 0; j < parser->model->mtypes.items[i]->names.count; j++)
            VEC_PUSH(&names, parser->model->mtypes.items[i]->names.items[j]);
    for (size_t i = 0; i < parser->inlines.count; i++)
        VEC_PUSH(&names, parser->inlines.items[i]->name);
    const char *closest = name[1] ? diag_closest(name, names.items, names.count) : NULL,
               *foreign = pml_foreign_word(name);
    if (foreign)
        diag_hint(parser->syntax.diagnostics, "%s", foreign);
    else if (closest)
        diag_hint(parser->syntax.diagnostics, "did you mean \"%s\"?", closest);
    else
        diag_hint(parser->syntax.diagnostics, "names are declared before they are used: byte %s", name);
    VEC_FREE(&names);
}
