#include "store/log.h"

#include "base/memory.h"

enum {
    LOG_STEPS = 3,     /* a step of at most 2 is written short */
    LOG_ORDINALS = 63, /* an ordinal of at most 62 */
    LOG_ENTRY_MOST = 48
};

void log_begin(struct log_writer *log)
{
    log->size = 0;
    log->has_parent = false;
}

static void log_put(struct log_writer *log, uint64_t number)
{
    for (; number >= 128; number >>= 7)
        log->bytes[log->size++] = (uint8_t)(number | 128);
    log->bytes[log->size++] = (uint8_t)number;
}

void log_append(struct log_writer *log, uint32_t block, uint32_t index, uint64_t ordinal)
{
    bool is_near = log->has_parent && log->block == block && log->index <= index;
    uint32_t step = index - log->index;
    bool is_short = is_near && step < LOG_STEPS;
    if (log->size + LOG_ENTRY_MOST > log->capacity) {
        log->capacity = log->capacity ? 2 * log->capacity : 256;
        log->bytes = memory_resize(log->bytes, log->capacity);
    }
    log->bytes[log->size++] =
        (uint8_t)((is_short ? step : LOG_STEPS) << 6 | (ordinal < LOG_ORDINALS ? ordinal : LOG_ORDINALS));
    if (!is_near) {
        log_put(log, 0);
        log_put(log, block);
        log_put(log, index);
    } else if (!is_short) {
        log_put(log, step);
    }
    if (ordinal >= LOG_ORDINALS)
        log_put(log, ordinal - LOG_ORDINALS);
    log->block = block;
    log->index = index;
    log->has_parent = true;
}

static bool log_get(struct log_reader *log, uint64_t *number)
{
    *number = 0;
    for (uint32_t shift = 0; shift < 64 && log->bytes < log->end; shift += 7) {
        uint8_t byte = *log->bytes++;
        *number |= (uint64_t)(byte & 127) << shift;
        if (byte < 128)
            return true;
    }
    return false;
}

static bool log_get_parent(struct log_reader *log)
{
    uint64_t step, block, index;
    if (!log_get(log, &step))
        return false;
    if (step) {
        log->index += (uint32_t)step;
        return true;
    }
    if (!log_get(log, &block) || !log_get(log, &index))
        return false;
    log->block = (uint32_t)block;
    log->index = (uint32_t)index;
    return true;
}

bool log_try_next(struct log_reader *log, uint64_t *ordinal)
{
    uint64_t more;
    if (log->bytes >= log->end)
        return false;
    uint8_t byte = *log->bytes++;
    if (byte >> 6 < LOG_STEPS)
        log->index += byte >> 6;
    else if (!log_get_parent(log))
        return false;
    *ordinal = byte & LOG_ORDINALS;
    if (*ordinal < LOG_ORDINALS)
        return true;
    if (!log_get(log, &more))
        return false;
    *ordinal += more;
    return true;
}

void log_next(struct log_reader *log, uint64_t *ordinal)
{
    ENSURE(log_try_next(log, ordinal));
}
