#include "ranks/roll_call.h"

#include <string.h>

#include "base/memory.h"
#include "base/text.h"

/* What a rank says, before the words. */
struct roll_call_word {
    double seconds;
    uint64_t topic;
    int32_t kind; /* enum stop_kind; STOP_NONE: it is ready, or has nothing more to do */
    int32_t is_leaving;
};

/* What all say; the caller frees it, and the places. */
static char *word_share(const struct transport *transport, uint64_t topic, const struct stop *stop, bool is_leaving,
                        size_t **places)
{
    struct roll_call_word word = {stop->seconds, topic, (int32_t)stop->kind, is_leaving};
    struct text bytes = {0};
    text_append_n(&bytes, (const char *)&word, sizeof word);
    stop_print(stop, &bytes);
    char *all = transport->share(bytes.chars, bytes.length, places);
    text_free(&bytes);
    return all;
}

/* Of one of them; ranks are of one build, and what is short is of none. */
static struct roll_call_word word_read(const char *all, const size_t *places, uint32_t rank)
{
    struct roll_call_word word = {.kind = STOP_FAILED};
    if (places[rank + 1] - places[rank] >= sizeof word)
        memcpy(&word, all + places[rank], sizeof word);
    return word;
}

/* A limit of all ranks is one of each; anything else is said of the rank that it is about. */
static struct stop word_stop(const char *all, const size_t *places, uint32_t rank)
{
    struct roll_call_word word = word_read(all, places, rank);
    size_t length = places[rank + 1] - places[rank];
    if (word.kind == STOP_TIME)
        return stop_time(word.seconds);
    if (word.kind == STOP_INTERRUPTED)
        return stop_of(STOP_INTERRUPTED);
    if (word.kind == STOP_NONE || length < sizeof word)
        return stop_because(STOP_FAILED, "rank %u does not search", rank);
    return stop_because(STOP_FAILED, "rank %u: %.*s", rank, (int)(length - sizeof word),
                        all + places[rank] + sizeof word);
}

/* Are all about the same as the first? */
static bool words_agree(const struct transport *transport, const char *all, const size_t *places, struct stop *mine)
{
    uint64_t topic = word_read(all, places, 0).topic;
    for (uint32_t rank = 1; rank < transport->count; rank++)
        if (word_read(all, places, rank).topic != topic) {
            *mine = stop_because(STOP_FAILED, "rank %u has another model than rank 0, or other options", rank);
            return false;
        }
    return true;
}

bool roll_call_answer(const struct transport *transport, uint64_t topic, struct stop *mine)
{
    size_t *places;
    char *all = word_share(transport, topic, mine, false, &places);
    bool is_ready = true;
    for (uint32_t rank = 0; rank < transport->count && is_ready; rank++) {
        struct roll_call_word word = word_read(all, places, rank);
        is_ready = word.kind == STOP_NONE && !word.is_leaving;
        if (!is_ready && !stop_is_set(mine))
            *mine = word_stop(all, places, rank);
    }
    is_ready = is_ready && words_agree(transport, all, places, mine);
    free(all);
    free(places);
    return is_ready;
}

void roll_call_leave(const struct transport *transport, const struct stop *why)
{
    bool are_all = transport->is_given_up();
    while (!are_all) {
        size_t *places;
        char *all = word_share(transport, 0, why, true, &places);
        are_all = true;
        for (uint32_t rank = 0; rank < transport->count; rank++)
            are_all = are_all && word_read(all, places, rank).is_leaving;
        free(all);
        free(places);
    }
}
