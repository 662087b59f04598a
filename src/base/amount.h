/* Numbers with units, as users write them: "512M", "10m", "0.5". False when the text is no such number. */
#ifndef NOETHER_BASE_AMOUNT_H
#define NOETHER_BASE_AMOUNT_H

#include <stdbool.h>
#include <stdint.h>

bool amount_size(const char *text, uint64_t *bytes);
bool amount_time(const char *text, double *seconds);
bool amount_count(const char *text, uint64_t *count);
/* Between 0 and 1, and neither. */
bool amount_share(const char *text, double *share);

#endif
