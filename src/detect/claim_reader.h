/* Private to detect_claims*.c: reads permutations that the user gives. */
#ifndef NOETHER_DETECT_CLAIM_READER_H
#define NOETHER_DETECT_CLAIM_READER_H

#include "base/words.h"
#include "detect/detecting.h"

enum { MOST_TYPES = 16 }; /* whose elements one permutation moves */

/* A place in the text. A line of a JSON answer is a string in it. */
struct claim_reader {
    const struct detecting *d;
    const struct source *source;
    struct diagnostics *refused;
    const char *line, *at, *end; /* the line begins at `line`; the text of this claim ends at `end` */
    uint32_t number;
    char **names; /* by carrier, as it is printed */
    uint32_t types[MOST_TYPES], type_count;
    struct permutation_claim claim;
    struct words met; /* elements of the claim so far: carrier, ordinal */
    bool is_wrong;
};

/* Reports an error at `length` bytes from `at`. Returns false. */
bool claim_refuse(struct claim_reader *r, const char *at, size_t length, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
/* Adds a hint to the last error. */
void claim_hint(struct claim_reader *r, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Adds the types with the name at this place whose elements can be permuted: several may have none of their own (1..4).
 */
bool claim_take_types(struct claim_reader *r);
/* The cycles up to the end of the claim. */
bool claim_read_cycles(struct claim_reader *r, struct claims *claims);
const char *claim_line_end(const struct source *source, const char *at);
/* All of a JSON answer (detect_claims_json.c). */
void claims_read_json(struct claim_reader *r, struct claims *claims);

#endif
