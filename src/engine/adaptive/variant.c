#include "engine/adaptive/variant.h"

enum { VARIANT_MOST = 4096, VARIANT_MOST_TUPLES = 1 << 20, VARIANT_MOST_QUANTIFIED = 1 << 16 };

/* What is to be bound, in order: parameters (or quantified variables), then the references mentioned. */
struct adaptive_draft {
    struct variants *variants;
    const struct roster *roster;
    struct variant variant;
    VEC(struct adaptive_binding) bindings;
    bool is_too_many;
};

static void draft_bind_references(struct adaptive_draft *draft, uint32_t reference);

static uint64_t draft_tuples(const struct adaptive_draft *draft)
{
    uint64_t tuples = 1;
    for (uint32_t a = 0; a < draft->variant.actor_count; a++)
        tuples *= draft->roster->families[draft->variant.family[a]].size;
    return tuples;
}

static void draft_finish(struct adaptive_draft *draft)
{
    if (draft->variants->count == VARIANT_MOST || draft_tuples(draft) > VARIANT_MOST_TUPLES) {
        draft->is_too_many = true;
        return;
    }
    struct variant made = draft->variant;
    made.binding_count = (uint32_t)draft->bindings.count;
    made.bindings = memory_alloc((draft->bindings.count + 1) * sizeof *made.bindings);
    for (size_t b = 0; b < draft->bindings.count; b++)
        made.bindings[b] = draft->bindings.items[b];
    VEC_PUSH(draft->variants, made);
}

/* Goes on with the reference held by an actor of the family: one of those there are, or a new one. */
static void draft_hold(struct adaptive_draft *draft, uint32_t reference, uint32_t family)
{
    struct variant *variant = &draft->variant;
    for (uint32_t a = 0; a < variant->actor_count; a++) {
        if (variant->family[a] != family)
            continue;
        variant->held[a] |= 1u << reference;
        draft_bind_references(draft, reference + 1);
        variant->held[a] &= ~(1u << reference);
    }
    if (variant->actor_count == VARIANT_MOST_ACTORS) {
        draft->is_too_many = true;
        return;
    }
    variant->family[variant->actor_count] = family;
    variant->held[variant->actor_count++] = 1u << reference;
    draft_bind_references(draft, reference + 1);
    variant->actor_count--;
}

static void draft_bind_references(struct adaptive_draft *draft, uint32_t reference)
{
    const struct roster *roster = draft->roster;
    while (reference < roster->reference_count && !(draft->variant.mentioned >> reference & 1))
        reference++;
    if (reference == roster->reference_count) {
        draft_finish(draft);
        return;
    }
    const struct type *type = roster->layout->cells[roster->references[reference]].type;
    uint32_t family = roster_family(roster, type);
    draft_bind_references(draft, reference + 1); /* undefined */
    if (family != NO_FAMILY)
        draft_hold(draft, reference, family);
    for (uint32_t b = 0; family == NO_FAMILY && b < type->block_count; b++)
        draft_hold(draft, reference, roster_family(roster, type->blocks[b].owner));
}

static void draft_bind(struct adaptive_draft *draft, uint32_t position);

/* Goes on with the variable standing for an actor of the family. */
static void draft_act(struct adaptive_draft *draft, uint32_t position, uint32_t family)
{
    struct variant *variant = &draft->variant;
    struct adaptive_binding *binding = &draft->bindings.items[position];
    for (uint32_t a = 0; a <= variant->actor_count; a++) {
        bool is_new = a == variant->actor_count;
        if (is_new && a == VARIANT_MOST_ACTORS) {
            draft->is_too_many = true;
            return;
        }
        if (!is_new && variant->family[a] != family)
            continue;
        if (is_new) {
            variant->family[a] = family;
            variant->held[a] = 0;
        }
        binding->actor = a;
        variant->actor_count += is_new;
        draft_bind(draft, position + 1);
        variant->actor_count -= is_new;
        if (is_new)
            return;
    }
}

static void draft_bind(struct adaptive_draft *draft, uint32_t position)
{
    if (position == draft->bindings.count) {
        draft_bind_references(draft, 0);
        return;
    }
    struct adaptive_binding *binding = &draft->bindings.items[position];
    const struct type *type = binding->type;
    uint32_t family = roster_family_of_parameter(draft->roster, binding->variable, type, draft->variant.rule);
    if (family != NO_FAMILY) {
        draft_act(draft, position, family);
        return;
    }
    for (uint32_t o = 0; o < type->size && !draft->is_too_many;) {
        int32_t code = type_code(type, o);
        const struct code_block *block = type->blocks;
        while (code < block->lo || code > block->hi)
            block++;
        uint32_t part = block->owner->kind == TYPE_INDEX ? roster_family(draft->roster, block->owner) : NO_FAMILY;
        if (part != NO_FAMILY) {
            draft_act(draft, position, part);
            o += (uint32_t)(block->hi - block->lo) + 1;
            continue;
        }
        draft->bindings.items[position].actor = NO_ACTOR;
        draft->bindings.items[position].code = code;
        draft_bind(draft, position + 1);
        o++;
    }
}

static bool draft_run(struct adaptive_draft *draft)
{
    const struct roster *roster = draft->roster;
    const struct system *system = roster->system;
    for (uint32_t r = 0; r < roster->reference_count; r++)
        for (size_t g = 0; g < system->globals.count; g++) {
            const struct variable *variable = system->globals.items[g];
            bool is_it = roster->references[r] - variable->address < variable->type->cells;
            if (is_it && use_mentions(draft->variant.rule, draft->variant.formula, variable))
                draft->variant.mentioned |= 1u << r;
        }
    draft_bind(draft, 0);
    VEC_FREE(&draft->bindings);
    return !draft->is_too_many;
}

bool variants_add_rule(struct variants *variants, const struct roster *roster, const struct rule *rule)
{
    struct adaptive_draft draft = {.variants = variants, .roster = roster, .variant = {.rule = rule}};
    for (uint32_t p = 0; p < rule->parameter_count; p++) {
        struct adaptive_binding binding = {.variable = rule->parameters[p].variable, .type = rule->parameters[p].type};
        VEC_PUSH(&draft.bindings, binding);
    }
    return draft_run(&draft);
}

bool variants_add_property(struct variants *variants, const struct roster *roster, const struct property *property)
{
    struct adaptive_draft draft = {.variants = variants, .roster = roster, .variant = {.property = property}};
    const struct expr *formula = property->formula;
    uint64_t tuples = 1;
    while (property->kind == PROPERTY_INVARIANT && formula->kind == EXPR_QUANTIFIER && formula->op == OP_FORALL &&
           !formula->domain.from && draft.bindings.count < 2) {
        uint32_t family = roster_family(roster, formula->domain.type);
        if (family == NO_FAMILY || (tuples *= roster->families[family].size) > VARIANT_MOST_QUANTIFIED)
            break;
        struct adaptive_binding binding = {.variable = formula->variable, .type = formula->domain.type};
        VEC_PUSH(&draft.bindings, binding);
        formula = formula->left;
    }
    draft.variant.formula = formula;
    return draft_run(&draft);
}

void variants_free(struct variants *variants)
{
    for (size_t i = 0; i < variants->count; i++)
        free(variants->items[i].bindings);
    VEC_FREE(variants);
}

bool variant_suits(const struct variant *variant, const struct adaptive_scene *scene, uint32_t shared)
{
    for (uint32_t r = 0; r < scene->roster->reference_count; r++) {
        uint32_t wanted = 0;
        if (!(variant->mentioned >> r & 1))
            continue;
        for (uint32_t a = 0; a < variant->actor_count; a++)
            if (variant->held[a] >> r & 1)
                wanted = 1 + variant->family[a];
        if (shared_holder(scene, shared, r) != wanted)
            return false;
    }
    return true;
}

bool variant_admits(const struct variant *variant, const struct roster *roster, const uint32_t *elements)
{
    for (uint32_t b = 0; b < variant->binding_count; b++) {
        const struct adaptive_binding *binding = &variant->bindings[b];
        if (binding->actor != NO_ACTOR && !type_has(binding->type, roster->code_of[elements[binding->actor]]))
            return false;
    }
    return true;
}
