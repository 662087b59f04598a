#include "engine/every/every.h"

#include <stdlib.h>
#include <string.h>

static void clause_free(struct every_clause *clause)
{
    free(clause->literals);
    clause->literals = NULL;
}

void candidates_free(candidate_list *candidates)
{
    for (size_t i = 0; i < candidates->count; i++) {
        clause_free(&candidates->items[i].clause);
        text_free(&candidates->items[i].words);
    }
    VEC_FREE(candidates);
}

/* -- From cells to leaves -- */

/* An element that a literal is about: of which index type, and its number. */
struct named_element {
    const struct type *type;
    uint32_t number;
};

struct cell_site {
    uint32_t leaf, count;
    struct named_element arguments[SMT_MOST_DIMENSIONS];
    const struct type *type;
};

static void site_find(const struct type *type, uint32_t offset, struct cell_site *site)
{
    if (type->kind == TYPE_RECORD) {
        uint32_t f = 0;
        while (f + 1 < type->field_count && offset >= type->fields[f + 1].offset)
            site->leaf += leaf_count_of(type->fields[f++].type);
        site_find(type->fields[f].type, offset - type->fields[f].offset, site);
    } else if (type->kind == TYPE_ARRAY) {
        int32_t code = type_code(type->index, offset / type->element->cells);
        uint32_t b = 0;
        while (code < type->index->blocks[b].lo || code > type->index->blocks[b].hi)
            b++;
        const struct code_block *block = &type->index->blocks[b];
        site->leaf += leaf_position(type->index, code) * leaf_count_of(type->element);
        if (block->owner->kind == TYPE_INDEX && site->count < SMT_MOST_DIMENSIONS)
            site->arguments[site->count++] = (struct named_element){block->owner, (uint32_t)(code - block->lo)};
        site_find(type->element, offset % type->element->cells, site);
    } else {
        site->type = type;
    }
}

static void site_of(const struct system *system, uint32_t cell, struct cell_site *site)
{
    *site = (struct cell_site){0};
    for (size_t g = 0; g < system->globals.count; g++) {
        const struct variable *variable = system->globals.items[g];
        if (cell < variable->address + variable->type->cells) {
            site_find(variable->type, cell - variable->address, site);
            return;
        }
        site->leaf += leaf_count_of(variable->type);
    }
    UNREACHABLE("no such cell");
}

/* -- Lifting -- */

struct clause_lifting {
    struct every_clause clause;
    struct named_element elements[EVERY_MOST_VARIABLES];
    bool is_good;
};

static uint32_t lift_element(struct clause_lifting *lifting, struct named_element element)
{
    struct every_clause *clause = &lifting->clause;
    for (uint32_t v = 0; v < clause->variable_count; v++)
        if (lifting->elements[v].type == element.type && lifting->elements[v].number == element.number)
            return v;
    if (clause->variable_count == EVERY_MOST_VARIABLES) {
        lifting->is_good = false;
        return 0;
    }
    lifting->elements[clause->variable_count] = element;
    clause->types[clause->variable_count] = element.type->id;
    return clause->variable_count++;
}

static void lift_value(struct clause_lifting *lifting, const struct type *type, uint32_t ordinal,
                       struct every_literal *literal)
{
    int32_t code = type_code(type, ordinal);
    uint32_t b = 0;
    while (code < type->blocks[b].lo || code > type->blocks[b].hi)
        b++;
    const struct code_block *block = &type->blocks[b];
    literal->test = TEST_CODE;
    literal->block = b;
    literal->ordinal = (uint32_t)(code - block->lo);
    if (block->owner->kind != TYPE_INDEX)
        return;
    literal->test = TEST_ELEMENT;
    literal->variable = lift_element(lifting, (struct named_element){block->owner, literal->ordinal});
    literal->ordinal = 0;
}

static void lift_literals(struct clause_lifting *lifting, const struct layout *layout,
                          const struct cell_literal *literals, uint32_t count)
{
    lifting->clause.literals = memory_zeroed((size_t)count + 1, sizeof *lifting->clause.literals);
    lifting->clause.count = count;
    for (uint32_t i = 0; i < count; i++) {
        struct every_literal *literal = &lifting->clause.literals[i];
        struct cell_site site;
        site_of(layout->system, literals[i].cell, &site);
        literal->leaf = site.leaf;
        literal->count = site.count;
        literal->is_positive = literals[i].is_positive;
        for (uint32_t a = 0; a < site.count; a++)
            literal->arguments[a] = (uint8_t)lift_element(lifting, site.arguments[a]);
        lift_value(lifting, site.type, literals[i].ordinal, literal);
    }
}

static bool literal_mentions(const struct every_literal *literal, uint32_t variable)
{
    for (uint32_t a = 0; a < literal->count; a++)
        if (literal->arguments[a] == variable)
            return true;
    return literal->test == TEST_ELEMENT && literal->variable == variable;
}

static bool literal_equal_under(const struct every_literal *a, const struct every_literal *b, uint32_t from,
                                uint32_t to)
{
    struct every_literal image = *a;
    for (uint32_t i = 0; i < image.count; i++)
        if (image.arguments[i] == from)
            image.arguments[i] = (uint8_t)to;
    if (image.test == TEST_ELEMENT && image.variable == from)
        image.variable = to;
    return image.leaf == b->leaf && image.test == b->test && image.block == b->block && image.ordinal == b->ordinal &&
           image.is_positive == b->is_positive && image.variable == b->variable &&
           !memcmp(image.arguments, b->arguments, image.count);
}

/* Does what the clause says of one element, it says of the other? */
static bool is_twin(const struct every_clause *clause, uint32_t a, uint32_t b)
{
    for (uint32_t i = 0; i < clause->count; i++) {
        if (!literal_mentions(&clause->literals[i], a))
            continue;
        bool is_found = false;
        for (uint32_t j = 0; j < clause->count && !is_found; j++)
            is_found = literal_mentions(&clause->literals[j], b) &&
                       literal_equal_under(&clause->literals[i], &clause->literals[j], a, b);
        if (!is_found)
            return false;
    }
    return true;
}

static void candidates_add(const struct system *system, candidate_list *candidates, struct every_clause clause)
{
    struct every_candidate candidate = {.clause = clause, .property = UINT32_MAX};
    clause_print(system, &clause, NULL, &candidate.words);
    bool is_known = candidates->count >= EVERY_MOST_CANDIDATES;
    for (size_t i = 0; i < candidates->count && !is_known; i++)
        is_known = !strcmp(text_chars(&candidates->items[i].words), text_chars(&candidate.words));
    if (!is_known) {
        VEC_PUSH(candidates, candidate);
        return;
    }
    clause_free(&candidate.clause);
    text_free(&candidate.words);
}

/* Variables in the order in which sorted literals mention them, so that equal statements look equal. */
static int literal_compare(const void *left, const void *right)
{
    const struct every_literal *a = left, *b = right;
    if (a->leaf != b->leaf)
        return a->leaf < b->leaf ? -1 : 1;
    if (a->test != b->test)
        return a->test < b->test ? -1 : 1;
    if (a->block != b->block)
        return a->block < b->block ? -1 : 1;
    if (a->ordinal != b->ordinal)
        return a->ordinal < b->ordinal ? -1 : 1;
    if (a->is_positive != b->is_positive)
        return a->is_positive ? 1 : -1;
    int arguments = memcmp(a->arguments, b->arguments, a->count);
    return arguments ? arguments : (a->variable > b->variable) - (a->variable < b->variable);
}

static uint32_t rename_variable(uint32_t variable, uint32_t *names, uint32_t *count)
{
    if (names[variable] == UINT32_MAX)
        names[variable] = (*count)++;
    return names[variable];
}

static void clause_normalise(struct every_clause *clause)
{
    struct every_clause old = *clause;
    uint32_t names[EVERY_MOST_VARIABLES], count = 0;
    memset(names, 0xff, sizeof names);
    qsort(clause->literals, clause->count, sizeof *clause->literals, literal_compare);
    for (uint32_t i = 0; i < clause->count; i++) {
        struct every_literal *literal = &clause->literals[i];
        for (uint32_t a = 0; a < literal->count; a++)
            literal->arguments[a] = (uint8_t)rename_variable(literal->arguments[a], names, &count);
        if (literal->test == TEST_ELEMENT)
            literal->variable = rename_variable(literal->variable, names, &count);
    }
    for (uint32_t v = 0; v < old.variable_count; v++)
        if (names[v] != UINT32_MAX) {
            clause->types[names[v]] = old.types[v];
            clause->is_existential[names[v]] = old.is_existential[v];
        }
    clause->variable_count = count;
}

/* All elements of a type but some are twins: "some element" (section 4 of the paper), instead of as many as there are
 * at this size. */
static bool clause_generalise(const struct clause_lifting *lifting, struct every_clause *clause)
{
    for (uint32_t v = 0; v < lifting->clause.variable_count; v++) {
        const struct type *type = lifting->elements[v].type;
        uint32_t named = 0, twins = 0;
        bool is_twin_of[EVERY_MOST_VARIABLES] = {false};
        for (uint32_t w = 0; w < lifting->clause.variable_count; w++) {
            named += lifting->elements[w].type == type;
            is_twin_of[w] =
                lifting->elements[w].type == type && is_twin(&lifting->clause, v, w) && is_twin(&lifting->clause, w, v);
            twins += is_twin_of[w];
        }
        if (named != type->size || twins < 2)
            continue;
        *clause = lifting->clause;
        clause->literals = memory_zeroed((size_t)clause->count + 1, sizeof *clause->literals);
        clause->count = 0;
        for (uint32_t i = 0; i < lifting->clause.count; i++) {
            bool is_kept = true;
            for (uint32_t w = 0; w < lifting->clause.variable_count; w++)
                is_kept &= w == v || !is_twin_of[w] || !literal_mentions(&lifting->clause.literals[i], w);
            if (is_kept)
                clause->literals[clause->count++] = lifting->clause.literals[i];
        }
        clause->is_existential[v] = true;
        return true;
    }
    return false;
}

/* With two elements "is the first" and "is not the second" are the same, and a search cannot tell which is meant. For
 * data (elements that are values only): both statements about one element that it may be. */
static bool clause_about_one(const struct clause_lifting *lifting, uint32_t kept, struct every_clause *clause)
{
    const struct every_clause *old = &lifting->clause;
    uint32_t other = UINT32_MAX;
    for (uint32_t v = 0; v < old->variable_count; v++)
        if (v != kept && lifting->elements[v].type == lifting->elements[kept].type)
            other = v;
    if (lifting->elements[kept].type->size != 2 || other == UINT32_MAX)
        return false;
    for (uint32_t i = 0; i < old->count; i++)
        for (uint32_t a = 0; a < old->literals[i].count; a++)
            if (old->literals[i].arguments[a] == other || old->literals[i].arguments[a] == kept)
                return false;
    *clause = *old;
    clause->literals = memory_zeroed((size_t)old->count + 1, sizeof *clause->literals);
    memcpy(clause->literals, old->literals, old->count * sizeof *clause->literals);
    for (uint32_t i = 0; i < clause->count; i++)
        if (clause->literals[i].test == TEST_ELEMENT && clause->literals[i].variable == other) {
            clause->literals[i].variable = kept;
            clause->literals[i].is_positive = !clause->literals[i].is_positive;
        }
    return true;
}

void clause_lift(const struct layout *layout, const struct cell_literal *literals, uint32_t count,
                 candidate_list *candidates)
{
    struct clause_lifting lifting = {.is_good = true};
    struct every_clause general;
    if (layout->multiset_count) /* what is in it has no place of its own */
        return;
    lift_literals(&lifting, layout, literals, count);
    if (!lifting.is_good) {
        clause_free(&lifting.clause);
        return;
    }
    if (clause_generalise(&lifting, &general)) {
        clause_normalise(&general);
        candidates_add(layout->system, candidates, general);
    }
    for (uint32_t v = 0; v < lifting.clause.variable_count; v++)
        if (clause_about_one(&lifting, v, &general)) {
            clause_normalise(&general);
            candidates_add(layout->system, candidates, general);
        }
    clause_normalise(&lifting.clause);
    candidates_add(layout->system, candidates, lifting.clause);
}

/* -- Others -- */

static void add_defined_leaves(const struct system *system, const struct type *type, struct every_literal *path,
                               struct every_clause *shape, candidate_list *candidates)
{
    if (type->kind == TYPE_RECORD) {
        for (uint32_t f = 0; f < type->field_count; f++)
            add_defined_leaves(system, type->fields[f].type, path, shape, candidates);
    } else if (type->kind == TYPE_ARRAY) {
        for (uint32_t b = 0; b < type->index->block_count; b++) {
            const struct code_block *block = &type->index->blocks[b];
            bool is_index = block->owner->kind == TYPE_INDEX;
            if (is_index && shape->variable_count < EVERY_MOST_VARIABLES) {
                shape->types[shape->variable_count] = block->owner->id;
                path->arguments[path->count++] = (uint8_t)shape->variable_count++;
            } else if (is_index) {
                path->leaf += leaf_count_of(type->element);
                continue;
            }
            for (int64_t code = block->lo; code <= (is_index ? block->lo : block->hi); code++)
                add_defined_leaves(system, type->element, path, shape, candidates);
            if (is_index)
                path->count--, shape->variable_count--;
        }
    } else {
        struct every_clause clause = *shape;
        clause.count = 1;
        clause.literals = memory_zeroed(1, sizeof *clause.literals);
        *clause.literals = *path;
        size_t known = candidates->count;
        candidates_add(system, candidates, clause);
        if (candidates->count > known)
            VEC_LAST(candidates).is_plain = true;
        path->leaf++;
    }
}

void clause_add_defined(const struct system *system, candidate_list *candidates)
{
    struct every_literal path = {.test = TEST_UNDEFINED};
    struct every_clause shape = {0};
    for (size_t g = 0; g < system->globals.count; g++)
        if (!type_has_multiset(system->globals.items[g]->type))
            add_defined_leaves(system, system->globals.items[g]->type, &path, &shape, candidates);
        else
            path.leaf += leaf_count_of(system->globals.items[g]->type);
}

void clause_add_properties(const struct system *system, candidate_list *candidates)
{
    for (size_t p = 0; p < system->properties.count; p++) {
        struct every_candidate candidate = {.property = (uint32_t)p};
        if (system->properties.items[p]->kind == PROPERTY_INVARIANT && system->properties.items[p]->formula)
            VEC_PUSH(candidates, candidate);
    }
}

/* -- Formulas -- */

void clause_variables(struct smt_machine *machine, const struct every_clause *clause, term *variables)
{
    for (uint32_t v = 0; v < clause->variable_count; v++)
        variables[v] = fol_variable(machine->terms, machine->sorts[clause->types[v]]);
}

static term literal_formula(struct smt_machine *machine, const struct every_literal *literal, const term *variables)
{
    struct fol_store *terms = machine->terms;
    term arguments[SMT_MOST_DIMENSIONS], is = TERM_FALSE;
    const struct type *type = machine->leaves.items[literal->leaf].type;
    for (uint32_t a = 0; a < literal->count; a++)
        arguments[a] = variables[literal->arguments[a]];
    const struct smt_value *value = content_read(machine, machine->contents[literal->leaf], literal->leaf, arguments);
    int64_t code = type->blocks[literal->block].lo + (int64_t)literal->ordinal;
    if (literal->test == TEST_UNDEFINED)
        is = value->undefined;
    for (uint32_t i = 0; i < value->count; i++) {
        const struct smt_case *one = &value->cases[i];
        if (literal->test == TEST_CODE && !one->sort && one->code == code)
            is = fol_or(terms, is, one->when);
        if (literal->test == TEST_ELEMENT && one->sort == fol_at(terms, variables[literal->variable])->sort)
            is = fol_or(terms, is,
                        fol_and(terms, one->when, fol_equal(terms, one->element, variables[literal->variable])));
    }
    return literal->is_positive ? is : fol_not(terms, is);
}

/* The variable differs from those of its type before it, of the same kind; an existential one from all others. */
static term distinct_formula(struct smt_machine *machine, const struct every_clause *clause, const term *variables,
                             uint32_t v)
{
    term distinct = TERM_TRUE;
    for (uint32_t w = 0; w < clause->variable_count; w++) {
        bool is_before = clause->is_existential[v] ? !clause->is_existential[w] : !clause->is_existential[w] && w < v;
        if (is_before && w != v && clause->types[w] == clause->types[v])
            distinct = fol_and(machine->terms, distinct,
                               fol_not(machine->terms, fol_equal(machine->terms, variables[v], variables[w])));
    }
    return distinct;
}

term clause_formula(struct smt_machine *machine, const struct every_clause *clause, const term *variables)
{
    struct fol_store *terms = machine->terms;
    term any = TERM_FALSE, some = TERM_FALSE;
    uint32_t existential = UINT32_MAX;
    for (uint32_t v = 0; v < clause->variable_count; v++)
        if (clause->is_existential[v])
            existential = v;
    for (uint32_t i = 0; i < clause->count; i++) {
        term literal = literal_formula(machine, &clause->literals[i], variables);
        if (existential != UINT32_MAX && literal_mentions(&clause->literals[i], existential))
            some = fol_or(terms, some, literal);
        else
            any = fol_or(terms, any, literal);
    }
    if (existential != UINT32_MAX) {
        some = fol_and(terms, distinct_formula(machine, clause, variables, existential), some);
        any = fol_or(terms, any, fol_exists(terms, variables[existential], some));
    }
    for (uint32_t v = clause->variable_count; v-- > 0;) {
        if (v == existential)
            continue;
        any = fol_or(terms, fol_not(terms, distinct_formula(machine, clause, variables, v)), any);
    }
    for (uint32_t v = clause->variable_count; v-- > 0;)
        if (v != existential)
            any = fol_forall(terms, variables[v], any);
    return any;
}
