/* At the end of a level each rank says what it has found, and hears what the others have: then all know the same, and
 * report the same. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "engine/explicit/keep.h"
#include "engine/explicit/ranks.h"

struct json **ranks_share(struct explicit_search *search, struct json *mine)
{
    struct ranks *ranks = search->ranks;
    struct text text = {0}, message = {0};
    size_t *places;
    json_print_compact(mine, &text);
    json_free(mine);
    char *bytes = ranks->transport->share(text_chars(&text), text.length, &places);
    struct json **all = memory_zeroed(ranks->count, sizeof *all);
    for (uint32_t i = 0; i < ranks->count; i++)
        all[i] = json_parse(bytes + places[i], places[i + 1] - places[i], &message);
    free(bytes);
    free(places);
    text_free(&text);
    text_free(&message);
    return all;
}

static void ranks_forget(struct explicit_search *search, struct json **all)
{
    for (uint32_t i = 0; i < search->ranks->count; i++)
        json_free(all[i]);
    free(all);
}

/* --- numbers --- */

/* Of `size` bytes from each rank: `add` is called with each. */
static void ranks_add(struct explicit_search *search, const void *mine, size_t size,
                      void (*add)(void *sum, const void *other), void *sum)
{
    const struct transport *transport = search->ranks->transport;
    size_t *places;
    char *bytes = transport->share(mine, size, &places);
    for (uint32_t i = 0; i < transport->count; i++)
        if (places[i + 1] - places[i] == size)
            add(sum, bytes + places[i]);
    free(bytes);
    free(places);
}

static void add_count(void *sum, const void *other)
{
    uint64_t number;
    memcpy(&number, other, sizeof number);
    *(uint64_t *)sum += number;
}

static void add_real(void *sum, const void *other)
{
    double number;
    memcpy(&number, other, sizeof number);
    *(double *)sum += number;
}

uint64_t ranks_sum(struct explicit_search *search, uint64_t mine)
{
    uint64_t sum = 0;
    if (!search->ranks || search->ranks->is_broken)
        return mine;
    ranks_add(search, &mine, sizeof mine, add_count, &sum);
    return sum;
}

double ranks_sum_real(struct explicit_search *search, double mine)
{
    double sum = 0;
    if (!search->ranks || search->ranks->is_broken)
        return mine;
    ranks_add(search, &mine, sizeof mine, add_real, &sum);
    return sum;
}

/* --- what was found --- */

static struct json *describe_covered(const struct explicit_search *search)
{
    struct json *list = json_make_array();
    for (size_t i = 0; i <= stepper_undefined(search->system); i++) {
        bool is_covered = false;
        for (uint32_t w = 0; w < search->worker_count; w++)
            is_covered |= search->workers[w].stepper->covered[i] ||
                          (i == stepper_undefined(search->system) && search->workers[w].judge->covered[i]);
        if (is_covered)
            json_push(list, json_make_count(i));
    }
    return list;
}

/* Antecedents that were true here. */
static struct json *describe_met(const struct explicit_search *search)
{
    struct json *list = json_make_array();
    for (uint32_t i = 0; i < search->invariants.count; i++)
        if (search->invariants.items[i]->antecedent && !vacuity_is_unmet(search, search->invariants.items[i]))
            json_push(list, json_make_count(search->invariants.items[i]->id));
    return list;
}

static struct json *describe_stop(const struct explicit_search *search)
{
    const struct stop *stop = &search->result->stop;
    struct json *described = json_make_object();
    json_set(described, "kind", json_make_count(stop->kind));
    json_set(described, "limit", json_make_count(stop->limit));
    json_set(described, "seconds", json_make_real(stop->seconds));
    if (stop->detail)
        json_set(described, "detail", json_make_text(stop->detail));
    return described;
}

static struct json *describe_level(struct explicit_search *search)
{
    size_t count = search->system->properties.count;
    struct json *mine = json_make_object();
    json_set(mine, "found", keep_describe_findings(search, search->found, count));
    json_set(mine, "unevaluated", keep_describe_findings(search, search->unevaluated, count));
    json_set(mine, "covered", describe_covered(search));
    json_set(mine, "met", describe_met(search));
    if (search_is_stopped(search))
        json_set(mine, "stop", describe_stop(search));
    return mine;
}

static void hear_findings(struct explicit_search *search, const struct json *list,
                          void (*note)(struct explicit_search *search, const struct explicit_finding *finding))
{
    for (size_t i = 0; i < json_size(list); i++) {
        struct explicit_finding *finding = keep_find_again(search, json_item(list, i), NULL);
        if (finding)
            note(search, finding);
        finding_destroy(finding);
    }
}

static void hear_covered(struct explicit_search *search, const struct json *list)
{
    uint64_t property;
    for (size_t i = 0; i < json_size(list); i++)
        if (json_read_count(json_item(list, i), &property) && property <= stepper_undefined(search->system))
            search->workers[0].stepper->covered[property] = true;
}

/* An antecedent that one worker has seen true is met. */
static void hear_met(struct explicit_search *search, const struct json *list)
{
    struct worker *worker = &search->workers[0];
    for (size_t i = 0; i < json_size(list); i++) {
        size_t kept = 0;
        uint64_t property;
        if (!json_read_count(json_item(list, i), &property))
            continue;
        for (size_t j = 0; j < worker->unmet.count; j++)
            if (worker->unmet.items[j]->id != property)
                worker->unmet.items[kept++] = worker->unmet.items[j];
        worker->unmet.count = kept;
    }
}

static void hear_stop(struct explicit_search *search, const struct json *described)
{
    uint64_t kind = STOP_FAILED;
    struct stop stop = {0};
    json_read_count(json_get(described, "kind"), &kind);
    json_read_count(json_get(described, "limit"), &stop.limit);
    json_read_real(json_get(described, "seconds"), &stop.seconds);
    const char *detail = json_read_text(json_get(described, "detail"));
    stop.kind = (enum stop_kind)kind;
    stop.detail = detail ? memory_string(detail) : NULL;
    search_stop(search, stop);
}

/* Their runs cannot be collected. */
static void drop_findings(struct explicit_search *search)
{
    for (size_t i = 0; i < search->system->properties.count; i++) {
        finding_destroy(search->found[i]);
        finding_destroy(search->unevaluated[i]);
        search->found[i] = search->unevaluated[i] = NULL;
    }
}

bool ranks_are_broken(const struct explicit_search *search)
{
    return search->ranks && search->ranks->is_broken;
}

bool ranks_meet(struct explicit_search *search)
{
    if (!search->ranks)
        return !search_is_stopped(search);
    if (search->ranks->is_broken) {
        drop_findings(search);
        return false;
    }
    struct watch *watch = watch_suspend(); /* findings are evaluated again, whole */
    struct json **all = ranks_share(search, describe_level(search));
    for (uint32_t i = 0; i < search->ranks->count; i++) {
        const struct json *other = all[i];
        if (i != search->ranks->rank && search->blocks) {
            hear_findings(search, json_get(other, "found"), findings_note);
            hear_findings(search, json_get(other, "unevaluated"), findings_note_unevaluated);
            hear_covered(search, json_get(other, "covered"));
            hear_met(search, json_get(other, "met"));
        }
        if (!other || json_get(other, "stop"))
            hear_stop(search, json_get(other, "stop"));
    }
    ranks_forget(search, all);
    watch_adopt(watch);
    return !search_is_stopped(search);
}

/* --- how a state was reached --- */

bool ranks_parent(struct explicit_search *search, block_ref state, block_ref *parent, uint64_t *ordinal)
{
    if (!search->ranks)
        return blocks_parent(search->blocks, state, parent, ordinal);
    const struct transport *transport = search->ranks->transport;
    const uint64_t mask = (((uint64_t)1 << RANKS_BITS) - 1) << RANKS_SHIFT;
    uint32_t owner = (uint32_t)((state & mask) >> RANKS_SHIFT);
    struct {
        uint64_t is_good, parent, ordinal;
    } step = {0};
    size_t *places;
    if (owner == transport->rank)
        step.is_good = blocks_parent(search->blocks, state & ~mask, &step.parent, &step.ordinal);
    char *bytes = transport->share(&step, owner == transport->rank ? sizeof step : 0, &places);
    memcpy(&step, bytes, sizeof step);
    free(bytes);
    free(places);
    *parent = step.parent;
    *ordinal = step.ordinal;
    return step.is_good != 0;
}

/* --- the statistics --- */

static struct json *describe_total(const struct explicit_search *search)
{
    const struct statistics *statistics = &search->result->statistics;
    struct json *mine = json_make_object(), *rules = json_make_array();
    json_set(mine, "states", json_make_count(statistics->states));
    json_set(mine, "transitions", json_make_count(statistics->transitions));
    json_set(mine, "unmade", json_make_count(statistics->unmade));
    json_set(mine, "rules_fired", json_make_count(statistics->rules_fired));
    json_set(mine, "store_bytes", json_make_count(statistics->store_bytes));
    json_set(mine, "peak_bytes", json_make_count(statistics->peak_bytes));
    json_set(mine, "cpu_seconds", json_make_real(statistics->cpu_seconds));
    for (size_t r = 0; r < search->system->rules.count; r++)
        json_push(rules, json_make_count(statistics->fired_by_rule[r]));
    json_set(mine, "fired", rules);
    json_set(mine, "sent_states", json_make_count(search->ranks->sent_states));
    json_set(mine, "sent_batches", json_make_count(search->ranks->sent_batches));
    json_set(mine, "sent_bytes", json_make_count(search->ranks->sent_bytes));
    if (statistics->represented) {
        char *digits = bigint_digits(statistics->represented);
        json_set(mine, "represented", json_make_text(digits));
        free(digits);
    }
    return mine;
}

static void add_member(const struct json *other, const char *key, uint64_t *sum)
{
    uint64_t number = 0;
    json_read_count(json_get(other, key), &number);
    *sum += number;
}

static void add_represented(struct bigint *sum, const char *digits)
{
    struct bigint *number = bigint_create(0);
    if (bigint_read(number, digits))
        bigint_add(sum, number);
    bigint_destroy(number);
}

static void add_total(struct explicit_search *search, const struct json *other)
{
    struct statistics *statistics = &search->result->statistics;
    const struct json *rules = json_get(other, "fired");
    double seconds = 0;
    json_read_real(json_get(other, "cpu_seconds"), &seconds);
    statistics->cpu_seconds += seconds;
    add_member(other, "states", &statistics->states);
    add_member(other, "transitions", &statistics->transitions);
    add_member(other, "unmade", &statistics->unmade);
    add_member(other, "rules_fired", &statistics->rules_fired);
    add_member(other, "store_bytes", &statistics->store_bytes);
    add_member(other, "peak_bytes", &statistics->peak_bytes);
    for (size_t r = 0; r < json_size(rules) && r < search->system->rules.count; r++) {
        uint64_t fired = 0;
        json_read_count(json_item(rules, r), &fired);
        statistics->fired_by_rule[r] += fired;
    }
    if (statistics->represented)
        add_represented(statistics->represented, json_read_text(json_get(other, "represented")));
}

/* What all ranks have sent, and how equal their parts are. */
static void add_traffic(struct ranks *ranks, const struct json *other)
{
    uint64_t states = 0;
    add_member(other, "states", &states);
    add_member(other, "sent_states", &ranks->all.sent_states);
    add_member(other, "sent_batches", &ranks->all.sent_batches);
    add_member(other, "sent_bytes", &ranks->all.sent_bytes);
    ranks->all.most = states > ranks->all.most ? states : ranks->all.most;
    ranks->all.least = states < ranks->all.least ? states : ranks->all.least;
}

void ranks_total(struct explicit_search *search)
{
    if (!search->ranks || search->ranks->is_broken)
        return;
    struct json **all = ranks_share(search, describe_total(search));
    search->ranks->all.least = UINT64_MAX;
    for (uint32_t i = 0; i < search->ranks->count; i++) {
        if (i != search->ranks->rank && all[i])
            add_total(search, all[i]);
        if (all[i])
            add_traffic(search->ranks, all[i]);
    }
    ranks_forget(search, all);
}
