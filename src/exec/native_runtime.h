/* The interface between generated code and its host. This file is part of both: the host includes it, and its text
 * stands at the head of every generated program (native_write.c), which defines BLOCK_SHIFT before it. So it includes
 * nothing of ours, and of the C library nothing that declares functions: a model may use their names.
 *
 * Memory `m` is the array of cells of ir/expr.h. Every function returns a status; anything but NATIVE_DONE ends its
 * caller too. A check that fails returns from the middle of an expression (statement expressions, in gcc and clang),
 * so that faults come in the order of the model's text and cost one branch that is never taken. */
#ifndef NOETHER_EXEC_NATIVE_RUNTIME_H
#define NOETHER_EXEC_NATIVE_RUNTIME_H

#include <stdbool.h>
#include <stdint.h>

enum { NATIVE_VERSION = 10, NATIVE_PARAMETERS = 128, NATIVE_FINDER = 256 /* rules of one */ };

enum native_status {
    NATIVE_DONE,      /* a rule: no more instances; a function: returned */
    NATIVE_STATE,     /* an instance was fired: its successor is in memory */
    NATIVE_DISCARDED, /* an assumption is false */
    NATIVE_FAULT,     /* run->site, run->value, and the level when it happened in a function */
    NATIVE_TRUE,      /* a property holds, or (run->is_asked) an instance is enabled; */
    NATIVE_FALSE      /* a property does not hold */
};

struct native_run {
    uint64_t dirty;  /* blocks of the state that were stored into: 1 << BLOCK_SHIFT cells each */
    int64_t value;   /* what a check failed on */
    uint32_t site;   /* which check */
    uint32_t level;  /* number of parameters chosen when a called function faulted */
    uint32_t resume; /* a rule goes on behind the choice of that many parameters; 0: from its beginning */
    uint32_t at[NATIVE_PARAMETERS]; /* the parameters: positions in their types */
    const uint64_t *selected;       /* by selection: the positions that fulfil it, as bits */
    const uint64_t *unsure;         /* by mask: not 0, the rule is to evaluate what is in the mask itself */
    bool *covered;                  /* by property id */
    bool is_asked;                  /* a rule is to say only whether there is an instance (program->answers) */
    uint32_t number;                /* of the instance that is fired (burst.h), and those that are not */
    const uint64_t *asleep;         /* to be, as bits: these are counted, by rule and in all */
    uint64_t *counts;
    uint32_t slept;
    const int *over;                         /* not 0: the time is over, whatever runs ends as if discarded */
    void (*restore)(struct native_run *run); /* undoes what a guard has stored */
    /* Not NULL: a rule hands each successor over, and goes on with the next; at 0 it returns as ever. */
    int (*emit)(struct native_run *run);
    /* arith_binary, for what is rare */
    int (*arith)(int operator, int64_t left, int64_t right, int64_t *result);
};

typedef int native_function(struct native_run *run, int32_t *m);
/* The same of a rule that fires only the instance it is told (native_split.c), by its number. */
typedef int native_effect(struct native_run *run, int32_t *m, uint32_t rule);
/* The first rule from `rule` on, or the first that the finder is not about, that may have an instance. */
typedef uint32_t native_finder(struct native_run *run, const int32_t *m, uint32_t rule);

/* Of a packed state: its cells, by selection the positions that fulfil it, by mask those of which it is not known, and
 * bits of the rules to be called. */
typedef void native_loader(const uint64_t *p, int32_t *m, uint64_t *selected, uint64_t *unsure, uint64_t *called);

/* A test at the beginning of a guard, and the rule that is called where it is fulfilled. */
struct native_selection {
    uint32_t number;
    uint32_t rule; /* UINT32_MAX: it is called, or not, for another one */
};

/* By value: which selections it fulfils, items[i] for i from begins[value - low] to the one behind it. */
struct native_choice {
    const uint32_t *begins;
    const struct native_selection *items;
};

/* The elements of an array; while something is held (program->holder), other choices of all those but the holder's. */
struct native_selector {
    uint32_t first, stride, count; /* cells */
    int32_t who;                   /* the holder whose element is the first */
    int32_t low, high;             /* values */
    struct native_choice all, loose;
};

/* What a rule can be asked, when its first parameter is selected: nothing; whether it is enabled; and it has one
 * instance at most. */
enum native_answer { NATIVE_MUTE, NATIVE_ANSWERS, NATIVE_ANSWERS_ONCE };

/* The symbol `noether_program` of the library. */
struct native_program {
    uint32_t version, block_shift;
    uint32_t rule_count, start_count, property_count;
    native_function *const *rules, *const *starts, *const *properties; /* a property without formula: NULL */
    native_effect *const *effects;                                     /* by rule: those that have no function above */
    native_finder *const *finders;                                     /* of NATIVE_FINDER rules each */
    uint32_t selector_count, selection_count, mask_count;
    const struct native_selector *selectors;
    const uint64_t *opened; /* by selection: positions that are selected where no selector is about it */
    const uint64_t *always; /* bits of the rules that no selection is for, */
    const uint64_t *asked;  /* and of those that the loader says nothing about */
    const uint8_t *answers; /* by rule: enum native_answer */
    uint32_t holder;        /* a cell; UINT32_MAX: there is none */
    int32_t nobody;
    native_loader *load; /* 0: there is none */
};

#ifdef BLOCK_SHIFT

#define UNDEFINED INT32_MIN
#define UNLIKELY(condition) __builtin_expect((condition), 0)
#define INLINE static inline __attribute__((always_inline, unused))

INLINE int fault(struct native_run *run, uint32_t site, int64_t value)
{
    run->site = site;
    run->value = value;
    return NATIVE_FAULT;
}

/* Cells of the state that are stored into. Marking too much (a scratch cell) does no harm. */
#define mark(run, at) ((run)->dirty |= (uint64_t)1 << ((at) >> BLOCK_SHIFT & 63))

INLINE void mark_cells(struct native_run *run, int at, int count)
{
    int first = at >> BLOCK_SHIFT, last = (at + count - 1) >> BLOCK_SHIFT;
    if (first < 64)
        run->dirty |= (UINT64_MAX >> (last < 64 ? 63 - last : 0)) & (UINT64_MAX << first);
}

/* Of instances asleep, those before the one that is to be fired are counted; those behind it are left. */
static __attribute__((noinline, unused)) uint64_t pass_over(struct native_run *run, uint64_t slept, uint64_t before,
                                                            uint32_t rule)
{
    for (uint64_t rest = slept & before; rest; rest &= rest - 1) /* (__builtin_popcountll may need a library) */
        run->slept++, run->counts[rule]++;
    return slept & ~before;
}

/* In loops that may be long. */
#define LOOK()                                                                                                         \
    do {                                                                                                               \
        if (UNLIKELY(__atomic_load_n(run->over, __ATOMIC_RELAXED)))                                                    \
            return NATIVE_DISCARDED;                                                                                   \
    } while (0)

/* Values. Each macro evaluates its arguments once, from left to right. */
#define DEFINED(cell, site)                                                                                            \
    ({                                                                                                                 \
        int32_t cell_ = (cell);                                                                                        \
        if (UNLIKELY(cell_ == UNDEFINED))                                                                              \
            return fault(run, site, 0);                                                                                \
        cell_;                                                                                                         \
    })
#define READ(at, site) DEFINED(m[at], site)
#define ORDERED(left, operator, right)                                                                                 \
    ({                                                                                                                 \
        __auto_type left_ = (left);                                                                                    \
        __auto_type right_ = (right);                                                                                  \
        left_ operator right_;                                                                                         \
    })
#define CHECKED(builtin, left, right, site)                                                                            \
    ({                                                                                                                 \
        int64_t left_ = (left);                                                                                        \
        int64_t right_ = (right);                                                                                      \
        int64_t result_;                                                                                               \
        if (UNLIKELY(builtin(left_, right_, &result_)))                                                                \
            return fault(run, site, 0);                                                                                \
        result_;                                                                                                       \
    })
#define ARITH(operator, left, right, division, overflow)                                                               \
    ({                                                                                                                 \
        int64_t left_ = (left);                                                                                        \
        int64_t right_ = (right);                                                                                      \
        int64_t result_ = 0;                                                                                           \
        int status_ = run->arith(operator, left_, right_, &result_);                                                   \
        if (UNLIKELY(status_))                                                                                         \
            return fault(run, status_ == 2 ? (division) : (overflow), 0);                                              \
        result_;                                                                                                       \
    })
#define IN_RANGE(value, low, high, site)                                                                               \
    ({                                                                                                                 \
        __auto_type value_ = (value);                                                                                  \
        if (UNLIKELY(value_ < (low) || value_ > (high)))                                                               \
            return fault(run, site, value_);                                                                           \
        (int32_t) value_;                                                                                              \
    })
#define IN_RANGE_RAW(value, low, high, site)                                                                           \
    ({                                                                                                                 \
        __auto_type value_ = (value);                                                                                  \
        if (UNLIKELY((value_ < (low) || value_ > (high)) && value_ != UNDEFINED))                                      \
            return fault(run, site, value_);                                                                           \
        (int32_t) value_;                                                                                              \
    })
#define IN_TYPE(value, ordinal, site)                                                                                  \
    ({                                                                                                                 \
        __auto_type value_ = (value);                                                                                  \
        if (UNLIKELY(ordinal(value_) < 0))                                                                             \
            return fault(run, site, value_);                                                                           \
        (int32_t) value_;                                                                                              \
    })
#define IN_TYPE_RAW(value, ordinal, site)                                                                              \
    ({                                                                                                                 \
        __auto_type value_ = (value);                                                                                  \
        if (UNLIKELY(value_ != UNDEFINED && ordinal(value_) < 0))                                                      \
            return fault(run, site, value_);                                                                           \
        (int32_t) value_;                                                                                              \
    })
#define ORDINAL(value, ordinal, site)                                                                                  \
    ({                                                                                                                 \
        __auto_type value_ = (value);                                                                                  \
        int ordinal_ = ordinal(value_);                                                                                \
        if (UNLIKELY(ordinal_ < 0))                                                                                    \
            return fault(run, site, value_);                                                                           \
        ordinal_;                                                                                                      \
    })

/* Stores: the value first, then where. */
#define LET(at, value)                                                                                                 \
    do {                                                                                                               \
        int32_t stored_ = (int32_t)(value);                                                                            \
        m[at] = stored_;                                                                                               \
    } while (0)
#define STORE(at, value)                                                                                               \
    do {                                                                                                               \
        int32_t stored_ = (int32_t)(value);                                                                            \
        int at_ = (at);                                                                                                \
        m[at_] = stored_;                                                                                              \
        mark(run, at_);                                                                                                \
    } while (0)

/* Calls: from a function or property, and from a rule in which that many parameters are chosen. */
#define CALL(call)                                                                                                     \
    do {                                                                                                               \
        int status_ = (call);                                                                                          \
        if (UNLIKELY(status_))                                                                                         \
            return status_;                                                                                            \
    } while (0)
#define CALL_AT(chosen, call)                                                                                          \
    do {                                                                                                               \
        int status_ = (call);                                                                                          \
        if (UNLIKELY(status_)) {                                                                                       \
            run->level = (chosen);                                                                                     \
            return status_;                                                                                            \
        }                                                                                                              \
    } while (0)

/* Whole values. */
#define COPY(to, from, count) __builtin_memmove(m + (to), m + (from), (count) * sizeof *m)
#define SAME(left, right, count) (__builtin_memcmp(m + (left), m + (right), (count) * sizeof *m) == 0)

INLINE bool any_undefined(const int32_t *cells, int count)
{
    for (int cell = 0; cell < count; cell++)
        if (cells[cell] == UNDEFINED)
            return true;
    return false;
}

INLINE void fill(int32_t *cells, int32_t value, int count)
{
    for (int cell = 0; cell < count; cell++)
        cells[cell] = value;
}

/* Multisets: `stride` cells a slot, of which the first says whether it is taken. */
INLINE int free_slot(const int32_t *m, int base, int capacity, int stride)
{
    for (int slot = 0; slot < capacity; slot++)
        if (!m[base + slot * stride])
            return base + slot * stride;
    return -1;
}
/* Where a slot is, if there is such a slot; and where the element in it is, if there is one. */
#define SLOT(base, number, capacity, stride, site)                                                                     \
    ({                                                                                                                 \
        int base_ = (base);                                                                                            \
        int64_t number_ = (number);                                                                                    \
        if (UNLIKELY(number_ < 0 || number_ >= (capacity)))                                                            \
            return fault(run, site, 0);                                                                                \
        base_ + (int)number_ *(stride);                                                                                \
    })
#define TAKEN(slot, site)                                                                                              \
    ({                                                                                                                 \
        int slot_ = (slot);                                                                                            \
        if (UNLIKELY(!m[slot_]))                                                                                       \
            return fault(run, site, 0);                                                                                \
        slot_ + 1;                                                                                                     \
    })

#endif
#endif
