/* What is asked for on the command line, besides what stands in the model: cycles, and fairness. */
#ifndef NOETHER_LANG_PROMELA_ASKED_H
#define NOETHER_LANG_PROMELA_ASKED_H

#include "base/diag.h"

struct pml_asked {
    bool acceptance, progress; /* look for cycles, whether labels ask for that or not */
    bool ignores_labels;       /* labels do not ask for it */
    uint32_t processes;        /* room for so many where they are started without bound; 0: some */
    bool dies_anyhow;          /* a process that has ended disappears whatever its pid is */
    bool keeps_dead;           /* a process that has ended never disappears */
    bool keeps_loops;          /* every statement of a loop is a step, so that a trail of SPIN can be followed */
    bool is_weak, is_strong;   /* only runs that are fair to processes count */
};

#define PML_NO_ACCEPTANCE "no acceptance cycle"
#define PML_NO_NONPROGRESS "no non-progress cycle"

/* The text has a line for each thing (NULL: none); what cannot be asked for is reported. */
struct pml_asked pml_asked_read(const struct source *text, struct diagnostics *diagnostics);

#endif
