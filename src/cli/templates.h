/* Inside cli/: the models that noether init writes; their texts are the files in templates/. */
#ifndef NOETHER_CLI_TEMPLATES_H
#define NOETHER_CLI_TEMPLATES_H

extern const char template_murphi_m[], template_prism_prism[], template_prism_props[], template_promela_pml[],
    template_boolean_bp[];

#endif
