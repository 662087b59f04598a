/* Rules, start states and formulas: all answers to all questions, and the reduced rule for each. */
#include <string.h>

#include "base/text.h"
#include "reduce/inner.h"

static const struct span nowhere;

struct paths {
    struct path *items;
    size_t count, capacity;
};

/* A rule or formula that is being followed. */
struct reduce_job {
    struct reducer *reducer;
    struct reduce_run run;
    const struct rule *rule;    /* or NULL */
    const struct expr *formula; /* or NULL */
    struct span span;           /* of the property whose formula it is, */
    bool is_invariant;          /* which is false where it cannot be evaluated */
    VEC(struct answer) answers;
    struct paths guard, body;
    bool is_exchange, is_plain; /* of some path: see enum reduce_change */
    /* a formula: what it is under the answers so far */
    VEC(struct expr *) conditions, formulas;
};

static void paths_clear(struct paths *paths)
{
    for (size_t p = 0; p < paths->count; p++)
        free(paths->items[p].events);
    VEC_CLEAR(paths);
}

static void paths_keep(struct paths *paths, struct reduce_run *run, enum reduce_go end, struct expr *value)
{
    struct path path = {.count = run->events.count, .end = end, .value = value};
    path.events = memory_alloc((run->events.count + 1) * sizeof *path.events);
    if (run->events.count)
        memcpy(path.events, run->events.items, run->events.count * sizeof *path.events);
    path.span = run->fault_span;
    path.what = run->fault_what;
    path.property = run->fault_property;
    VEC_PUSH(paths, path);
}

/* Every way through the branches is a case of its own, and there may be exponentially many. */
static enum reduce_go paths_check(const struct paths *paths, struct reduce_run *run, struct span span)
{
    if (paths->count < REDUCE_PATHS && run->reducer->path_count++ < REDUCE_ALL_PATHS)
        return GO_OK;
    return run_refuse(run, span, "too many cases of shared values to distinguish");
}

static enum reduce_go job_formula(struct reduce_job *job, struct reduce_value *value)
{
    struct reduce_run *run = &job->run;
    enum reduce_go go = ask_complete(run);
    run->is_body = false;
    run->pure = 1;
    *value = value_known(1);
    if (go != GO_OK)
        return go;
    if (job->formula)
        return eval_expr(run, job->formula, value);
    go = run_block(run, &job->rule->prelude);
    if (go == GO_OK && job->rule->guard)
        go = eval_expr(run, job->rule->guard, value);
    return go;
}

/* The guard or formula as paths. GO_OK, or what stopped it. */
static enum reduce_go job_guard(struct reduce_job *job)
{
    struct reduce_run *run = &job->run;
    paths_clear(&job->guard);
    VEC_CLEAR(&run->choices);
    do {
        struct reduce_value value;
        run_begin(run, job->answers.items, job->answers.count);
        enum reduce_go go = job_formula(job, &value);
        if (go == GO_ASK || go == GO_REFUSE)
            return go;
        if (go == GO_STOP)
            value = value_known(0);
        ENSURE(go == GO_OK || go == GO_STOP || go == GO_FAULT);
        struct expr *expr = go == GO_FAULT ? NULL : value_expr(run, &value, job->reducer->system->boolean, nowhere);
        paths_keep(&job->guard, run, go == GO_FAULT ? GO_FAULT : GO_OK, expr);
        if (paths_check(&job->guard, run, job->rule ? job->rule->span : job->span) != GO_OK)
            return GO_REFUSE;
    } while (run_next_path(run));
    return GO_OK;
}

/* Aliases of the rule; its requirements hold here. */
static enum reduce_go job_prelude(struct reduce_job *job)
{
    enum reduce_go go = GO_OK;
    for (uint32_t i = 0; i < job->rule->prelude.count && go == GO_OK; i++) {
        struct block one = {&job->rule->prelude.items[i], 1};
        if (job->rule->prelude.items[i]->kind != STMT_REQUIRE)
            go = run_block(&job->run, &one);
    }
    return go;
}

static struct property *job_runtime_property(struct reducer *reducer, const struct reduce_run *run)
{
    struct system *out = reducer->out;
    const char *what = run->fault_what ? run->fault_what : "error";
    const char *name = run->fault_span.line ? arena_format(out->arena, "%s (line %u)", what, run->fault_span.line)
                                            : arena_string(out->arena, what);
    for (size_t p = 0; p < out->properties.count; p++)
        if (out->properties.items[p]->kind == PROPERTY_ERROR && !strcmp(out->properties.items[p]->name, name) &&
            reducer->reduction->properties.items[p]->kind == PROPERTY_RUNTIME)
            return out->properties.items[p];
    VEC_PUSH(&reducer->reduction->properties, reducer->system->properties.items[SYSTEM_RUNTIME]);
    return system_add_property(out, PROPERTY_ERROR, name, NULL, run->fault_span);
}

static struct stmt *job_error(struct reduce_job *job)
{
    const struct reduce_run *run = &job->run;
    struct reducer *reducer = job->reducer;
    struct stmt *stmt = stmt_new(reducer->out, STMT_ERROR, run->fault_span);
    if (run->fault_property->kind == PROPERTY_RUNTIME) {
        stmt->property = job_runtime_property(reducer, run);
    } else {
        stmt->property = reducer->property_of[run->fault_property->id];
        if (run->fault_property->kind == PROPERTY_ASSERTION) {
            stmt->kind = STMT_ASSERT;
            stmt->value = expr_const(reducer->out, reducer->out->boolean, 0, run->fault_span);
        }
    }
    return stmt;
}

static enum reduce_go job_body_path(struct reduce_job *job)
{
    struct reduce_run *run = &job->run;
    enum reduce_change change;
    run_begin(run, job->answers.items, job->answers.count);
    run->is_body = true;
    enum reduce_go go = ask_complete(run);
    if (go == GO_OK)
        go = job_prelude(job);
    if (go == GO_OK)
        go = run_block(run, &job->rule->body);
    if (go == GO_RETURN)
        go = GO_OK;
    if (go == GO_OK) {
        go = finish_run(run, &change);
        job->is_exchange |= change == CHANGE_EXCHANGE;
        job->is_plain |= change == CHANGE_NONE;
    }
    if (go == GO_FAULT)
        run_push_event(run, job_error(job));
    return go;
}

static enum reduce_go job_no_body(struct reduce_job *job)
{
    paths_clear(&job->body);
    job->is_exchange = job->is_plain = false;
    return GO_OK;
}

static enum reduce_go job_body(struct reduce_job *job)
{
    struct reduce_run *run = &job->run;
    job_no_body(job);
    VEC_CLEAR(&run->choices);
    do {
        enum reduce_go go = job_body_path(job);
        if (go == GO_ASK || go == GO_REFUSE)
            return go;
        ENSURE(go == GO_OK || go == GO_STOP || go == GO_FAULT);
        paths_keep(&job->body, run, go, NULL);
        if (paths_check(&job->body, run, job->rule->span) != GO_OK)
            return GO_REFUSE;
    } while (run_next_path(run));
    if (job->is_exchange && job->is_plain)
        return run_refuse(run, job->rule->span, "a rule that exchanges elements in some cases only");
    return GO_OK;
}

/* ---- what is made of them ---- */

static void job_name(const struct reduce_job *job, struct text *name)
{
    const struct reduction *reduction = job->reducer->reduction;
    text_append(name, job->rule->name);
    for (uint32_t e = 0; e < job->run.elements.count && job->run.mode == RUN_RULE; e++) {
        const struct element *element = &job->run.elements.items[e];
        text_append(name, e ? ", " : " at ");
        location_name(reduction, &reduction->families[element->family], element->location, name);
    }
}

static void job_describe(struct reduce_job *job, struct reduced_rule *reduced)
{
    const struct reduction *reduction = job->reducer->reduction;
    const struct reduce_run *run = &job->run;
    reduced->rule = job->rule;
    reduced->element_count = (uint32_t)run->elements.count;
    reduced->elements = arena_alloc(reduction->arena, (run->elements.count + 1) * sizeof *reduced->elements);
    reduced->parameters = ARENA_ARRAY(reduction->arena, struct reduce_value, job->rule->parameter_count + 1);
    reduced->decided = ARENA_ARRAY(reduction->arena, bool, reduction->pointer_count + 1);
    uint32_t kept = 0;
    for (uint32_t p = 0; p < job->rule->parameter_count; p++) {
        reduced->parameters[p] = run->parameters[p];
        if (run->parameters[p].kind == VALUE_RESIDUAL)
            reduced->parameters[p].number = kept++;
    }
    for (uint32_t p = 0; p < reduction->pointer_count; p++)
        reduced->decided[p] = run->is_decided[p] && run->mode != RUN_START;
    for (uint32_t e = 0; e < run->elements.count; e++) {
        const struct element *element = &run->elements.items[e];
        reduced->elements[e].family = element->family;
        reduced->elements[e].class = reduction->families[element->family].locations.items[element->location].class;
        reduced->elements[e].pointer = NONE;
        for (uint32_t p = 0; p < reduction->pointer_count; p++)
            if (run->is_decided[p] && run->holds[p].kind == VALUE_ELEMENT && run->holds[p].number == e)
                reduced->elements[e].pointer = p;
    }
    reduced->is_exchange = job->is_exchange;
}

/* Parameters that are no elements stay parameters. */
static void job_parameters(struct reduce_job *job, struct rule *made)
{
    made->parameters = ARENA_ARRAY(job->reducer->out->arena, struct parameter, job->rule->parameter_count + 1);
    for (uint32_t p = 0; p < job->rule->parameter_count; p++) {
        const struct variable *variable = job->rule->parameters[p].variable;
        if (type_has_index(variable->type))
            continue;
        const struct variable *mirror = make_mirror(job->reducer, variable);
        made->parameters[made->parameter_count++] = (struct parameter){.variable = mirror, .type = mirror->type};
    }
}

static void job_add_rule(struct reduce_job *job, struct expr *guard, struct block body, bool is_start)
{
    struct system *out = job->reducer->out;
    struct reduction *reduction = job->reducer->reduction;
    struct text name = {0};
    struct reduced_rule reduced = {0};
    job_name(job, &name);
    struct rule *made = is_start ? system_add_start(out, text_chars(&name), job->rule->span)
                                 : system_add_rule(out, text_chars(&name), job->rule->span);
    text_free(&name);
    job_parameters(job, made);
    made->guard = guard;
    made->body = body;
    job_describe(job, &reduced);
    if (is_start)
        VEC_PUSH(&reduction->starts, reduced);
    else
        VEC_PUSH(&reduction->rules, reduced);
    job->reducer->has_exchange |= reduced.is_exchange;
}

/* "count[l] + 1" stays within the elements there are, "count[l] - 1" above 0; NULL: it is neither. */
static struct expr *job_bound(struct reduce_job *job, const struct stmt *stmt)
{
    struct reduce_run *run = &job->run;
    const struct expr *sum = stmt->kind == STMT_ASSIGN ? stmt->value : NULL;
    if (!sum || sum->kind != EXPR_BINARY || (sum->op != OP_ADD && sum->op != OP_SUB) || !stmt->place->base ||
        sum->right->kind != EXPR_CONST)
        return NULL;
    for (uint32_t f = 0; f < job->reducer->reduction->family_count; f++) {
        const struct reduce_family *family = &job->reducer->reduction->families[f];
        if (stmt->place->base->variable != family->count)
            continue;
        int64_t by = sum->right->value;
        return sum->op == OP_ADD ? make_binary(run, OP_LE, sum->left, make_number(run, (int64_t)family->size - by))
                                 : make_binary(run, OP_GE, sum->left, make_number(run, by));
    }
    return NULL;
}

/* The counters that elements are added to have room, and those that they are taken from have them: implied by the
 * numbers of elements and by what pointers hold, but not seen in one rule. */
static struct expr *job_bounds(struct reduce_job *job)
{
    struct expr *all = NULL;
    struct reduce_run *run = &job->run;
    for (size_t i = 0; i < job->body.count; i++)
        for (size_t e = 0; e < job->body.items[i].count; e++)
            if (job->body.items[i].events[e].kind == EVENT_STMT)
                all = make_and(run, all, job_bound(job, job->body.items[i].events[e].stmt));
    return all;
}

/* A rule for each way in which the guard fails for certain. */
static void job_emit_faults(struct reduce_job *job, bool is_start)
{
    struct reduce_run *run = &job->run;
    struct system *out = job->reducer->out;
    for (size_t p = 0; p < job->guard.count; p++) {
        const struct path *path = &job->guard.items[p];
        size_t first = 0;
        while (first < p && !tree_same_fault(&job->guard.items[first], path))
            first++;
        if (path->end != GO_FAULT || first < p)
            continue;
        struct stmt **items = ARENA_ARRAY(out->arena, struct stmt *, 1);
        run->fault_span = path->span;
        run->fault_what = path->what;
        run->fault_property = path->property;
        items[0] = job_error(job);
        struct expr *fault = tree_fault(out, job->guard.items, job->guard.count, path);
        if (fault->kind == EXPR_CONST)
            fault = NULL;
        job_add_rule(job, make_and(run, ask_condition(run), fault), (struct block){items, 1}, is_start);
    }
}

static bool job_emit_rule(struct reduce_job *job, bool is_start)
{
    struct reduce_run *run = &job->run;
    struct system *out = job->reducer->out;
    struct expr *guard = tree_expr(out, job->guard.items, job->guard.count);
    run_begin(run, job->answers.items, job->answers.count);
    ask_all_parameters(run);
    if (++job->reducer->rule_count > REDUCE_RULES)
        return run_refuse(run, job->rule->span, "more than %d rules", (int)REDUCE_RULES), false;
    job_emit_faults(job, is_start);
    if (guard->kind == EXPR_CONST && !guard->value)
        return true;
    struct expr *condition = ask_condition(run);
    if (guard->kind != EXPR_CONST)
        condition = make_and(run, condition, guard);
    if (job->reducer->options->is_bounded && !is_start)
        condition = make_and(run, job_bounds(job), condition);
    job_add_rule(job, condition, tree_block(out, job->body.items, job->body.count), is_start);
    return true;
}

/* Is the guard true nowhere? */
static bool job_is_false(const struct reduce_job *job)
{
    for (size_t p = 0; p < job->guard.count; p++)
        if (job->guard.items[p].end != GO_FAULT &&
            (job->guard.items[p].value->kind != EXPR_CONST || job->guard.items[p].value->value))
            return false;
    return true;
}

/* Does something in it fault, for certain or perhaps? */
static bool job_may_fault(const struct reduce_job *job)
{
    for (size_t p = 0; p < job->guard.count; p++) {
        const struct path *path = &job->guard.items[p];
        if (path->end == GO_FAULT)
            return true;
        for (size_t e = 0; e < path->count; e++)
            if (path->events[e].kind == EVENT_BRANCH && touch_may_fault(&job->run, path->events[e].condition))
                return true;
    }
    return false;
}

static bool job_has_fault(const struct reduce_job *job)
{
    for (size_t p = 0; p < job->guard.count; p++)
        if (job->guard.items[p].end == GO_FAULT)
            return true;
    return false;
}

/* A formula under the answers so far. */
static enum reduce_go job_emit_formula(struct reduce_job *job)
{
    struct system *out = job->reducer->out;
    if (job_has_fault(job) && !job->is_invariant)
        return run_refuse(&job->run, job->span, "a formula that may use an undefined value");
    run_begin(&job->run, job->answers.items, job->answers.count);
    VEC_PUSH(&job->conditions, ask_condition(&job->run));
    VEC_PUSH(&job->formulas, tree_expr(out, job->guard.items, job->guard.count));
    return GO_OK;
}

static bool job_follow(struct reduce_job *job, bool is_start);

/* In the search for locations: from these answers nothing new can come. They are about one element in a location that
 * was there in the last pass, and the rule looks at no other element. */
static bool job_is_old(const struct reduce_job *job, const struct answer *answer, bool is_start)
{
    const struct reducer *reducer = job->reducer;
    if (!reducer->is_analysis || reducer->is_thorough || is_start || !job->rule || job->answers.count ||
        reducer->looks_around[job->rule->id])
        return false;
    const struct reduce_family *family = &reducer->reduction->families[answer->value.family];
    return answer->question.kind == QUESTION_PARAMETER && answer->value.kind == VALUE_ELEMENT &&
           answer->value.number == NONE && family->locations.items[answer->location].class < family->old_count;
}

/* In the search for locations nothing that is made is used again. */
static void job_refresh(struct reduce_job *job)
{
    struct reducer *reducer = job->reducer;
    if (!reducer->is_analysis || !job->rule || reducer->path_count - reducer->refreshed < 1000)
        return;
    system_destroy(reducer->out);
    make_system(reducer);
    job->run.out = reducer->out;
    reducer->refreshed = reducer->path_count;
}

static bool job_try_answers(struct reduce_job *job, bool is_start)
{
    struct reduce_question question = job->run.question;
    struct answer answer;
    bool ok = true;
    if (job->rule && !is_start && job->answers.count)
        job->reducer->looks_around[job->rule->id] = true;
    for (uint32_t i = 0; ok; i++) {
        job_refresh(job);
        run_begin(&job->run, job->answers.items, job->answers.count);
        if (!ask_option(&job->run, question, i, &answer))
            break;
        if (job_is_old(job, &answer, is_start))
            continue;
        VEC_PUSH(&job->answers, answer);
        ok = job_follow(job, is_start);
        (void)VEC_POP(&job->answers);
    }
    return ok;
}

static bool job_follow(struct reduce_job *job, bool is_start)
{
    if (run_spend(&job->run, job->rule ? job->rule->span : job->span) != GO_OK)
        return false;
    enum reduce_go go = job_guard(job);
    if (go == GO_OK && job->formula)
        return job->reducer->is_analysis || job_emit_formula(job) == GO_OK;
    bool is_false = go == GO_OK && job_is_false(job);
    if (is_false && (job->reducer->is_analysis || !job_may_fault(job)))
        return true;
    if (go == GO_OK)
        go = ask_all_parameters(&job->run);
    if (go == GO_OK)
        go = is_false ? job_no_body(job) : job_body(job);
    if (go == GO_ASK)
        return job_try_answers(job, is_start);
    if (go == GO_REFUSE)
        return false;
    return job->reducer->is_analysis || job_emit_rule(job, is_start);
}

static void job_free(struct reduce_job *job)
{
    run_destroy(&job->run);
    paths_clear(&job->guard);
    paths_clear(&job->body);
    VEC_FREE(&job->guard);
    VEC_FREE(&job->body);
    VEC_FREE(&job->answers);
    VEC_FREE(&job->conditions);
    VEC_FREE(&job->formulas);
}

bool rules_reduce(struct reducer *reducer, const struct rule *rule, bool is_start)
{
    struct reduce_job job = {.reducer = reducer, .rule = rule};
    run_create(&job.run, reducer, is_start ? RUN_START : RUN_RULE, rule);
    bool ok = true;
    if (rule->weight)
        ok = run_refuse(&job.run, rule->span, "rules with probabilities") == GO_OK;
    for (uint32_t p = 0; p < rule->parameter_count && ok; p++)
        if (rule->parameters[p].choose)
            ok = run_refuse(&job.run, rule->span, "multisets") == GO_OK;
    ok = ok && job_follow(&job, is_start);
    job_free(&job);
    return ok;
}

struct expr *rules_reduce_formula(struct reducer *reducer, const struct expr *formula, struct span span,
                                  bool is_invariant)
{
    struct reduce_job job = {.reducer = reducer, .formula = formula, .span = span, .is_invariant = is_invariant};
    run_create(&job.run, reducer, RUN_FORMULA, NULL);
    bool ok = job_follow(&job, false);
    struct expr *reduced = NULL;
    for (size_t i = job.formulas.count; ok && i-- > 0;)
        reduced = reduced && job.conditions.items[i]
                      ? expr_cond(reducer->out, job.conditions.items[i], job.formulas.items[i], reduced, nowhere)
                      : job.formulas.items[i];
    job_free(&job);
    return ok && reduced ? reduced : NULL;
}
