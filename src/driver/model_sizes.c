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

static bool has_sizes(const struct system *system, const uint32_t *sizes)
{
    for (size_t i = 0; i < system->sized.count; i++)
        if (system->sized.items[i].type->size != sizes[i])
            return false;
    return true;
}

static const struct layout *sizes_with(void *user, const uint32_t *wanted)
{
    struct model_sizes *sizes = user;
    if (has_sizes(sizes->model->system, wanted))
        return sizes->model->layout;
    for (size_t i = 0; i < sizes->members.count; i++)
        if (has_sizes(sizes->members.items[i].system, wanted))
            return sizes->members.items[i].layout;
    struct system *system = model_with_sizes(sizes->model, wanted);
    if (!system)
        return NULL;
    struct member member = {system, layout_create(system), NULL};
    VEC_PUSH(&sizes->members, member);
    return member.layout;
}

static const struct symmetry *sizes_symmetry_at(void *user, const struct system *system)
{
    return sizes_symmetry(user, system);
}

struct model_sizes *sizes_create(const struct model *model)
{
    struct model_sizes *sizes = memory_zeroed(1, sizeof *sizes);
    sizes->model = model;
    sizes->interface = (struct sizes){sizes_at, sizes_with, sizes_symmetry_at, sizes};
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
