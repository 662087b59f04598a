#include "lang/promela/lower.h"

static const struct pml_self nobody = {.proctype = NULL};

static void loop_over(struct pml_lower *lower, struct pml_steps *steps, const struct variable *variable,
                      struct pml_steps *body, struct span span)
{
    struct stmt *loop = stmt_new(lower->system, STMT_FOR, span);
    loop->variable = variable;
    loop->domain.type = variable->type;
    loop->body = pml_close(lower, body);
    VEC_PUSH(steps, loop);
}

static void set_part(struct pml_lower *lower, struct pml_steps *steps, struct pml_self self, struct place *place,
                     const struct pml_variable *variable, bool is_first_only);

static void set_record(struct pml_lower *lower, struct pml_steps *steps, struct pml_self self, struct place *place,
                       const struct pml_record *record)
{
    for (size_t i = 0; i < record->fields.count; i++) {
        struct place *field = place_field(lower->system, place, &place->type->fields[i], place->span);
        set_part(lower, steps, self, field, record->fields.items[i], false);
    }
}

/* The number of the channel that the variable is declared with; of an array: of this element. */
static struct expr *own_channel(struct pml_lower *lower, struct pml_self self, const struct pml_variable *variable,
                                struct expr *element, struct span span)
{
    uint32_t number = pml_channels_declaration(&lower->channels, variable);
    const struct pml_declaration *declaration = &lower->channels.declarations.items[number];
    struct expr *value = pml_constant(lower, declaration->first, span);
    if (variable->owner && declaration->processes > 1) {
        struct expr *pid = expr_binary(lower->system, OP_SUB, pml_pid(lower, self, span),
                                       pml_constant(lower, lower->cast.roles[variable->owner->id].first, span), span);
        pid = expr_binary(lower->system, OP_MUL, pid, pml_constant(lower, declaration->length, span), span);
        value = expr_binary(lower->system, OP_ADD, value, pid, span);
    }
    return element ? expr_binary(lower->system, OP_ADD, value, element, span) : value;
}

static struct expr *initial_value(struct pml_lower *lower, struct pml_self self, const struct pml_variable *variable,
                                  struct expr *element, struct span span)
{
    if (variable->channel)
        return own_channel(lower, self, variable, element, span);
    if (!variable->initial)
        return pml_constant(lower, 0, span);
    return pml_fit(lower, pml_lower_value(lower, self, variable->initial),
                   pml_values_of(&lower->values, variable->initial), lower->values.leaves.items[variable->leaf].type);
}

/* { 1, 2, 3 }: one after the other; the last one for all that are left. */
static void set_list(struct pml_lower *lower, struct pml_steps *steps, struct pml_self self, struct place *place,
                     const struct pml_variable *variable)
{
    for (uint32_t i = 0; i < variable->length; i++) {
        const struct pml_expr *value =
            variable->initials[i < variable->initial_count ? i : variable->initial_count - 1];
        struct place *element = place_element(lower->system, place, pml_constant(lower, i, place->span), place->span);
        pml_put(lower, steps, element,
                pml_fit(lower, pml_lower_value(lower, self, value), pml_values_of(&lower->values, value),
                        lower->values.leaves.items[variable->leaf].type),
                variable->leaf);
    }
}

/* The elements of an array are a loop with a variable of its own. */
static void set_array(struct pml_lower *lower, struct pml_steps *steps, struct pml_self self, struct place *place,
                      const struct pml_variable *variable, bool is_first_only)
{
    struct pml_steps body = {0};
    struct span span = place->span;
    if (variable->initial_count && !is_first_only) {
        set_list(lower, steps, self, place, variable);
        return;
    }
    const struct variable *index = system_add_scratch(lower->system, "i", place->type->index, span);
    struct place *element = place_element(lower->system, place, pml_variable_value(lower, index, span), span);
    struct expr *value = NULL;
    if (variable->type.base == PML_RECORD) {
        set_record(lower, &body, self, element, variable->type.record);
    } else {
        value = initial_value(lower, self, variable, pml_variable_value(lower, index, span), span);
        if (is_first_only)
            value = pml_constant(lower, 0, span);
        pml_put(lower, &body, element, value, variable->leaf);
    }
    loop_over(lower, steps, index, &body, span);
    if (is_first_only && variable->initial)
        pml_put(lower, steps, place_element(lower->system, place, pml_constant(lower, 0, span), span),
                initial_value(lower, self, variable, NULL, span), variable->leaf);
}

static void set_part(struct pml_lower *lower, struct pml_steps *steps, struct pml_self self, struct place *place,
                     const struct pml_variable *variable, bool is_first_only)
{
    if (variable->length)
        set_array(lower, steps, self, place, variable, is_first_only);
    else if (variable->type.base == PML_RECORD)
        set_record(lower, steps, self, place, variable->type.record);
    else
        pml_put(lower, steps, place, initial_value(lower, self, variable, NULL, place->span), variable->leaf);
}

static struct place *home_of(struct pml_lower *lower, struct pml_self self, const struct pml_variable *variable,
                             struct span span)
{
    struct place *place = place_variable(lower->system, lower->homes[variable->leaf], span);
    return variable->owner ? pml_own(lower, place, variable->owner, self, span) : place;
}

static void empty_channels(struct pml_lower *lower, struct pml_steps *steps, struct pml_self self,
                           const struct pml_variable *variable, struct span span)
{
    uint32_t number = pml_channels_declaration(&lower->channels, variable);
    if (number == PML_NO_DECLARATION)
        return;
    const struct pml_declaration *declaration = &lower->channels.declarations.items[number];
    const struct pml_pool *pool = &lower->channels.pools.items[declaration->pool];
    if (!pool->home || lower->is_start)
        return;
    for (uint32_t i = 0; i < declaration->length; i++) {
        struct place *place = place_variable(lower->system, pool->home, span);
        struct expr *element = pml_constant(lower, i, span);
        if (pool->count) {
            place = place_element(lower->system, place, own_channel(lower, self, variable, element, span), span);
        } else {
            if (variable->owner)
                place = pml_own(lower, place, variable->owner, self, span);
            if (variable->length)
                place = place_element(lower->system, place, element, span);
        }
        pml_clear_channel(lower, steps, place, span);
    }
}

void pml_set_initial(struct pml_lower *lower, struct pml_steps *steps, struct pml_self self,
                     const struct pml_variable *variable, struct span span)
{
    if (lower->homes[variable->leaf])
        set_part(lower, steps, self, home_of(lower, self, variable, span), variable, variable->is_inner);
    empty_channels(lower, steps, self, variable, span);
}

bool pml_is_constant(struct pml_lower *lower, const struct pml_expr *expr)
{
    if (!expr || expr->kind == PML_NUMBER)
        return true;
    if (expr->kind != PML_READ)
        return false;
    const struct pml_place *place = expr->place;
    return place->variable->channel && !place->variable->owner && !place->below &&
           !lower->values.leaves.items[place->variable->leaf].is_written && pml_is_constant(lower, place->index);
}

static bool begins_constant(struct pml_lower *lower, const struct pml_variable *variable)
{
    return variable->is_inner || pml_is_constant(lower, variable->initial);
}

static void begin_local(struct pml_lower *lower, struct pml_steps *steps, struct pml_self self,
                        const struct pml_variable *variable, struct span span)
{
    struct pml_variable plain = *variable;
    if (variable->is_inner && !variable->channel) /* it gets its value when it is declared; 0 until then */
        plain.initial = NULL;
    pml_set_initial(lower, steps, self, variable->channel ? variable : &plain, span);
}

void pml_begin_locals(struct pml_lower *lower, struct pml_steps *steps, struct pml_self self, enum pml_begin begin,
                      struct span span)
{
    for (size_t i = 0; i < self.proctype->locals.count; i++) {
        const struct pml_variable *variable = self.proctype->locals.items[i];
        bool is_constant = begins_constant(lower, variable);
        bool is_left_out = variable->is_parameter     ? begin == PML_BEGIN_LOCALS || begin == PML_BEGIN_REST
                           : begin == PML_BEGIN_REST  ? is_constant
                           : begin == PML_BEGIN_GIVEN ? is_constant
                                                      : false;
        if (!is_left_out)
            begin_local(lower, steps, self, variable, span);
    }
}

/* Any value will do, as long as it is always the same. */
static void set_least(struct pml_lower *lower, struct pml_steps *steps, struct place *place, struct span span)
{
    const struct type *type = place->type;
    if (type_is_scalar(type)) {
        pml_assign(lower, steps, place, pml_constant(lower, type_code(type, 0), span));
        return;
    }
    for (uint32_t i = 0; type->kind == TYPE_ARRAY && i < type->index->size; i++)
        set_least(lower, steps,
                  place_element(lower->system, place, pml_constant(lower, type_code(type->index, i), span), span),
                  span);
    for (uint32_t i = 0; type->kind == TYPE_RECORD && i < type->field_count; i++)
        set_least(lower, steps, place_field(lower->system, place, &type->fields[i], span), span);
}

void pml_end_locals(struct pml_lower *lower, struct pml_steps *steps, struct pml_self self, struct span span)
{
    for (size_t i = 0; i < self.proctype->locals.count; i++) {
        const struct pml_variable *variable = self.proctype->locals.items[i];
        if (lower->homes[variable->leaf])
            set_least(lower, steps, home_of(lower, self, variable, span), span);
        empty_channels(lower, steps, self, variable, span);
    }
}

/* The run of init that starts the process with this pid; NULL: it is not known. */
static const struct pml_expr *placed_at(struct pml_lower *lower, uint32_t pid)
{
    for (size_t i = 0; i < lower->cast.placed.count; i++)
        if (lower->cast.placed.items[i]->value == (int64_t)pid + 1)
            return lower->cast.placed.items[i];
    return NULL;
}

/* It has its variables before it is started, so that its start does not set them apart. What is not known then has no
 * value. */
static void begin_placed(struct pml_lower *lower, struct pml_steps *steps, struct pml_self self,
                         const struct pml_expr *run, struct span span)
{
    for (uint32_t i = 0; i < self.proctype->locals.count; i++) {
        const struct pml_variable *variable = self.proctype->locals.items[i];
        const struct pml_expr *argument = i < run->argument_count ? run->arguments[i].value : NULL;
        if (!variable->is_parameter && begins_constant(lower, variable)) {
            if (!lower->cast.roles[self.proctype->id].is_fixed)
                begin_local(lower, steps, self, variable, span);
        } else if (lower->homes[variable->leaf] && variable->is_parameter && pml_is_constant(lower, argument)) {
            pml_put(lower, steps, home_of(lower, self, variable, span),
                    argument ? pml_fit(lower, pml_lower_value(lower, nobody, argument),
                                       pml_values_of(&lower->values, argument), variable->type)
                             : pml_constant(lower, 0, span),
                    variable->leaf);
        }
    }
}

/* Do all processes of the proctype begin at one place, and are their pids not those of any other? */
static bool begin_alike(const struct pml_lower *lower, const struct pml_proctype *proctype)
{
    const struct pml_role *role = &lower->cast.roles[proctype->id];
    for (uint32_t pid = role->first; pid <= role->last; pid++)
        if (pid >= lower->cast.known.count || lower->cast.known.items[pid] != proctype)
            return false;
    return role->is_fixed && role->first < role->last;
}

static void start_pid(struct pml_lower *lower, struct pml_steps *steps, uint32_t pid, struct span span)
{
    const struct pml_proctype *known = pid < lower->cast.known.count ? lower->cast.known.items[pid] : NULL;
    const struct pml_expr *placed = placed_at(lower, pid);
    for (size_t p = 0; p < lower->model->proctypes.count; p++) {
        struct pml_self self = {.proctype = lower->model->proctypes.items[p], .number = pid};
        const struct pml_role *role = &lower->cast.roles[p];
        if (pid < role->first || pid > role->last)
            continue;
        if (self.proctype == known)
            pml_begin_locals(lower, steps, self, role->is_fixed ? PML_BEGIN_GIVEN : PML_BEGIN_ALL, span);
        else if (placed && self.proctype == placed->proctype)
            begin_placed(lower, steps, self, placed, span);
        else if (!role->is_fixed)
            pml_end_locals(lower, steps, self, span);
    }
    struct pml_self self = {.proctype = known, .number = pid};
    if (!known)
        pml_go(lower, steps, self, PML_NOWHERE, span);
    else if (!begin_alike(lower, known)) /* else start_fixed has done it */
        pml_go(lower, steps, self, lower->flows[known->id].entry, span);
    pml_set_priority(lower, steps, self, known ? known->priority : 0, span);
}

/* All channels are empty; there is nothing behind the last message, since nothing has a value before. */
static void start_channels(struct pml_lower *lower, struct pml_steps *steps, struct place *place, struct span span)
{
    if (place->type->kind == TYPE_RECORD) {
        pml_empty_channel(lower, steps, place, span);
        return;
    }
    struct pml_steps body = {0};
    const struct variable *index = system_add_scratch(lower->system, "i", place->type->index, span);
    start_channels(lower, &body, place_element(lower->system, place, pml_variable_value(lower, index, span), span),
                   span);
    loop_over(lower, steps, index, &body, span);
}

/* Processes whose pids are known begin alike: so does the start state set their variables. */
static void start_fixed(struct pml_lower *lower, struct pml_steps *steps, const struct pml_proctype *proctype,
                        struct span span)
{
    const struct pml_role *role = &lower->cast.roles[proctype->id];
    struct pml_self self = {.proctype = proctype, .number = role->first};
    struct pml_steps body = {0};
    const struct variable *pid = NULL;
    if (!role->is_fixed || role->last < role->first)
        return;
    if (role->first != role->last)
        pid = self.pid = system_add_scratch(
            lower->system, "p", type_range(lower->system, NULL, (int32_t)role->first, (int32_t)role->last, span), span);
    for (size_t i = 0; i < proctype->locals.count; i++)
        if (!proctype->locals.items[i]->is_parameter && begins_constant(lower, proctype->locals.items[i]))
            begin_local(lower, pid ? &body : steps, self, proctype->locals.items[i], span);
    if (begin_alike(lower, proctype))
        pml_go(lower, &body, self, lower->flows[proctype->id].entry, span);
    if (pid && body.count)
        loop_over(lower, steps, pid, &body, span);
    VEC_FREE(&body);
}

void pml_lower_start(struct pml_lower *lower)
{
    struct pml_steps steps = {0};
    struct span span = lower->model->proctypes.items[0]->span;
    struct rule *start = system_add_start(lower->system, "start", span);
    lower->is_start = true;
    for (size_t p = 0; p < lower->channels.pools.count; p++)
        if (lower->channels.pools.items[p].home)
            start_channels(lower, &steps, place_variable(lower->system, lower->channels.pools.items[p].home, span),
                           span);
    for (size_t i = 0; i < lower->model->globals.count; i++)
        pml_set_initial(lower, &steps, nobody, lower->model->globals.items[i], lower->model->globals.items[i]->span);
    if (lower->count)
        pml_assign(lower, &steps, place_variable(lower->system, lower->count, span),
                   pml_constant(lower, (int64_t)lower->cast.known.count, span));
    if (lower->holder)
        pml_assign(lower, &steps, place_variable(lower->system, lower->holder, span), pml_constant(lower, -1, span));
    if (lower->idle)
        pml_assign(lower, &steps, place_variable(lower->system, lower->idle, span), pml_truth(lower, false, span));
    if (lower->last)
        pml_assign(lower, &steps, place_variable(lower->system, lower->last, span), pml_constant(lower, 0, span));
    if (lower->event)
        pml_begin_trace(lower, &steps);
    if (lower->priority) { /* first values of locals may ask for those of processes that are not there yet */
        struct stmt *clear = stmt_new(lower->system, STMT_CLEAR, span);
        clear->place = place_variable(lower->system, lower->priority, span);
        VEC_PUSH(&steps, clear);
    }
    for (size_t p = 0; p < lower->model->proctypes.count; p++)
        start_fixed(lower, &steps, lower->model->proctypes.items[p], span);
    for (uint32_t pid = 0; pid < lower->cast.count; pid++)
        start_pid(lower, &steps, pid, span);
    start->body = pml_close(lower, &steps);
    lower->is_start = false;
}
