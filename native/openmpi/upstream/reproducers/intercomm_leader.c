// The remote leader fails in the middle of MPI_Intercomm_create. Rank 3 plays it: it exchanges the sizes of the groups as Open MPI
// does, and with an argument also the lengths of the names, and fails.
// mpirun --with-ft ulfm --mca async_mpi_finalize 1 -n 4 ./intercomm_leader [names]
// Expected: "OK" three times. With the fault the processes of the other group crash (SIGFPE, SIGSEGV).
#include <mpi.h>

#include <mpi-ext.h> // after mpi.h

#include <signal.h>
#include <stdio.h>
#include <unistd.h>

#define TAG 7

static void exchange(int value) {
    int got;
    MPI_Sendrecv(&value, 1, MPI_INT, 0, TAG, &got, 1, MPI_INT, 0, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

int main(int argc, char **argv) {
    int rank;
    MPI_Comm group;
    MPI_Comm inter;
    MPI_Init(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_split(MPI_COMM_WORLD, rank == 3, 0, &group);
    MPI_Comm_set_errhandler(group, MPI_ERRORS_RETURN);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 3) {
        exchange(1);
        if (argc > 1) {
            exchange(100);
        }
        raise(SIGKILL);
    }
    int code = MPI_Intercomm_create(group, 0, MPI_COMM_WORLD, 3, TAG, &inter);
    printf(code != MPI_SUCCESS ? "OK\n" : "FAULT: an intercommunicator without a remote group\n");
    fflush(stdout);
    MPI_Finalize();
    return 0;
}
