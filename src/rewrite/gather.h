/* A copy of a system in which variables that may play the same part, as the locals of processes that are written out
 * one by one, are the elements of an array. The array is indexed by an enumeration of the variables, so detection
 * (detect/detect.h) can exchange them as it exchanges the elements of any other enumeration.
 *
 * The copy means the same: the same rules, instances and properties, the same values. Only its cells may stand in
 * another order (system->original_cells). Elements keep the names of the variables (variable->element_names).
 *
 * The copy refers to the types and names of the original, which must outlive it. */
#ifndef NOETHER_REWRITE_GATHER_H
#define NOETHER_REWRITE_GATHER_H

#include "ir/system.h"

#define GATHER_NONE UINT32_MAX

/* `class_of`: by position of the global variable, its array (below `class_count`) or GATHER_NONE. The variables of an
 * array have one type. NULL: a type would be too large. The caller destroys the copy. */
struct system *gather_system(const struct system *system, const uint32_t *class_of, uint32_t class_count);
/* May the variable be gathered? Not if engines know it by its role (the holder of an atomic step). */
bool gather_takes(const struct system *system, const struct variable *variable);

#endif
