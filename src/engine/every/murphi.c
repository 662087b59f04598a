/* Clauses as Murphi invariants. */
#include <stdlib.h>
#include <string.h>

#include "engine/every/every.h"

/* -- Names of variables, which must not hide anything of the model -- */

static bool is_name_taken(const struct system *system, const char *name)
{
    for (size_t g = 0; g < system->globals.count; g++)
        if (!strcasecmp(system->globals.items[g]->name, name))
            return true;
    for (size_t t = 0; t < system->types.count; t++) {
        const struct type *type = system->types.items[t];
        if (type->name && !strcasecmp(type->name, name))
            return true;
        for (uint32_t l = 0; type->labels && l < type->size; l++)
            if (!strcasecmp(type->labels[l], name))
                return true;
    }
    return false;
}

static void print_variable(const struct system *system, const struct every_clause *clause, uint32_t variable,
                           struct text *out)
{
    struct text name = {0};
    text_format(&name, "%s%u", clause->is_existential[variable] ? "some" : "any", variable + 1);
    while (is_name_taken(system, name.chars))
        text_append(&name, "_");
    text_append(out, name.chars);
    text_free(&name);
}

/* -- Scalars -- */

/* The part of a value of the type that has the leaf, and which leaf of that. */
static void print_leaf(const struct system *system, const struct every_clause *clause,
                       const struct every_literal *literal, const struct type *type, uint32_t leaf, uint32_t argument,
                       struct text *out)
{
    if (type->kind == TYPE_RECORD) {
        uint32_t f = 0;
        for (; leaf >= leaf_count_of(type->fields[f].type); f++)
            leaf -= leaf_count_of(type->fields[f].type);
        text_format(out, ".%s", type->fields[f].name);
        print_leaf(system, clause, literal, type->fields[f].type, leaf, argument, out);
    } else if (type->kind == TYPE_ARRAY) {
        uint32_t position = leaf / leaf_count_of(type->element), b = 0;
        for (;; b++) {
            const struct code_block *block = &type->index->blocks[b];
            bool is_index = block->owner->kind == TYPE_INDEX;
            uint32_t positions = is_index ? 1 : (uint32_t)((int64_t)block->hi - block->lo + 1);
            if (position >= positions) {
                position -= positions;
                continue;
            }
            text_append(out, "[");
            if (is_index)
                print_variable(system, clause, literal->arguments[argument++], out);
            else
                type_print_value(block->owner, block->lo + (int32_t)position, out);
            text_append(out, "]");
            break;
        }
        print_leaf(system, clause, literal, type->element, leaf % leaf_count_of(type->element), argument, out);
    }
}

static const struct type *leaf_type(const struct type *type, uint32_t leaf)
{
    if (type->kind == TYPE_ARRAY)
        return leaf_type(type->element, leaf % leaf_count_of(type->element));
    if (type->kind != TYPE_RECORD)
        return type;
    uint32_t f = 0;
    for (; leaf >= leaf_count_of(type->fields[f].type); f++)
        leaf -= leaf_count_of(type->fields[f].type);
    return leaf_type(type->fields[f].type, leaf);
}

static const struct type *print_scalar(const struct system *system, const struct every_clause *clause,
                                       const struct every_literal *literal, struct text *out)
{
    uint32_t leaf = literal->leaf;
    size_t g = 0;
    for (; leaf >= leaf_count_of(system->globals.items[g]->type); g++)
        leaf -= leaf_count_of(system->globals.items[g]->type);
    const struct variable *variable = system->globals.items[g];
    text_append(out, variable->name);
    print_leaf(system, clause, literal, variable->type, leaf, 0, out);
    return leaf_type(variable->type, leaf);
}

static void print_literal(const struct system *system, const struct every_clause *clause,
                          const struct every_literal *literal, const bool *is_defined, struct text *out)
{
    struct text scalar = {0}, value = {0};
    const struct type *type = print_scalar(system, clause, literal, &scalar);
    bool is_sure = is_defined && is_defined[literal->leaf];
    bool is_boolean = type->kind == TYPE_BOOL && literal->test == TEST_CODE;
    if (literal->test == TEST_UNDEFINED) {
        text_format(out, "%sisundefined(%s)", literal->is_positive ? "" : "!", scalar.chars);
    } else {
        if (literal->test == TEST_ELEMENT)
            print_variable(system, clause, literal->variable, &value);
        else
            type_print_value(type->blocks[literal->block].owner,
                             type->blocks[literal->block].lo + (int32_t)literal->ordinal, &value);
        if (!is_sure)
            text_format(out, literal->is_positive ? "(!isundefined(%s) & " : "(isundefined(%s) | ", scalar.chars);
        if (is_boolean)
            text_format(out, "%s%s", literal->is_positive == (literal->ordinal == 1) ? "" : "!", scalar.chars);
        else
            text_format(out, "%s %s %s", scalar.chars, literal->is_positive ? "=" : "!=", value.chars);
        text_append(out, is_sure ? "" : ")");
    }
    text_free(&scalar);
    text_free(&value);
}

/* -- Clauses -- */

static bool mentions(const struct every_literal *literal, uint32_t variable)
{
    for (uint32_t a = 0; a < literal->count; a++)
        if (literal->arguments[a] == variable)
            return true;
    return literal->test == TEST_ELEMENT && literal->variable == variable;
}

static void print_type_name(const struct system *system, uint32_t id, struct text *out)
{
    text_append(out, system->types.items[id]->name ? system->types.items[id]->name : "?");
}

/* "any1 = any2 | ", or "some3 != any1 & " */
static void print_distinct(const struct system *system, const struct every_clause *clause, uint32_t v, struct text *out)
{
    bool is_some = clause->is_existential[v];
    for (uint32_t w = 0; w < (is_some ? clause->variable_count : v); w++) {
        if (w == v || clause->is_existential[w] || clause->types[w] != clause->types[v])
            continue;
        print_variable(system, clause, v, out);
        text_append(out, is_some ? " != " : " = ");
        print_variable(system, clause, w, out);
        text_append(out, is_some ? " & " : " | ");
    }
}

static void print_existential(const struct system *system, const struct every_clause *clause, uint32_t v,
                              const bool *is_defined, struct text *out)
{
    bool is_first = true;
    text_append(out, "exists ");
    print_variable(system, clause, v, out);
    text_append(out, ": ");
    print_type_name(system, clause->types[v], out);
    text_append(out, " do ");
    print_distinct(system, clause, v, out);
    text_append(out, "(");
    for (uint32_t i = 0; i < clause->count; i++) {
        if (!mentions(&clause->literals[i], v))
            continue;
        text_append(out, is_first ? "" : " | ");
        is_first = false;
        print_literal(system, clause, &clause->literals[i], is_defined, out);
    }
    text_append(out, ") end");
}

void clause_print(const struct system *system, const struct every_clause *clause, const bool *is_defined,
                  struct text *out)
{
    uint32_t existential = UINT32_MAX, quantifiers = 0;
    bool is_first = true;
    for (uint32_t v = 0; v < clause->variable_count; v++) {
        if (clause->is_existential[v]) {
            existential = v;
            continue;
        }
        text_append(out, "forall ");
        print_variable(system, clause, v, out);
        text_append(out, ": ");
        print_type_name(system, clause->types[v], out);
        text_append(out, " do ");
        quantifiers++;
    }
    for (uint32_t v = 0; v < clause->variable_count; v++)
        if (v != existential)
            print_distinct(system, clause, v, out);
    for (uint32_t i = 0; i < clause->count; i++) {
        if (existential != UINT32_MAX && mentions(&clause->literals[i], existential))
            continue;
        text_append(out, is_first ? "" : " | ");
        is_first = false;
        print_literal(system, clause, &clause->literals[i], is_defined, out);
    }
    if (existential != UINT32_MAX) {
        text_append(out, is_first ? "" : " | ");
        print_existential(system, clause, existential, is_defined, out);
    }
    while (quantifiers-- > 0)
        text_append(out, " end");
}

bool *defined_leaves(const struct system *system, const candidate_list *candidates)
{
    uint32_t leaves = 0;
    for (size_t g = 0; g < system->globals.count; g++)
        leaves += leaf_count_of(system->globals.items[g]->type);
    bool *is_defined = memory_zeroed((size_t)leaves + 1, sizeof *is_defined);
    for (size_t i = 0; i < candidates->count; i++)
        if (candidates->items[i].is_plain && !candidates->items[i].is_out)
            is_defined[candidates->items[i].clause.literals[0].leaf] = true;
    return is_defined;
}
