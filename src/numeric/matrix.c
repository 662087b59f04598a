#include "numeric/matrix.h"

void matrix_begin_state(struct matrix *matrix)
{
    VEC_PUSH(&matrix->state_row, (uint32_t)matrix->row_entry.count);
}

void matrix_begin_row(struct matrix *matrix)
{
    VEC_PUSH(&matrix->row_entry, matrix->entries.count);
}

/* Rows are short: looking through the row costs less than any index. */
void matrix_add(struct matrix *matrix, uint32_t target, double value)
{
    for (size_t i = VEC_LAST(&matrix->row_entry); i < matrix->entries.count; i++)
        if (matrix->entries.items[i].target == target) {
            matrix->entries.items[i].value += value;
            return;
        }
    VEC_PUSH(&matrix->entries, ((struct entry){target, value}));
}

void matrix_append(struct matrix *matrix, uint32_t target, double value)
{
    VEC_PUSH(&matrix->entries, ((struct entry){target, value}));
}

void matrix_close(struct matrix *matrix)
{
    VEC_PUSH(&matrix->state_row, (uint32_t)matrix->row_entry.count);
    VEC_PUSH(&matrix->row_entry, matrix->entries.count);
}

void matrix_free(struct matrix *matrix)
{
    VEC_FREE(&matrix->state_row);
    VEC_FREE(&matrix->row_entry);
    VEC_FREE(&matrix->entries);
}

uint64_t matrix_bytes(const struct matrix *matrix)
{
    return matrix->state_row.capacity * sizeof *matrix->state_row.items +
           matrix->row_entry.capacity * sizeof *matrix->row_entry.items +
           matrix->entries.capacity * sizeof *matrix->entries.items;
}
