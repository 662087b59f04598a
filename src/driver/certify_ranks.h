/* A certificate of a distributed search: each rank writes the states that it owns, and the first one collects them. */
#ifndef NOETHER_DRIVER_CERTIFY_RANKS_H
#define NOETHER_DRIVER_CERTIFY_RANKS_H

#include "driver/certify_file.h"
#include "ranks/transport.h"

/* All ranks call it when the search is over, with the same result. The first one has all states afterwards, and *count
 * is how many; an error of one rank is one of all. */
void certify_gather(const struct transport *transport, struct certificate_file *file, uint64_t *count);

#endif
