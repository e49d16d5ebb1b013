// A process that has created more communicators takes part in one agreement. Later ones are made without it.
// mpirun --with-ft ulfm --mca async_mpi_finalize 1 -n 4 ./epoch_twice
// Expected: "OK" three times. With the fault an agreement returns the result of the first one, and its parent waits forever.
#include <mpi.h>

#include <mpi-ext.h> // after mpi.h

#include <stdio.h>
#include <unistd.h>

#define AHEAD 10

int main(int argc, char **argv) {
    int rank;
    int flag = 1;
    MPI_Comm rest;
    MPI_Comm first;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_split(MPI_COMM_WORLD, rank == 0 ? MPI_UNDEFINED : 0, rank, &rest);
    for (int i = 0; rank == 0 && i < AHEAD; i++) {
        MPI_Comm own;
        MPI_Comm_dup(MPI_COMM_SELF, &own);
        MPI_Comm_free(&own);
    }
    MPI_Comm_dup(MPI_COMM_WORLD, &first);
    MPIX_Comm_agree(first, &flag);
    MPI_Comm_free(&first);
    for (int i = 0; rank != 0 && i < 2 * AHEAD; i++) {
        MPI_Comm next;
        MPI_Comm_dup(rest, &next);
        MPI_Barrier(next);
        for (int look = 0; rank == 1 && look < 20;
             look++) { // rank 1 is late, and gets the messages of the others before
            int found;
            MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, next, &found, MPI_STATUS_IGNORE);
            usleep(1000);
        }
        flag = 2;
        MPIX_Comm_agree(next, &flag);
        if (flag != 2) {
            printf("FAULT: rank %d agreed on %d, and all have proposed 2\n", rank, flag);
            fflush(stdout);
            MPI_Abort(MPI_COMM_WORLD, 1);
        }
        MPI_Comm_free(&next);
    }
    if (rank != 0) {
        printf("OK\n");
        fflush(stdout);
        MPI_Comm_free(&rest);
    }
    MPI_Finalize();
    return 0;
}
