#include "driver/model_sizes.h"

#include "base/vec.h"

struct member {
    struct system *system;
    struct layout *layout;
    struct symmetry *symmetry; /* NULL: not asked for yet */
};

struct model_sizes {
    const struct model *model;
    struct sizes interface;
    VEC(struct member) members;
};

static const struct layout *sizes_at(void *user, uint32_t size)
{
    struct model_sizes *sizes = user;
    if (sizes->model->system->population->size == size)
        return sizes->model->layout;
    for (size_t i = 0; i < sizes->members.count; i++)
        if (sizes->members.items[i].system->population->size == size)
            return sizes->members.items[i].layout;
    struct system *system = model_resize(sizes->model, size);
    if (!system)
        return NULL;
    struct member member = {system, layout_create(system), NULL};
    VEC_PUSH(&sizes->members, member);
    return member.layout;
}

struct model_sizes *sizes_create(const struct model *model)
{
    struct model_sizes *sizes = memory_zeroed(1, sizeof *sizes);
    sizes->model = model;
    sizes->interface = (struct sizes){sizes_at, sizes};
    return sizes;
}

void sizes_destroy(struct model_sizes *sizes)
{
    for (size_t i = 0; sizes && i < sizes->members.count; i++) {
        symmetry_destroy(sizes->members.items[i].symmetry);
        layout_destroy(sizes->members.items[i].layout);
        system_destroy(sizes->members.items[i].system);
    }
    if (sizes)
        VEC_FREE(&sizes->members);
    free(sizes);
}

const struct sizes *sizes_interface(const struct model_sizes *sizes)
{
    return &sizes->interface;
}

static struct member *sizes_member(const struct model_sizes *sizes, const struct system *system)
{
    for (size_t i = 0; i < sizes->members.count; i++)
        if (sizes->members.items[i].system == system)
            return &sizes->members.items[i];
    return NULL;
}

const struct layout *sizes_layout(const struct model_sizes *sizes, const struct system *system)
{
    const struct member *member = sizes_member(sizes, system);
    return member ? member->layout : sizes->model->layout;
}

const struct symmetry *sizes_symmetry(struct model_sizes *sizes, const struct system *system)
{
    struct member *member = sizes_member(sizes, system);
    if (member && !member->symmetry)
        member->symmetry = symmetry_find(system);
    return member ? member->symmetry : NULL;
}
