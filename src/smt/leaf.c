/* The leaves of the memory, and the symbols of a state. */
#include <string.h>

#include "smt/machine.h"

/* One predicate for each alternative of a scalar: undefined, each code, each index type; of the latter also the
 * element, a function. */
struct leaf_symbols {
    uint32_t undefined;
    uint32_t alternatives;
    uint32_t *is;      /* by alternative */
    uint32_t *element; /* by alternative: of an index type */
    int64_t *codes;    /* by alternative, else */
    uint32_t *sorts;   /* by alternative; 0: a code */
    const term *outer; /* arguments in front of those of the leaf: open binders */
    uint32_t outer_count;
};

static uint32_t block_positions(const struct code_block *block)
{
    return block->owner->kind == TYPE_INDEX ? 1 : (uint32_t)((int64_t)block->hi - block->lo + 1);
}

static uint32_t index_positions(const struct type *index)
{
    uint32_t count = 0;
    for (uint32_t b = 0; b < index->block_count; b++)
        count += block_positions(&index->blocks[b]);
    return count;
}

uint32_t leaf_count_of(const struct type *type)
{
    uint32_t count = 0;
    switch (type->kind) {
    case TYPE_ARRAY:
        return index_positions(type->index) * leaf_count_of(type->element);
    case TYPE_RECORD:
        for (uint32_t f = 0; f < type->field_count; f++)
            count += leaf_count_of(type->fields[f].type);
        return count;
    default:
        return 1;
    }
}

uint32_t leaf_position(const struct type *index, int64_t code)
{
    uint32_t position = 0;
    for (uint32_t b = 0; b < index->block_count; b++) {
        const struct code_block *block = &index->blocks[b];
        if (code >= block->lo && code <= block->hi)
            return position + (block->owner->kind == TYPE_INDEX ? 0 : (uint32_t)(code - block->lo));
        position += block_positions(block);
    }
    UNREACHABLE("no value of the index type");
}

uint32_t leaf_position_of_sort(const struct smt_machine *machine, const struct type *index, uint32_t sort)
{
    uint32_t position = 0;
    for (uint32_t b = 0; b < index->block_count; b++) {
        const struct type *owner = index->blocks[b].owner;
        if (owner->kind == TYPE_INDEX && machine->sorts[owner->id] == sort)
            return position;
        position += block_positions(&index->blocks[b]);
    }
    return UINT32_MAX;
}

/* -- Making them -- */

struct leaf_path {
    const struct variable *variable;
    const struct type *dims[SMT_MOST_DIMENSIONS];
    uint32_t dim_count;
    struct text name;
};

static void leaves_add(struct smt_machine *machine, struct leaf_path *path, const struct type *type);

static void leaves_add_element(struct smt_machine *machine, struct leaf_path *path, const struct type *array,
                               const struct code_block *block)
{
    size_t length = path->name.length;
    if (block->owner->kind == TYPE_INDEX) {
        if (path->dim_count == SMT_MOST_DIMENSIONS) {
            smt_refuse(machine, path->variable->span, "it has more than %d dimensions", SMT_MOST_DIMENSIONS);
            return;
        }
        path->dims[path->dim_count++] = block->owner;
        text_append(&path->name, "[]");
        leaves_add(machine, path, array->element);
        path->dim_count--;
    } else {
        for (int64_t code = block->lo; code <= block->hi && !machine->is_refused; code++) {
            text_append(&path->name, "[");
            type_print_value(block->owner, (int32_t)code, &path->name);
            text_append(&path->name, "]");
            leaves_add(machine, path, array->element);
            path->name.length = length;
        }
    }
    path->name.length = length;
}

static void leaves_add_scalar(struct smt_machine *machine, struct leaf_path *path, const struct type *type)
{
    struct arena *arena = machine->terms->arena;
    struct smt_leaf leaf = {.variable = path->variable, .type = type, .dim_count = path->dim_count};
    leaf.dims = arena_copy(arena, path->dims, path->dim_count * sizeof *path->dims);
    leaf.name = arena_string_n(arena, path->name.chars, path->name.length);
    VEC_PUSH(&machine->leaves, leaf);
    if (index_positions(type) > SMT_MOST_CODES && path->variable->is_global)
        smt_refuse(machine, path->variable->span, "\"%s\" has more than %d values", path->variable->name,
                   SMT_MOST_CODES);
}

static void leaves_add(struct smt_machine *machine, struct leaf_path *path, const struct type *type)
{
    size_t length = path->name.length;
    if (machine->leaves.count > SMT_MOST_STEPS / 100)
        smt_refuse(machine, path->variable->span, "the variables have too many parts");
    if (machine->is_refused)
        return;
    if (type_is_scalar(type)) {
        leaves_add_scalar(machine, path, type);
    } else if (type->kind == TYPE_ARRAY) {
        for (uint32_t b = 0; b < type->index->block_count; b++)
            leaves_add_element(machine, path, type, &type->index->blocks[b]);
    } else if (type->kind == TYPE_RECORD) {
        for (uint32_t f = 0; f < type->field_count; f++) {
            text_format(&path->name, ".%s", type->fields[f].name);
            leaves_add(machine, path, type->fields[f].type);
            path->name.length = length;
        }
    } else {
        smt_refuse(machine, path->variable->span, "\"%s\" is, or has, a multiset", path->variable->name);
    }
}

static void leaves_add_variable(struct smt_machine *machine, const struct variable *variable)
{
    struct leaf_path path = {.variable = variable};
    machine->first[variable->address] = (uint32_t)machine->leaves.count;
    if (variable->is_reference)
        return;
    text_append(&path.name, variable->name ? variable->name : "it");
    leaves_add(machine, &path, variable->type);
    text_free(&path.name);
}

bool leaves_make(struct smt_machine *machine)
{
    const struct system *system = machine->system;
    for (size_t i = 0; i < system->globals.count; i++)
        leaves_add_variable(machine, system->globals.items[i]);
    for (size_t i = 0; i < system->scratch.count; i++)
        leaves_add_variable(machine, system->scratch.items[i]);
    return !machine->is_refused;
}

/* -- Symbols -- */

struct symbol_maker {
    struct smt_machine *machine;
    const char *prefix, *suffix;
    uint32_t sorts[2 * SMT_MOST_DIMENSIONS + 64], count;
};

static uint32_t make_symbol(struct symbol_maker *maker, const char *what, uint32_t sort)
{
    struct fol_store *terms = maker->machine->terms;
    const char *name = arena_format(terms->arena, "%s%s%s", maker->prefix, what, maker->suffix);
    return terms_symbol(terms, name, sort, maker->count, maker->sorts);
}

static void make_block(struct symbol_maker *maker, struct leaf_symbols *symbols, const struct code_block *block)
{
    struct arena *arena = maker->machine->terms->arena;
    if (block->owner->kind == TYPE_INDEX) {
        uint32_t sort = maker->machine->sorts[block->owner->id], at = symbols->alternatives++;
        const char *name = maker->machine->terms->sorts.items[sort];
        symbols->sorts[at] = sort;
        symbols->is[at] = make_symbol(maker, arena_format(arena, " in %s", name), SORT_BOOLEAN);
        symbols->element[at] = make_symbol(maker, arena_format(arena, " as %s", name), sort);
        return;
    }
    for (int64_t code = block->lo; code <= block->hi; code++) {
        struct text text = {0};
        uint32_t at = symbols->alternatives++;
        text_append(&text, "=");
        type_print_value(block->owner, (int32_t)code, &text);
        symbols->codes[at] = code;
        symbols->is[at] = make_symbol(maker, text_chars(&text), SORT_BOOLEAN);
        text_free(&text);
    }
}

const struct leaf_symbols *leaf_symbols_make(struct smt_machine *machine, const struct smt_leaf *leaf,
                                             const char *suffix)
{
    struct arena *arena = machine->terms->arena;
    struct leaf_symbols *symbols = ARENA_NEW(arena, struct leaf_symbols);
    struct symbol_maker maker = {machine, leaf->name, suffix, {0}, 0};
    uint32_t count = index_positions(leaf->type);
    if (count > SMT_MOST_CODES || machine->binders.count > 64) {
        smt_refuse(machine, leaf->variable->span, "\"%s\" has more than %d values", leaf->name, SMT_MOST_CODES);
        count = 0;
    }
    symbols->is = ARENA_ARRAY(arena, uint32_t, count);
    symbols->element = ARENA_ARRAY(arena, uint32_t, count);
    symbols->codes = ARENA_ARRAY(arena, int64_t, count);
    symbols->sorts = ARENA_ARRAY(arena, uint32_t, count);
    symbols->outer_count = count ? (uint32_t)machine->binders.count : 0;
    symbols->outer = arena_copy(arena, machine->binders.items, symbols->outer_count * sizeof(term));
    for (uint32_t i = 0; i < symbols->outer_count; i++)
        maker.sorts[maker.count++] = fol_at(machine->terms, symbols->outer[i])->sort;
    for (uint32_t d = 0; d < leaf->dim_count; d++)
        maker.sorts[maker.count++] = machine->sorts[leaf->dims[d]->id];
    symbols->undefined = make_symbol(&maker, " undefined", SORT_BOOLEAN);
    for (uint32_t b = 0; count && b < leaf->type->block_count; b++)
        make_block(&maker, symbols, &leaf->type->blocks[b]);
    return symbols;
}

static const struct smt_value *symbols_value(struct smt_machine *machine, const struct leaf_symbols *symbols,
                                             const term *arguments, uint32_t count)
{
    struct fol_store *terms = machine->terms;
    term all[2 * SMT_MOST_DIMENSIONS + 64];
    uint32_t n = 0;
    for (uint32_t i = 0; i < symbols->outer_count; i++)
        all[n++] = symbols->outer[i];
    for (uint32_t i = 0; i < count; i++)
        all[n++] = arguments[i];
    struct smt_cases cases = {.undefined = fol_apply(terms, symbols->undefined, all)};
    for (uint32_t a = 0; a < symbols->alternatives; a++) {
        struct smt_case one = {.sort = symbols->sorts[a], .code = symbols->codes[a]};
        one.when = fol_apply(terms, symbols->is[a], all);
        if (one.sort)
            one.element = fol_apply(terms, symbols->element[a], all);
        cases_add(machine, &cases, &one);
    }
    return cases_take(machine, &cases);
}

/* Exactly one alternative. */
static term value_axiom(struct smt_machine *machine, const struct smt_value *value)
{
    struct fol_store *terms = machine->terms;
    term some = value->undefined, good = TERM_TRUE;
    for (uint32_t i = 0; i < value->count; i++) {
        good = fol_and(terms, good, fol_not(terms, fol_and(terms, some, value->cases[i].when)));
        some = fol_or(terms, some, value->cases[i].when);
    }
    return fol_and(terms, good, some);
}

static term symbols_axiom(struct smt_machine *machine, const struct smt_leaf *leaf, const struct leaf_symbols *symbols)
{
    term variables[SMT_MOST_DIMENSIONS];
    for (uint32_t d = 0; d < leaf->dim_count; d++)
        variables[d] = fol_variable(machine->terms, machine->sorts[leaf->dims[d]->id]);
    term axiom = value_axiom(machine, symbols_value(machine, symbols, variables, leaf->dim_count));
    for (uint32_t d = leaf->dim_count; d-- > 0;)
        axiom = fol_forall(machine->terms, variables[d], axiom);
    return axiom;
}

term leaf_axiom(struct smt_machine *machine, uint32_t leaf)
{
    return symbols_axiom(machine, &machine->leaves.items[leaf], machine->state[leaf]);
}

/* -- Contents -- */

const struct content *content_of(struct smt_machine *machine, const struct leaf_symbols *symbols)
{
    struct content *content = ARENA_NEW(machine->terms->arena, struct content);
    content->symbols = symbols;
    return content;
}

const struct content *content_undefined(struct smt_machine *machine)
{
    return content_of(machine, NULL);
}

/* What it may be is not restricted, not even to one value: whatever really is there is one of the possibilities. */
const struct content *content_unknown(struct smt_machine *machine, uint32_t leaf, struct span span)
{
    const char *suffix = arena_format(machine->terms->arena, " ?%u", machine->unknown++);
    struct content *content = ARENA_NEW(machine->terms->arena, struct content);
    content->symbols = leaf_symbols_make(machine, &machine->leaves.items[leaf], suffix);
    content->is_unknown = true;
    content->span = span;
    return content;
}

static bool path_is_open(const struct smt_machine *machine, term condition)
{
    for (size_t i = 0; i < machine->paths.count; i++)
        if (machine->paths.items[i] == condition)
            return true;
    return false;
}

/* The update for these arguments: its condition and its value there. */
static term update_at(struct smt_machine *machine, const struct content *update, uint32_t count, const term *arguments,
                      const struct smt_value **value)
{
    struct fol_store *terms = machine->terms;
    term pattern[SMT_MOST_DIMENSIONS], when = update->when;
    *value = update->value;
    if (count)
        memcpy(pattern, update->arguments, count * sizeof *pattern);
    for (uint32_t b = 0; b < update->bound_count; b++) {
        term bound = update->bound[b], by = bound;
        for (uint32_t i = 0; i < count; i++)
            if (update->arguments[i] == bound)
                by = arguments[i];
        when = fol_substitute(terms, when, bound, by);
        *value = smt_substitute(machine, *value, bound, by);
        for (uint32_t i = 0; i < count; i++)
            pattern[i] = fol_substitute(terms, pattern[i], bound, by);
    }
    for (uint32_t i = 0; i < count; i++)
        when = fol_and(terms, when, fol_equal(terms, pattern[i], arguments[i]));
    return when;
}

const struct smt_value *content_read(struct smt_machine *machine, const struct content *content, uint32_t leaf,
                                     const term *arguments)
{
    uint32_t count = machine->leaves.items[leaf].dim_count;
    const struct smt_value *value;
    if (!smt_goes_on(machine, machine->leaves.items[leaf].variable->span))
        return smt_undefined(machine);
    if (!content->value) {
        if (content->is_unknown)
            smt_note_inexact(machine, content->span);
        return content->symbols ? symbols_value(machine, content->symbols, arguments, count) : smt_undefined(machine);
    }
    term when = update_at(machine, content, count, arguments, &value);
    if (when == TERM_TRUE || path_is_open(machine, when))
        return value;
    return smt_select(machine, when, value, content_read(machine, content->below, leaf, arguments));
}

void content_write(struct smt_machine *machine, uint32_t leaf, const term *arguments, const term *bound,
                   uint32_t bound_count, term when, const struct smt_value *value)
{
    struct arena *arena = machine->terms->arena;
    uint32_t count = machine->leaves.items[leaf].dim_count;
    struct content *content = ARENA_NEW(arena, struct content);
    if (when == TERM_FALSE)
        return;
    content->below = machine->contents[leaf];
    content->arguments = arena_copy(arena, arguments, count * sizeof *arguments);
    content->bound = arena_copy(arena, bound, bound_count * sizeof *bound);
    content->bound_count = bound_count;
    content->when = when;
    content->value = value;
    machine->contents[leaf] = content;
}

static bool symbols_have(const struct leaf_symbols *symbols, uint32_t symbol)
{
    for (uint32_t a = 0; a < symbols->alternatives; a++)
        if (symbols->sorts[a] && symbols->element[a] == symbol)
            return true;
    return false;
}

const struct smt_leaf *leaf_of_symbol(const struct smt_machine *machine, uint32_t symbol)
{
    for (uint32_t l = 0; l < machine->leaves.count; l++)
        if (machine->state[l] && symbols_have(machine->state[l], symbol))
            return &machine->leaves.items[l];
    return NULL;
}
