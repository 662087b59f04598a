#include "dd/swap.h"

static uint32_t chain_of(const struct swap_table *table, dd low, dd high)
{
    uint64_t h = (((uint64_t)high << 32) | low) * UINT64_C(0x9e3779b97f4a7c15);
    h = (h ^ (h >> 32)) * UINT64_C(0xd6e8feb86659fd93);
    return (uint32_t)(h >> 40) & table->mask;
}

static void table_link(struct swapper *s, uint32_t index, uint32_t number)
{
    struct swap_table *table = &s->tables[index];
    uint32_t chain = chain_of(table, s->m->nodes[number].low, s->m->nodes[number].high);
    s->next[number] = table->heads[chain];
    table->heads[chain] = number;
    table->count++;
}

/* Makes the chains short again when the table has become too full. */
static void table_fit(struct swapper *s, uint32_t index)
{
    struct swap_table *table = &s->tables[index];
    if (table->count <= 2 * table->mask || table->mask >= (1u << 23))
        return;
    struct swap_table old = *table;
    table->mask = 4 * (old.mask + 1) - 1;
    table->count = 0;
    table->heads = memory_zeroed(table->mask + 1, sizeof *table->heads);
    for (uint32_t chain = 0; chain <= old.mask; chain++)
        for (uint32_t number = old.heads[chain], next; number; number = next) {
            next = s->next[number];
            table_link(s, index, number);
        }
    free(old.heads);
}

static uint32_t number_take(struct swapper *s)
{
    struct dd_manager *m = s->m;
    uint32_t number;
    if (s->freed.count) {
        number = VEC_POP(&s->freed);
    } else {
        while (m->live[s->word] == UINT64_MAX)
            s->word++;
        number = (uint32_t)(s->word * 64) + (uint32_t)__builtin_ctzll(~m->live[s->word]);
        if (number >= m->marked_end)
            m->marked_end = number + 1;
    }
    m->live[number / 64] |= UINT64_C(1) << (number % 64);
    s->free--;
    s->live++;
    return number;
}

static void number_give(struct swapper *s, uint32_t number)
{
    /* Stays marked in the bitmap until the end, or the search for free words would have to go back. */
    VEC_PUSH(&s->freed, number);
    s->free++;
    s->live--;
}

static dd find_or_make(struct swapper *s, uint32_t index, dd low, dd high)
{
    if (low == high)
        return low;
    dd flip = low & 1u;
    low ^= flip;
    high ^= flip;
    struct dd_node *nodes = s->m->nodes;
    struct swap_table *table = &s->tables[index];
    for (uint32_t number = table->heads[chain_of(table, low, high)]; number; number = s->next[number])
        if (nodes[number].low == low && nodes[number].high == high)
            return number << 1 | flip;
    uint32_t number = number_take(s);
    nodes[number] = (struct dd_node){.index = index, .low = low, .high = high};
    s->refs[number] = 0;
    s->refs[low >> 1]++;
    s->refs[high >> 1]++;
    table_link(s, index, number);
    table_fit(s, index);
    return number << 1 | flip;
}

/* Takes the nodes that depend on the lower variable out of the upper one's table. */
static void take_dependent(struct swapper *s, uint32_t upper, uint32_t lower)
{
    struct dd_node *nodes = s->m->nodes;
    struct swap_table *table = &s->tables[upper];
    VEC_CLEAR(&s->moving);
    for (uint32_t chain = 0; chain <= table->mask; chain++)
        for (uint32_t *link = &table->heads[chain]; *link;) {
            const struct dd_node *node = &nodes[*link];
            if (nodes[node->low >> 1].index == lower || nodes[node->high >> 1].index == lower) {
                VEC_PUSH(&s->moving, *link);
                *link = s->next[*link];
                table->count--;
            } else {
                link = &s->next[*link];
            }
        }
}

static void cofactors(const struct dd_manager *m, dd f, uint32_t index, dd *low, dd *high)
{
    const struct dd_node *node = dd_at(m, f);
    *low = node->index == index ? node->low ^ (f & 1u) : f;
    *high = node->index == index ? node->high ^ (f & 1u) : f;
}

/* The node decides on the lower variable first from now on. */
static void node_turn(struct swapper *s, uint32_t number, uint32_t upper, uint32_t lower)
{
    struct dd_manager *m = s->m;
    dd f0 = m->nodes[number].low, f1 = m->nodes[number].high, f00, f01, f10, f11;
    cofactors(m, f0, lower, &f00, &f01);
    cofactors(m, f1, lower, &f10, &f11);
    dd low = find_or_make(s, upper, f00, f10);
    s->refs[low >> 1]++;
    dd high = find_or_make(s, upper, f01, f11);
    s->refs[high >> 1]++;
    s->refs[f0 >> 1]--;
    s->refs[f1 >> 1]--;
    m->nodes[number].index = lower;
    m->nodes[number].low = low;
    m->nodes[number].high = high;
    table_link(s, lower, number);
}

static void drop_dead(struct swapper *s, uint32_t index)
{
    struct dd_node *nodes = s->m->nodes;
    struct swap_table *table = &s->tables[index];
    for (uint32_t chain = 0; chain <= table->mask; chain++)
        for (uint32_t *link = &table->heads[chain]; *link;) {
            uint32_t number = *link;
            if (s->refs[number]) {
                link = &s->next[number];
                continue;
            }
            *link = s->next[number];
            table->count--;
            s->refs[nodes[number].low >> 1]--;
            s->refs[nodes[number].high >> 1]--;
            number_give(s, number);
        }
}

static void exchange(struct swapper *s, uint32_t level)
{
    struct dd_manager *m = s->m;
    uint32_t upper = m->index_at[level], lower = m->index_at[level + 1];
    take_dependent(s, upper, lower);
    for (size_t i = 0; i < s->moving.count; i++)
        node_turn(s, s->moving.items[i], upper, lower);
    if (s->moving.count)
        drop_dead(s, lower);
    table_fit(s, lower);
    m->index_at[level] = lower;
    m->index_at[level + 1] = upper;
    m->level_of[lower] = level;
    m->level_of[upper] = level + 1;
    m->statistics.swaps++;
}

/* Two new nodes at most for each of the upper variable; and the way back needs again those of the lower that die. */
bool swapper_swap(struct swapper *s, uint32_t level)
{
    const struct swap_table *upper = &s->tables[s->m->index_at[level]], *lower = &s->tables[s->m->index_at[level + 1]];
    if (s->free < 2 * (uint64_t)upper->count + lower->count)
        return false;
    exchange(s, level);
    return true;
}

void swapper_undo(struct swapper *s, uint32_t level)
{
    exchange(s, level);
}

static void count_handles(struct swapper *s, const dd *handles, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (handles[i] != DD_NONE)
            s->refs[handles[i] >> 1]++;
}

static void swapper_fill(struct swapper *s, const dd *operands, size_t count)
{
    struct dd_manager *m = s->m;
    for (uint32_t index = 1; index <= m->variables; index++) {
        s->tables[index].mask = 15;
        s->tables[index].heads = memory_zeroed(16, sizeof(uint32_t));
    }
    for (uint64_t number = 1; number < m->marked_end; number++) {
        const struct dd_node *node = &m->nodes[number];
        if (!(m->live[number / 64] >> (number % 64) & 1))
            continue;
        s->refs[number] += node->refs > 0;
        if (!node->index)
            continue;
        s->live++;
        s->refs[node->low >> 1]++;
        s->refs[node->high >> 1]++;
        table_link(s, node->index, (uint32_t)number);
        table_fit(s, node->index);
    }
    for (size_t i = 0; i < m->roots.count; i++)
        count_handles(s, m->roots.items[i].first, m->roots.items[i].count);
    count_handles(s, operands, count);
}

bool swapper_begin(struct swapper *s, struct dd_manager *m, const dd *operands, size_t count)
{
    dd_collect_with(m, operands, count);
    /* What it takes: two words for each node, and the chains. */
    uint64_t bytes =
        m->capacity * 2 * sizeof(uint32_t) + m->live_count * sizeof(uint32_t) + m->variables * UINT64_C(80);
    if (m->memory_limit && m->bytes + bytes > m->memory_limit)
        return false;
    *s = (struct swapper){.m = m, .free = m->capacity - m->live_count};
    s->refs = dd_block_reserve(m->capacity * sizeof *s->refs);
    s->next = dd_block_reserve(m->capacity * sizeof *s->next);
    if (!s->refs || !s->next) {
        dd_block_release(s->refs, m->capacity * sizeof *s->refs);
        dd_block_release(s->next, m->capacity * sizeof *s->next);
        return false;
    }
    s->tables = memory_zeroed(m->variables + 1, sizeof *s->tables);
    swapper_fill(s, operands, count);
    return true;
}

void swapper_end(struct swapper *s)
{
    struct dd_manager *m = s->m;
    for (size_t i = 0; i < s->freed.count; i++) {
        uint32_t number = s->freed.items[i];
        m->live[number / 64] &= ~(UINT64_C(1) << (number % 64));
    }
    m->live_count = m->capacity - s->free;
    for (uint32_t index = 1; index <= m->variables; index++)
        free(s->tables[index].heads);
    free(s->tables);
    VEC_FREE(&s->freed);
    VEC_FREE(&s->moving);
    dd_block_release(s->refs, m->capacity * sizeof *s->refs);
    dd_block_release(s->next, m->capacity * sizeof *s->next);
    m->order_stamp++;
    dd_table_rebuild(m);
    dd_cache_clear(m); /* numbers may stand for other functions now */
    dd_store_rewind(m);
}
