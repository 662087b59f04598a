/* The transport on MPI: the module noether-mpi.so, the only file that knows MPI. */
#include <limits.h>
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

#include "ranks/transport.h"

/* The module has one connection, as MPI has. What is on its way: */
struct mpi_sending {
    MPI_Request request;
    void *bytes;
    struct mpi_sending *next;
};

static struct {
    struct transport transport;
    struct mpi_sending *sendings;
    MPI_Request barrier;
    bool is_given_up;
} mpi;

static void *mpi_alloc(size_t size)
{
    void *bytes = malloc(size ? size : 1);
    if (!bytes)
        MPI_Abort(MPI_COMM_WORLD, 3);
    return bytes;
}

/* Messages that have been sent are forgotten. */
static void mpi_forget(void)
{
    for (struct mpi_sending **at = &mpi.sendings; *at;) {
        struct mpi_sending *sending = *at;
        int is_done = 0;
        MPI_Test(&sending->request, &is_done, MPI_STATUS_IGNORE);
        if (!is_done) {
            at = &sending->next;
            continue;
        }
        *at = sending->next;
        free(sending->bytes);
        free(sending);
    }
}

static void mpi_send(uint32_t to, int kind, const void *bytes, size_t size)
{
    struct mpi_sending *sending = mpi_alloc(sizeof *sending);
    sending->bytes = mpi_alloc(size);
    if (size)
        memcpy(sending->bytes, bytes, size);
    sending->next = mpi.sendings;
    mpi.sendings = sending;
    MPI_Isend(sending->bytes, (int)size, MPI_BYTE, (int)to, kind, MPI_COMM_WORLD, &sending->request);
    mpi_forget();
}

static bool mpi_receive(struct rank_message *message)
{
    int has_come = 0, size = 0;
    MPI_Status status;
    if (mpi.sendings)
        mpi_forget();
    MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &has_come, &status);
    if (!has_come)
        return false;
    MPI_Get_count(&status, MPI_BYTE, &size);
    *message =
        (struct rank_message){(uint32_t)status.MPI_SOURCE, status.MPI_TAG, mpi_alloc((size_t)size), (size_t)size};
    MPI_Recv(message->bytes, size, MPI_BYTE, status.MPI_SOURCE, status.MPI_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return true;
}

static void mpi_begin_barrier(void)
{
    MPI_Ibarrier(MPI_COMM_WORLD, &mpi.barrier);
}

static bool mpi_is_barrier_over(void)
{
    int is_over = 0;
    MPI_Test(&mpi.barrier, &is_over, MPI_STATUS_IGNORE);
    return is_over;
}

/* MPI counts in int: what ranks share is small. */
static void *mpi_share(const void *mine, size_t size, size_t **places)
{
    uint32_t count = mpi.transport.count;
    int *sizes = mpi_alloc(count * sizeof *sizes), *begins = mpi_alloc(count * sizeof *begins), own = (int)size;
    size_t *at = mpi_alloc((count + 1) * sizeof *at);
    if (size > INT_MAX)
        MPI_Abort(MPI_COMM_WORLD, 3);
    MPI_Allgather(&own, 1, MPI_INT, sizes, 1, MPI_INT, MPI_COMM_WORLD);
    at[0] = 0;
    for (uint32_t i = 0; i < count; i++)
        at[i + 1] = at[i] + (size_t)sizes[i];
    if (at[count] > INT_MAX)
        MPI_Abort(MPI_COMM_WORLD, 3);
    for (uint32_t i = 0; i < count; i++)
        begins[i] = (int)at[i];
    void *all = mpi_alloc(at[count]);
    MPI_Allgatherv(mine, own, MPI_BYTE, all, sizes, begins, MPI_BYTE, MPI_COMM_WORLD);
    free(sizes);
    free(begins);
    *places = at;
    return all;
}

static void mpi_give_up(void)
{
    mpi.is_given_up = true;
}

static bool mpi_is_given_up(void)
{
    return mpi.is_given_up;
}

/* MPI cannot be ended without the rank that is lost. */
static void mpi_finish(void)
{
    if (mpi.is_given_up)
        return;
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
}

static uint32_t mpi_count_neighbours(void)
{
    MPI_Comm machine;
    int count = 1;
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &machine);
    MPI_Comm_size(machine, &count);
    MPI_Comm_free(&machine);
    return (uint32_t)count;
}

__attribute__((visibility("default"))) transport_function noether_transport;

const struct transport *noether_transport(int version)
{
    int provided = 0, rank = 0, count = 1;
    if (version != TRANSPORT_VERSION || MPI_Init_thread(NULL, NULL, MPI_THREAD_SERIALIZED, &provided) != MPI_SUCCESS ||
        provided < MPI_THREAD_SERIALIZED)
        return NULL;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &count);
    mpi.transport = (struct transport){
        .rank = (uint32_t)rank,
        .count = (uint32_t)count,
        .neighbours = mpi_count_neighbours(),
        .send = mpi_send,
        .receive = mpi_receive,
        .begin_barrier = mpi_begin_barrier,
        .is_barrier_over = mpi_is_barrier_over,
        .share = mpi_share,
        .give_up = mpi_give_up,
        .is_given_up = mpi_is_given_up,
        .finish = mpi_finish,
    };
    return &mpi.transport;
}
