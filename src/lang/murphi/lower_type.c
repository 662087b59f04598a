#include <string.h>

#include "lang/murphi/foreign.h"
#include "lang/murphi/lower.h"
#include "lang/murphi/parse.h"

enum { MAX_SCALARSET = 1 << 20 };

bool type_is_integer(const struct type *type)
{
    return type->kind == TYPE_RANGE;
}

const char *type_text(struct lower *lower, const struct type *type)
{
    struct text text = {0};
    type_print(type, &text);
    const char *copy = arena_string(lower->arena, text_chars(&text));
    text_free(&text);
    return copy;
}

const struct type *type_scalarset_in(const struct type *type)
{
    if (!type_is_scalar(type))
        return NULL;
    for (uint32_t b = 0; b < type->block_count; b++)
        if (type->blocks[b].owner->kind == TYPE_INDEX)
            return type->blocks[b].owner;
    return NULL;
}

/* Aggregates are compared by structure, as rumur does; what they are made of, by value. */
static bool same_part(const struct type *a, const struct type *b)
{
    if (a == b)
        return true;
    if (!type_is_scalar(a) && !type_is_scalar(b))
        return types_compatible(a, b);
    if (a->kind == TYPE_RANGE && b->kind == TYPE_RANGE)
        return a->blocks->lo == b->blocks->lo && a->blocks->hi == b->blocks->hi;
    if (a->kind != TYPE_UNION || b->kind != TYPE_UNION || a->block_count != b->block_count)
        return false;
    for (uint32_t i = 0; i < a->block_count; i++)
        if (a->blocks[i].owner != b->blocks[i].owner)
            return false;
    return true;
}

static bool part_is(const struct type *a, const struct type *b)
{
    return a == b;
}

static bool same_structure(const struct type *a, const struct type *b,
                           bool (*is_same)(const struct type *a, const struct type *b))
{
    if (a->kind != b->kind || a->field_count != b->field_count || a->capacity != b->capacity)
        return false;
    if (a->kind == TYPE_ARRAY && !is_same(a->index, b->index))
        return false;
    if (a->kind != TYPE_RECORD)
        return is_same(a->element, b->element);
    for (uint32_t i = 0; i < a->field_count; i++)
        if (strcmp(a->fields[i].name, b->fields[i].name) || !is_same(a->fields[i].type, b->fields[i].type))
            return false;
    return true;
}

bool types_compatible(const struct type *a, const struct type *b)
{
    if (a == b)
        return true;
    if (type_is_scalar(a) != type_is_scalar(b))
        return false;
    if (!type_is_scalar(a)) /* as many cells: what is nested is looked at no more than that many times */
        return a->cells == b->cells && same_structure(a, b, same_part);
    if (type_is_integer(a) && type_is_integer(b))
        return true;
    for (uint32_t i = 0; i < a->block_count; i++)
        for (uint32_t j = 0; j < b->block_count; j++)
            if (a->blocks[i].owner == b->blocks[j].owner)
                return true;
    return false;
}

/* Only what is made of the very same types is one type: two ranges with the same bounds may number different things,
 * and what is told apart here can be permuted apart (rewrite/carriers.h). */
static const struct type *share_aggregate(struct lower *lower, const struct type *candidate)
{
    for (size_t i = 0; i < lower->system->types.count; i++) {
        const struct type *other = lower->system->types.items[i];
        if (other != candidate && !type_is_scalar(other) && same_structure(other, candidate, part_is))
            return other;
    }
    return NULL;
}

static uint32_t type_depth(struct lower *lower, const struct type *type)
{
    return type->id < lower->type_depths.count ? lower->type_depths.items[type->id] : 1;
}

/* Named types nest without nesting in the text; what reads them recurses. */
static const struct type *check_depth(struct lower *lower, const struct type *type, struct span span)
{
    if (!type || type_is_scalar(type))
        return type;
    uint32_t depth = type->element ? type_depth(lower, type->element) : 0;
    for (uint32_t i = 0; i < type->field_count; i++)
        if (type_depth(lower, type->fields[i].type) > depth)
            depth = type_depth(lower, type->fields[i].type);
    while (lower->type_depths.count <= type->id)
        VEC_PUSH(&lower->type_depths, 1);
    lower->type_depths.items[type->id] = depth + 1;
    if (depth < PARSE_MAX_DEPTH)
        return type;
    report_error(lower->diagnostics, span, "the type is nested more than %d levels deep", PARSE_MAX_DEPTH);
    return NULL;
}

static const struct type *too_large(struct lower *lower, struct span span)
{
    if (report_error(lower->diagnostics, span, "the type is too large"))
        diag_hint(lower->diagnostics, "a value may have at most %d scalar parts", TYPE_MAX_CELLS);
    return NULL;
}

static const struct type *lower_type_name(struct lower *lower, const struct ast_type *ast)
{
    struct symbol *symbol = scope_find(&lower->scope, ast->name.text);
    if (symbol)
        note_use(lower, symbol, ast->name.span);
    if (symbol && symbol->kind == SYMBOL_TYPE)
        return symbol->type;
    if (symbol && symbol->kind == SYMBOL_ERROR)
        return NULL;
    if (symbol) {
        report_error(lower->diagnostics, ast->span, "\"%s\" is not a type", ast->name.text);
        return NULL;
    }
    if (report_error(lower->diagnostics, ast->span, "unknown type \"%s\"", ast->name.text)) {
        static const char *const keywords[] = {"boolean", NULL};
        const char *closest = scope_suggest(&lower->scope, ast->name.text, keywords),
                   *murphi = foreign_word(ast->name.text);
        if (murphi)
            diag_hint(lower->diagnostics, "\"%s\" is written %s", ast->name.text, murphi);
        else if (closest)
            diag_hint(lower->diagnostics, "did you mean \"%s\"?", closest);
    }
    return NULL;
}

static const struct type *lower_range(struct lower *lower, const struct ast_type *ast, const char *name)
{
    int64_t lo, hi;
    bool is_lo = lower_constant(lower, ast->from, "the lower bound of a range", &lo);
    bool is_hi = lower_constant(lower, ast->to, "the upper bound of a range", &hi);
    if (!is_lo || !is_hi)
        return NULL;
    if (lo > hi) {
        report_error(lower->diagnostics, ast->span, "the range %lld..%lld is empty", (long long)lo, (long long)hi);
        return NULL;
    }
    if (lo < INT32_MIN || hi == INT32_MIN || hi > INT32_MAX) {
        if (report_error(lower->diagnostics, ast->span, "the range %lld..%lld does not fit 32 bits", (long long)lo,
                         (long long)hi))
            diag_hint(lower->diagnostics, "values are from %d to %d", -INT32_MAX, INT32_MAX);
        return NULL;
    }
    if (lo == INT32_MIN)
        return type_cut_range(lower->system, name, (int32_t)hi, ast->span);
    return type_range(lower->system, name, (int32_t)lo, (int32_t)hi, ast->span);
}

static const struct type *lower_enum(struct lower *lower, const struct ast_type *ast, const char *name)
{
    uint32_t count = (uint32_t)ast->labels.count;
    if (!count)
        return NULL; /* the parser has seen to it */
    const char **labels = ARENA_ARRAY(lower->arena, const char *, count);
    for (uint32_t i = 0; i < count; i++)
        labels[i] = ast->labels.items[i].text;
    const struct type *type = type_enum(lower->system, name, labels, count, ast->span);
    if (!type)
        return too_large(lower, ast->span);
    for (uint32_t i = 0; i < count; i++) {
        struct symbol *symbol = declare(lower, SYMBOL_VALUE, ast->labels.items[i]);
        if (symbol)
            symbol->value = expr_const(lower->system, type, type_code(type, i), ast->labels.items[i].span);
    }
    return type;
}

static const struct type *lower_scalarset(struct lower *lower, const struct ast_type *ast, const char *name)
{
    int64_t size;
    if (!lower_constant(lower, ast->from, "the size of a scalarset", &size))
        return NULL;
    if (size < 1 || size > MAX_SCALARSET) {
        report_error(lower->diagnostics, ast->from->span, "the size of a scalarset is %lld; it must be from 1 to %d",
                     (long long)size, MAX_SCALARSET);
        return NULL;
    }
    const struct type *type = type_index(lower->system, name, (uint32_t)size, ast->span);
    if (!type)
        return too_large(lower, ast->span);
    if (ast->from->kind == AST_NAME && lower->scope.starts.count == 1)
        VEC_PUSH(&lower->sized, ((struct sized_type){type, scope_find(&lower->scope, ast->from->name.text)}));
    return type;
}

void lower_population(struct lower *lower)
{
    uint32_t count = 0;
    const struct sized_type *found = NULL;
    for (size_t i = 0; i < lower->sized.count; i++)
        if (lower->sized.items[i].size->kind == SYMBOL_VALUE && lower->sized.items[i].size->uses == 1 &&
            !lower->sized.items[i].size->is_derived) {
            found = &lower->sized.items[i];
            count++;
        }
    for (size_t i = 0; i < lower->sized.count; i++) {
        const struct symbol *size = lower->sized.items[i].size;
        struct sized_index sized = {lower->sized.items[i].type, arena_string(lower->system->arena, size->name),
                                    size->uses == 1 && !size->is_derived,
                                    size->is_derived ? size->span : size->last_use};
        if (size->kind == SYMBOL_VALUE)
            VEC_PUSH(&lower->system->sized, sized);
    }
    if (count != 1)
        return;
    lower->system->population = found->type;
    lower->system->population_constant = arena_string(lower->system->arena, found->size->name);
}

static const struct type *lower_multiset_type(struct lower *lower, const struct ast_type *ast, const char *name)
{
    int64_t size;
    bool is_size = lower_constant(lower, ast->from, "the size of a multiset", &size);
    const struct type *element = lower_type(lower, ast->element, NULL);
    if (!is_size || !element)
        return NULL;
    if (size < 1) {
        report_error(lower->diagnostics, ast->from->span, "the size of a multiset is %lld; it must be at least 1",
                     (long long)size);
        return NULL;
    }
    if (size > TYPE_MAX_CELLS)
        return too_large(lower, ast->span);
    struct type candidate = {.kind = TYPE_MULTISET, .element = element, .capacity = (uint32_t)size};
    const struct type *type = share_aggregate(lower, &candidate);
    if (!type)
        type = type_multiset(lower->system, name, element, (uint32_t)size, ast->span);
    return type ? type : too_large(lower, ast->span);
}

bool check_first_value(struct lower *lower, const struct type *type, const char *what, struct span span)
{
    if (!type_has_cut(type))
        return true;
    report_error(lower->diagnostics, span, "%s cannot be %s: no variable can hold its first value", what,
                 type_text(lower, type));
    return false;
}

static const struct type *lower_array(struct lower *lower, const struct ast_type *ast, const char *name)
{
    const struct type *index = lower_type(lower, ast->index, NULL);
    const struct type *element = lower_type(lower, ast->element, NULL);
    if (!index || !element)
        return NULL;
    if (!type_is_scalar(index)) {
        report_error(lower->diagnostics, ast->index->span, "the index type of an array must be simple, not %s",
                     type_text(lower, index));
        return NULL;
    }
    if (!check_first_value(lower, index, "the index of an array", ast->index->span))
        return NULL;
    struct type candidate = {.kind = TYPE_ARRAY, .index = index, .element = element};
    const struct type *type = share_aggregate(lower, &candidate);
    if (!type)
        type = type_array(lower->system, name, index, element, ast->span);
    return type ? type : too_large(lower, ast->span);
}

static bool field_is_new(struct lower *lower, const struct field *fields, size_t count, struct ast_name name)
{
    for (size_t i = 0; i < count; i++)
        if (!strcmp(fields[i].name, name.text)) {
            report_error(lower->diagnostics, name.span, "the record has two fields \"%s\"", name.text);
            return false;
        }
    return true;
}

static const struct type *lower_record(struct lower *lower, const struct ast_type *ast, const char *name)
{
    VEC(struct field) fields = {0};
    bool ok = true;
    for (size_t f = 0; f < ast->field_count; f++) {
        const struct type *type = lower_type(lower, ast->fields[f].type, NULL);
        ok &= type != NULL;
        for (size_t n = 0; n < ast->fields[f].names.count && type; n++) {
            struct ast_name field = ast->fields[f].names.items[n];
            ok &= field_is_new(lower, fields.items, fields.count, field);
            struct field made = {.name = field.text, .type = type};
            VEC_PUSH(&fields, made);
        }
    }
    const struct type *type = NULL;
    if (ok) {
        struct type candidate = {.kind = TYPE_RECORD, .fields = fields.items, .field_count = (uint32_t)fields.count};
        type = share_aggregate(lower, &candidate);
        if (!type)
            type = type_record(lower->system, name, fields.items, (uint32_t)fields.count, ast->span);
        if (!type)
            too_large(lower, ast->span);
    }
    VEC_FREE(&fields);
    note_fields(lower, ast, type);
    return type;
}

static const struct type *lower_member(struct lower *lower, const struct ast_type *ast)
{
    const struct type *type = lower_type(lower, ast, NULL);
    if (!type || type->kind == TYPE_ENUM || type->kind == TYPE_INDEX || type->kind == TYPE_UNION)
        return type;
    report_error(lower->diagnostics, ast->span, "a union is made of enums and scalarsets, not of %s",
                 type_text(lower, type));
    return NULL;
}

static const struct type *lower_union(struct lower *lower, const struct ast_type *ast, const char *name)
{
    const struct type **members = ARENA_ARRAY(lower->arena, const struct type *, ast->members.count);
    bool ok = true;
    for (size_t i = 0; i < ast->members.count; i++) {
        members[i] = lower_member(lower, ast->members.items[i]);
        ok &= members[i] != NULL;
        for (size_t j = 0; j < i && ok; j++)
            if (types_compatible(members[i], members[j])) {
                report_error(lower->diagnostics, ast->members.items[i]->span, "%s is in the union twice",
                             type_text(lower, members[i]));
                ok = false;
            }
    }
    if (ok && !ast->members.count) {
        report_error(lower->diagnostics, ast->span, "the union has no members");
        ok = false;
    }
    return ok ? type_union(lower->system, name, members, (uint32_t)ast->members.count, ast->span) : NULL;
}

static const struct type *lower_structure(struct lower *lower, const struct ast_type *ast, const char *name)
{
    switch (ast->kind) {
    case AST_TYPE_NAME:
        return lower_type_name(lower, ast);
    case AST_TYPE_BOOLEAN:
        return lower->system->boolean;
    case AST_TYPE_RANGE:
        return lower_range(lower, ast, name);
    case AST_TYPE_ENUM:
        return lower_enum(lower, ast, name);
    case AST_TYPE_RECORD:
        return lower_record(lower, ast, name);
    case AST_TYPE_ARRAY:
        return lower_array(lower, ast, name);
    case AST_TYPE_SCALARSET:
        return lower_scalarset(lower, ast, name);
    case AST_TYPE_UNION:
        return lower_union(lower, ast, name);
    case AST_TYPE_MULTISET:
        return lower_multiset_type(lower, ast, name);
    }
    UNREACHABLE("type syntax");
}

const struct type *lower_type(struct lower *lower, const struct ast_type *ast, const char *name)
{
    return check_depth(lower, lower_structure(lower, ast, name), ast->span);
}
