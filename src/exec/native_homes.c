/* Which local variables can be variables of C. */
#include "exec/native_emit.h"
#include "ir/walk.h"

struct scratch_home *home_of(struct native_emitter *emitter, const struct variable *variable)
{
    return &emitter->homes[variable->address - emitter->system->state_cells];
}

struct homes_survey {
    struct native_emitter *emitter;
    uint32_t owner;
};

static void survey_mention(const struct homes_survey *survey, const struct variable *variable)
{
    if (!variable || variable->is_global)
        return;
    struct scratch_home *home = home_of(survey->emitter, variable);
    home->is_shared |= home->owner && home->owner != survey->owner;
    home->owner = survey->owner;
}

static void survey_address(const struct homes_survey *survey, const struct place *place)
{
    while (place->base)
        place = place->base;
    if (place->kind == PLACE_VARIABLE && !place->variable->is_global)
        home_of(survey->emitter, place->variable)->is_addressed = true;
}

static bool survey_stmt(void *user, const struct stmt *stmt)
{
    survey_mention(user, stmt->variable);
    if (stmt->kind == STMT_BIND)
        survey_address(user, stmt->place);
    return true;
}

static bool survey_expr(void *user, const struct expr *expr)
{
    survey_mention(user, expr->variable);
    for (uint32_t p = 0; expr->kind == EXPR_CALL && p < expr->function->parameter_count; p++)
        if (expr->arguments[p].place)
            survey_address(user, expr->arguments[p].place);
    return true;
}

static bool survey_place(void *user, const struct place *place, bool is_written)
{
    (void)is_written;
    survey_mention(user, place->variable);
    return true;
}

static void survey_all(struct native_emitter *emitter)
{
    const struct system *system = emitter->system;
    struct homes_survey survey = {emitter, 0};
    const struct walker walker = {survey_stmt, survey_expr, survey_place, &survey};
    for (size_t r = 0; r < system->rules.count + system->starts.count; r++) {
        const struct rule *rule =
            r < system->rules.count ? system->rules.items[r] : system->starts.items[r - system->rules.count];
        survey.owner++;
        for (uint32_t p = 0; p < rule->parameter_count; p++)
            survey_mention(&survey, rule->parameters[p].variable);
        walk_rule(&walker, rule);
    }
    for (size_t f = 0; f < system->functions.count; f++) {
        const struct function *function = system->functions.items[f];
        survey.owner++;
        for (uint32_t p = 0; p < function->parameter_count; p++)
            survey_mention(&survey, function->parameters[p]);
        walk_block(&walker, &function->body);
    }
    for (size_t p = 0; p < system->properties.count; p++) {
        survey.owner++;
        if (system->properties.items[p]->formula)
            walk_expr(&walker, system->properties.items[p]->formula);
    }
}

void homes_find(struct native_emitter *emitter)
{
    const struct system *system = emitter->system;
    survey_all(emitter);
    for (size_t f = 0; f < system->functions.count; f++) /* a result is read by the caller */
        if (system->functions.items[f]->result)
            home_of(emitter, system->functions.items[f]->result)->is_shared = true;
    for (size_t v = 0; v < system->scratch.count; v++) {
        const struct variable *variable = system->scratch.items[v];
        struct scratch_home *home = home_of(emitter, variable);
        if ((variable->is_reference || type_is_scalar(variable->type)) && !home->is_addressed && !home->is_shared)
            home->home = HOME_LOCAL;
    }
}

static bool index_is_fixed(struct native_emitter *emitter, const struct rule *rule, const struct place *element)
{
    int64_t value, low, high;
    const struct expr *index = element->index;
    const struct type *type = element->base->type->index;
    if (expr_static_value(&emitter->facts, index, &value))
        return type_has(type, value);
    if (index->kind != EXPR_READ || index->place->kind != PLACE_VARIABLE || !type_interval(type, &low, &high))
        return false;
    for (uint32_t p = 0; p < rule->parameter_count; p++)
        if (rule->parameters[p].variable == index->place->variable) {
            int64_t least, greatest;
            expr_bounds(&emitter->facts, index, &least, &greatest);
            return emit_facts(&emitter->facts, index->place->variable)->is_sure && least >= low && greatest <= high;
        }
    return false;
}

/* The same place wherever in the instance it is looked up, without a check. */
static bool place_is_fixed(struct native_emitter *emitter, const struct rule *rule, const struct place *place)
{
    switch (place->kind) {
    case PLACE_VARIABLE:
        return true;
    case PLACE_DEREF:
        return home_of(emitter, place->variable)->home == HOME_KNOWN;
    case PLACE_FIELD:
        return place_is_fixed(emitter, rule, place->base);
    case PLACE_ELEMENT:
        return place_is_fixed(emitter, rule, place->base) && index_is_fixed(emitter, rule, place);
    default:
        return false;
    }
}

void homes_plan_binding(struct native_emitter *emitter, const struct rule *rule, const struct item *item)
{
    struct scratch_home *home = home_of(emitter, item->stmt->variable);
    if (emit_facts(&emitter->facts, item->stmt->variable)->bindings == 1 && !home->is_shared &&
        place_is_fixed(emitter, rule, item->stmt->place)) {
        home->home = HOME_KNOWN;
        home->known = item->stmt->place;
    } else if (item->level < rule->parameter_count) {
        home->home = HOME_MEMORY; /* bound once for many firings: C's variables do not survive a firing */
    }
}
