/* Garbage collection: mark from the roots, then forget the rest. Nodes do not move. */
#include <string.h>

#include "dd/inner.h"

dd dd_ref(struct dd_manager *m, dd f)
{
    if (f != DD_NONE && f > DD_TRUE) { /* constants live anyway */
        struct dd_node *node = dd_at(m, f);
        ENSURE(node->refs < UINT32_MAX);
        node->refs++;
    }
    return f;
}

void dd_unref(struct dd_manager *m, dd f)
{
    if (f != DD_NONE && f > DD_TRUE) { /* constants live anyway */
        struct dd_node *node = dd_at(m, f);
        ENSURE(node->refs > 0);
        node->refs--;
    }
}

void dd_register(struct dd_manager *m, const dd *first, size_t count)
{
    struct dd_root root = {first, count};
    VEC_PUSH(&m->roots, root);
}

void dd_unregister(struct dd_manager *m, const dd *first)
{
    for (size_t i = m->roots.count; i-- > 0;)
        if (m->roots.items[i].first == first) {
            memmove(&m->roots.items[i], &m->roots.items[i + 1], (m->roots.count - i - 1) * sizeof *m->roots.items);
            m->roots.count--;
            return;
        }
    UNREACHABLE("a root that was not registered");
}

void dd_pause(struct dd_manager *m)
{
    m->paused++;
}

void dd_resume(struct dd_manager *m)
{
    ENSURE(m->paused > 0);
    m->paused--;
}

/* As deep as there are levels. */
static void mark(struct dd_manager *m, uint32_t number)
{
    for (;;) {
        uint64_t *word = &m->live[number / 64], bit = UINT64_C(1) << (number % 64);
        if (*word & bit)
            return;
        *word |= bit;
        m->live_count++;
        const struct dd_node *node = &m->nodes[number];
        if (!node->index)
            return;
        mark(m, node->low >> 1);
        number = node->high >> 1;
    }
}

static void mark_handles(struct dd_manager *m, const dd *handles, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (handles[i] != DD_NONE)
            mark(m, handles[i] >> 1);
}

static void dd_mark_roots(struct dd_manager *m, const dd *operands, size_t count)
{
    uint64_t end = atomic_load(&m->cursor) * 64;
    if (end < m->marked_end)
        end = m->marked_end; /* nodes of an earlier round stand beyond the cursor */
    if (end > m->capacity)
        end = m->capacity;
    memset(m->live, 0, m->capacity / 8);
    m->live_count = 0;
    mark(m, 0);
    for (uint64_t number = 1; number < end; number++)
        if (m->nodes[number].refs)
            mark(m, (uint32_t)number);
    for (size_t i = 0; i < m->roots.count; i++)
        mark_handles(m, m->roots.items[i].first, m->roots.items[i].count);
    mark_handles(m, operands, count);
    m->marked_end = end;
}

void dd_collect_with(struct dd_manager *m, const dd *operands, size_t count)
{
    uint64_t used = dd_store_used(m);
    if (used > m->peak)
        m->peak = used;
    dd_mark_roots(m, operands, count);
    dd_table_rebuild(m);
    dd_cache_sweep(m);
    dd_store_rewind(m);
    m->statistics.collections++;
}

static void collect_now(void *m)
{
    dd_collect_with(m, NULL, 0);
}

void dd_collect(struct dd_manager *m)
{
    dd_deep_call(m, collect_now, m);
}
