// Processes fail while all send each other long messages, with MPI_THREAD_MULTIPLE. The others revoke, shrink, and continue.
// mpirun --with-ft ulfm --mca async_mpi_finalize 1 --mca btl self,tcp -n 6 ./traffic SEED (repeat with other seeds)
// Expected: "OK". With the faults jobs crash or hang, or buffers are written to after their requests have ended.
#include <mpi.h>

#include <mpi-ext.h> // after mpi.h

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

#define LENGTH 480000
#define RANKS 16

static char out[LENGTH];
static char in[RANKS][LENGTH];

static void die(int signal) {
    (void)signal;
    raise(SIGKILL);
}

// Returns whether all has arrived.
static int exchange(MPI_Comm world, int rank, int size) {
    MPI_Request requests[2 * RANKS];
    int count = 0;
    int code = MPI_SUCCESS;
    for (int i = 0; i < size; i++) {
        if (i != rank) {
            MPI_Irecv(in[i], LENGTH, MPI_CHAR, i, 1, world, &requests[count++]);
            MPI_Isend(out, LENGTH, MPI_CHAR, i, 1, world, &requests[count++]);
        }
    }
    for (int i = 0; i < count; i++) {
        int each = MPI_Wait(&requests[i], MPI_STATUS_IGNORE);
        if (each != MPI_SUCCESS && code == MPI_SUCCESS) {
            code = each;
            MPIX_Comm_revoke(world);
        }
    }
    return code == MPI_SUCCESS;
}

int main(int argc, char **argv) {
    int rank;
    int size;
    int provided;
    MPI_Comm world;
    signal(SIGPIPE, SIG_IGN); // else Open MPI ends by it if it writes to the connection of a failed process
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    MPI_Comm_dup(MPI_COMM_WORLD, &world);
    srand(argc > 1 ? atoi(argv[1]) : 1);
    MPI_Comm_size(world, &size);
    while (size > 2) {
        int victim = rand() % size;
        struct itimerval timer = {{0, 0}, {0, 1 + rand() % 100000}};
        MPI_Comm next;
        MPI_Comm_rank(world, &rank);
        if (rank == victim) {
            signal(SIGALRM, die);
            setitimer(ITIMER_REAL, &timer, NULL);
        }
        while (exchange(world, rank, size)) {
        }
        memset(in, 5, sizeof(in)); // all requests have ended
        MPIX_Comm_shrink(world, &next);
        MPI_Comm_free(&world);
        world = next;
        MPI_Comm_set_errhandler(world, MPI_ERRORS_RETURN);
        MPI_Barrier(world);
        usleep(100000);
        for (int i = 0; i < RANKS; i++) {
            for (int k = 0; k < LENGTH; k++) {
                if (in[i][k] != 5) {
                    printf("FAULT: a buffer was written to after its request had ended\n");
                    fflush(stdout);
                    MPI_Abort(MPI_COMM_WORLD, 1);
                }
            }
        }
        MPI_Comm_size(world, &size);
    }
    MPI_Comm_rank(world, &rank);
    if (rank == 0) {
        printf("OK\n");
        fflush(stdout);
    }
    sleep(1);
    _exit(0); // this is not about MPI_Finalize
}
