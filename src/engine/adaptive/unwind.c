#include "engine/adaptive/unwind.h"

#include <string.h>

/* The elements of one local state in one cell of P, to be distributed. */
struct margin {
    uint32_t cell, column, count;
    uint32_t choices; /* R-cells that may take them */
};

static void unwind_reserve(struct unwinding *unwinding)
{
    const struct adaptive_view *view = unwinding->view;
    size_t fine = unwinding->fine.cell_count, coarse = view->partition.cell_count, columns = view->local_count;
    size_t wanted = fine * columns + 2 * fine + coarse * columns + coarse + 1 + unwinding->q_cell_count * columns;
    if (unwinding->capacity < wanted) {
        unwinding->capacity = 2 * wanted;
        unwinding->counts = memory_resize(unwinding->counts, unwinding->capacity * sizeof(uint32_t));
        unwinding->is_barred = memory_resize(unwinding->is_barred, unwinding->capacity);
        unwinding->margins = memory_resize(unwinding->margins, unwinding->capacity * sizeof *unwinding->margins);
    }
    unwinding->room = unwinding->counts + fine * columns;
    unwinding->subs = unwinding->room + fine;
    unwinding->left = unwinding->subs + fine;
    unwinding->sub_start = unwinding->left + coarse * columns;
}

void unwind_free(struct unwinding *unwinding)
{
    free(unwinding->counts);
    free(unwinding->is_barred);
    free(unwinding->margins);
    *unwinding = (struct unwinding){0};
}

static uint32_t unwind_q_cell(const struct unwinding *unwinding, uint32_t fine_cell)
{
    return unwinding->q_cell_of[unwinding->fine.first[fine_cell]];
}

/* The R-cells of each cell of P. */
static void unwind_list_subs(struct unwinding *unwinding)
{
    const struct partition *coarse = &unwinding->view->partition;
    uint32_t *start = unwinding->sub_start;
    memset(start, 0, (coarse->cell_count + 1) * sizeof *start);
    for (uint32_t r = 0; r < unwinding->fine.cell_count; r++)
        start[coarse->cell_of[unwinding->fine.first[r]] + 1]++;
    for (uint32_t c = 0; c < coarse->cell_count; c++)
        start[c + 1] += start[c];
    for (uint32_t r = 0; r < unwinding->fine.cell_count; r++)
        unwinding->subs[start[coarse->cell_of[unwinding->fine.first[r]]]++] = r;
    for (uint32_t c = coarse->cell_count; c > 0; c--)
        start[c] = start[c - 1];
    start[0] = 0;
}

static bool unwind_may(const struct unwinding *unwinding, uint32_t fine_cell, uint32_t column)
{
    return !unwinding->edge ||
           !unwinding->is_barred[unwind_q_cell(unwinding, fine_cell) * unwinding->view->local_count + column];
}

static bool unwind_distribute(struct unwinding *unwinding, uint32_t margin);

/* Gives `count` elements of a margin to its R-cells from number `sub` on. */
static bool unwind_give(struct unwinding *unwinding, uint32_t number, uint32_t sub, uint32_t count)
{
    const struct margin *margin = &unwinding->margins[number];
    uint32_t end = unwinding->sub_start[margin->cell + 1], columns = unwinding->view->local_count, later = 0;
    while (sub < end && !unwind_may(unwinding, unwinding->subs[sub], margin->column))
        sub++;
    if (sub == end)
        return count ? true : unwind_distribute(unwinding, number + 1);
    for (uint32_t s = sub + 1; s < end; s++)
        if (unwind_may(unwinding, unwinding->subs[s], margin->column))
            later += unwinding->room[unwinding->subs[s]];
    uint32_t r = unwinding->subs[sub], most = count < unwinding->room[r] ? count : unwinding->room[r];
    uint32_t *entry = &unwinding->counts[r * columns + margin->column];
    for (uint32_t take = count > later ? count - later : 0; take <= most; take++) {
        *entry = take;
        unwinding->room[r] -= take;
        bool goes_on = unwind_give(unwinding, number, sub + 1, count - take);
        unwinding->room[r] += take;
        *entry = 0;
        if (!goes_on)
            return false;
    }
    return true;
}

static bool unwind_distribute(struct unwinding *unwinding, uint32_t number)
{
    if (number < unwinding->margin_count)
        return unwind_give(unwinding, number, unwinding->sub_start[unwinding->margins[number].cell],
                           unwinding->margins[number].count);
    unwinding->work++;
    return unwinding->use(unwinding);
}

/* What is left to distribute, the most constrained first; false when something has no place at all. */
static bool unwind_make_margins(struct unwinding *unwinding)
{
    const struct adaptive_view *view = unwinding->view;
    unwinding->margin_count = 0;
    for (uint32_t c = 0; c < view->partition.cell_count; c++)
        for (uint32_t l = 0; l < view->local_count; l++) {
            struct margin margin = {c, l, unwinding->left[c * view->local_count + l], 0};
            uint32_t room = 0, at = unwinding->margin_count;
            if (!margin.count)
                continue;
            for (uint32_t s = unwinding->sub_start[c]; s < unwinding->sub_start[c + 1]; s++)
                if (unwind_may(unwinding, unwinding->subs[s], l)) {
                    room += unwinding->room[unwinding->subs[s]];
                    margin.choices++;
                }
            if (room < margin.count)
                return false;
            for (; at > 0 && unwinding->margins[at - 1].choices > margin.choices; at--)
                unwinding->margins[at] = unwinding->margins[at - 1];
            unwinding->margins[at] = margin;
            unwinding->margin_count++;
        }
    return true;
}

static bool unwind_tables(struct unwinding *unwinding)
{
    memset(unwinding->counts, 0,
           (size_t)unwinding->fine.cell_count * unwinding->view->local_count * sizeof *unwinding->counts);
    return !unwind_make_margins(unwinding) || unwind_distribute(unwinding, 0);
}

/* Places the actors from number `actor` on. */
static bool unwind_place(struct unwinding *unwinding, uint32_t actor)
{
    const struct adaptive_view *view = unwinding->view;
    if (actor == unwinding->actor_count)
        return unwind_tables(unwinding);
    for (uint32_t r = 0; r < unwinding->fine.cell_count; r++) {
        uint32_t coarse = view->partition.cell_of[unwinding->fine.first[r]];
        uint32_t *left = &unwinding->left[coarse * view->local_count + unwinding->column[actor]];
        if (unwind_q_cell(unwinding, r) != unwinding->edge->cells[actor] || !*left || !unwinding->room[r])
            continue;
        unwinding->place[actor] = r;
        --*left;
        unwinding->room[r]--;
        bool goes_on = unwind_place(unwinding, actor + 1);
        ++*left;
        unwinding->room[r]++;
        if (!goes_on)
            return false;
    }
    return true;
}

static void unwind_bar(struct unwinding *unwinding, struct rulebook *book)
{
    const struct adaptive_edge *edge = unwinding->edge;
    uint32_t columns = unwinding->view->local_count;
    memset(unwinding->is_barred, 0, (size_t)unwinding->q_cell_count * columns);
    for (uint32_t i = 0; i < (edge->is_simple ? edge->leaf_count : 0); i++) {
        const struct leaf *leaf = &edge->leaves[i];
        if (!leaf->is_all)
            continue;
        for (uint32_t l = 0; l < columns; l++) {
            /* A function is about one family; its cells hold no local states of another. */
            bool is_about = local_family(book->scene, unwinding->view->locals[l]) ==
                            words_at(&book->unaries.words, leaf->function)[0];
            if (!is_about || rulebook_is_true(book, leaf->function, unwinding->view->locals[l]))
                continue;
            for (uint32_t q = 0; q < unwinding->q_cell_count; q++)
                unwinding->is_barred[q * columns + l] |= leaf->in_cell[q];
        }
    }
}

static bool unwind_run(struct unwinding *unwinding)
{
    const struct adaptive_view *view = unwinding->view;
    unwind_list_subs(unwinding);
    memcpy(unwinding->left, view->counts,
           (size_t)view->partition.cell_count * view->local_count * sizeof *unwinding->left);
    memcpy(unwinding->room, unwinding->fine.size, unwinding->fine.cell_count * sizeof *unwinding->room);
    return unwind_place(unwinding, 0);
}

bool unwind_edge(struct unwinding *unwinding, struct rulebook *book, const struct adaptive_view *view,
                 const struct adaptive_edge *edge)
{
    unwinding->view = view;
    unwinding->edge = edge;
    unwinding->actor_count = book->variants->items[edge->variant].actor_count;
    unwinding->fine_number = partitions_meet(book->partitions, view->partition_number, edge->partition);
    unwinding->fine = *partitions_at(book->partitions, unwinding->fine_number);
    unwinding->q_cell_of = partitions_at(book->partitions, edge->partition)->cell_of;
    unwinding->q_cell_count = partitions_at(book->partitions, edge->partition)->cell_count;
    unwind_reserve(unwinding);
    for (uint32_t a = 0; a < unwinding->actor_count; a++) {
        unwinding->column[a] = view_find(view, edge->locals[a]);
        if (unwinding->column[a] == WORDS_NONE)
            return true;
    }
    unwind_bar(unwinding, book);
    return unwind_run(unwinding);
}

bool unwind_over(struct unwinding *unwinding, struct rulebook *book, const struct adaptive_view *view,
                 uint32_t partition)
{
    unwinding->view = view;
    unwinding->edge = NULL;
    unwinding->actor_count = unwinding->q_cell_count = 0;
    unwinding->fine_number = partitions_meet(book->partitions, view->partition_number, partition);
    unwinding->fine = *partitions_at(book->partitions, unwinding->fine_number);
    unwind_reserve(unwinding);
    return unwind_run(unwinding);
}

void unwind_concretise(const struct unwinding *unwinding, uint32_t *locals, uint32_t *actors)
{
    const struct adaptive_view *view = unwinding->view;
    for (uint32_t r = 0; r < unwinding->fine.cell_count; r++) {
        const uint32_t *member = unwinding->fine.members + unwinding->fine.start[r];
        for (uint32_t a = 0; a < unwinding->actor_count; a++)
            if (unwinding->place[a] == r) {
                actors[a] = *member;
                locals[*member++] = view->locals[unwinding->column[a]];
            }
        for (uint32_t l = 0; l < view->local_count; l++)
            for (uint32_t i = unwinding->counts[r * view->local_count + l]; i > 0; i--)
                locals[*member++] = view->locals[l];
    }
}
