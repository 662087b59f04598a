/* What the emitter wants to know about variables and functions before it starts. */
#include "exec/vm_emit.h"
#include "ir/walk.h"

static void note_counter(struct vm_emitter *emitter, const struct variable *variable)
{
    if (variable && !variable->is_global && !variable->is_reference)
        emit_facts(emitter, variable)->is_sure = true;
}

static bool note_stmt(void *user, const struct stmt *stmt)
{
    struct vm_emitter *emitter = user;
    if (stmt->kind == STMT_BIND) {
        emit_facts(emitter, stmt->variable)->bindings++;
        const struct variable *root = place_root(stmt->place)->variable; /* could be written through the reference */
        if (root && !root->is_global)
            emit_facts(emitter, root)->is_written = true;
    } else if (stmt->kind == STMT_FOR || stmt->kind == STMT_MULTISET_REMOVE_IF) {
        note_counter(emitter, stmt->variable);
    }
    return true;
}

static bool note_expr(void *user, const struct expr *expr)
{
    if (expr->kind == EXPR_QUANTIFIER || expr->kind == EXPR_COUNT)
        note_counter(user, expr->variable);
    return true;
}

static bool note_place(void *user, const struct place *place, bool is_written)
{
    struct vm_emitter *emitter = user;
    const struct variable *root = place_root(place)->variable;
    if (is_written && root && !root->is_global)
        emit_facts(emitter, root)->is_written = true;
    return true;
}

static void analyse_variables(struct vm_emitter *emitter)
{
    const struct system *system = emitter->system;
    const struct walker walker = {.on_stmt = note_stmt, .on_expr = note_expr, .on_place = note_place, .user = emitter};
    for (size_t r = 0; r < system->rules.count + system->starts.count; r++) {
        const struct rule *rule =
            r < system->rules.count ? system->rules.items[r] : system->starts.items[r - system->rules.count];
        for (uint32_t p = 0; p < rule->parameter_count; p++)
            note_counter(emitter, rule->parameters[p].variable);
        walk_rule(&walker, rule);
    }
    for (size_t f = 0; f < system->functions.count; f++)
        walk_block(&walker, &system->functions.items[f]->body);
    for (size_t p = 0; p < system->properties.count; p++)
        walk_property(&walker, system->properties.items[p]);
    for (uint32_t c = 0; c < system->memory_cells - system->state_cells; c++)
        emitter->facts[c].is_sure &= !emitter->facts[c].is_written;
}

/* A function's facts, those of the functions it calls first (there is no recursion). */
struct vm_survey {
    struct vm_emitter *emitter;
    struct function_facts *facts;
};

static void analyse_function(struct vm_emitter *emitter, const struct function *function);

static const struct walker *survey_walker(struct walker *walker, struct vm_survey *survey);

/* A loop that will be unrolled counts as often as it has values. */
static void survey_loop(struct vm_survey *survey, const struct variable *variable, const struct domain *domain,
                        const struct block *block, const struct expr *expr)
{
    struct function_facts body = {.is_pure = true};
    struct vm_survey inner = {survey->emitter, &body};
    struct walker walker;
    struct unrolled unrolled;
    const struct expr *const bounds[] = {domain->from, domain->to, domain->by};
    survey_walker(&walker, survey);
    for (int i = 0; i < 3; i++)
        if (bounds[i])
            walk_expr(&walker, bounds[i]);
    survey_walker(&walker, &inner);
    if (block)
        walk_block(&walker, block);
    else
        walk_expr(&walker, expr);
    survey->facts->is_pure &= body.is_pure;
    bool is_unrolled = loop_is_unrolled(survey->emitter, variable, domain, body.size, &unrolled);
    survey->facts->size += is_unrolled ? unrolled.count * body.size : body.size;
}

static bool survey_stmt(void *user, const struct stmt *stmt)
{
    struct vm_survey *survey = user;
    survey->facts->size++;
    if (stmt->kind == STMT_ASSUME)
        survey->facts->is_pure = false;
    if (stmt->kind != STMT_FOR)
        return true;
    survey_loop(survey, stmt->variable, &stmt->domain, &stmt->body, NULL);
    return false;
}

static void survey_call(struct vm_survey *survey, const struct function *function)
{
    const struct function_facts *callee = &survey->emitter->functions[function->id];
    analyse_function(survey->emitter, function);
    survey->facts->is_pure &= callee->is_pure;
    if (callee->is_inlined)
        survey->facts->size += callee->size;
}

static bool survey_expr(void *user, const struct expr *expr)
{
    struct vm_survey *survey = user;
    if (expr->shared) { /* code is made of it wherever it stands; it calls nothing */
        survey->facts->size =
            expr->size > UINT32_MAX / 2 - survey->facts->size ? UINT32_MAX / 2 : survey->facts->size + expr->size;
        return false;
    }
    survey->facts->size++;
    if (expr->kind == EXPR_CALL)
        survey_call(survey, expr->function);
    if (expr->kind != EXPR_QUANTIFIER)
        return true;
    survey_loop(survey, expr->variable, &expr->domain, NULL, expr->left);
    return false;
}

/* What a reference refers to is not known here: a store through it may change the state. */
static bool survey_place(void *user, const struct place *place, bool is_written)
{
    struct vm_survey *survey = user;
    const struct variable *root = place_root(place)->variable;
    if (is_written && (!root || root->is_global || root->is_reference))
        survey->facts->is_pure = false;
    return true;
}

static const struct walker *survey_walker(struct walker *walker, struct vm_survey *survey)
{
    *walker = (struct walker){.on_stmt = survey_stmt, .on_expr = survey_expr, .on_place = survey_place, .user = survey};
    return walker;
}

static void analyse_function(struct vm_emitter *emitter, const struct function *function)
{
    struct function_facts *facts = &emitter->functions[function->id];
    struct vm_survey survey = {emitter, facts};
    struct walker walker;
    if (facts->size)
        return;
    facts->size = 1;
    facts->is_pure = true;
    walk_block(survey_walker(&walker, &survey), &function->body);
    facts->is_inlined = facts->size <= emitter->tuning->inline_nodes;
}

void vm_analyse(struct vm_emitter *emitter)
{
    analyse_variables(emitter);
    for (size_t f = 0; f < emitter->system->functions.count; f++)
        analyse_function(emitter, emitter->system->functions.items[f]);
}

/* Of what is not NULL. */
static struct function_facts survey_facts(struct vm_emitter *emitter, const struct expr *expr, const struct rule *rule,
                                          const struct block *block)
{
    struct function_facts facts = {.is_pure = true};
    struct vm_survey survey = {emitter, &facts};
    struct walker walker;
    survey_walker(&walker, &survey);
    if (expr)
        walk_expr(&walker, expr);
    if (rule)
        walk_rule(&walker, rule);
    if (block)
        walk_block(&walker, block);
    return facts;
}

bool expr_is_pure(struct vm_emitter *emitter, const struct expr *expr)
{
    return survey_facts(emitter, expr, NULL, NULL).is_pure;
}

uint32_t rule_size(struct vm_emitter *emitter, const struct rule *rule)
{
    return survey_facts(emitter, NULL, rule, NULL).size;
}

uint32_t block_size(struct vm_emitter *emitter, const struct block *block)
{
    return survey_facts(emitter, NULL, NULL, block).size;
}

uint32_t expr_size(struct vm_emitter *emitter, const struct expr *expr)
{
    return survey_facts(emitter, expr, NULL, NULL).size;
}
