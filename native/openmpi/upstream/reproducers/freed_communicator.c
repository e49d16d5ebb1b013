// All processes revoke and free a communicator on which a long message is under way, and wait for the message.
// mpirun --with-ft ulfm --mca async_mpi_finalize 1 -n 4 ./freed_communicator
// Expected: "OK". With the fault MPI_Wait never returns: the receiver does not answer for a communicator that it has freed.
#include <mpi.h>

#include <mpi-ext.h> // after mpi.h

#include <stdio.h>
#include <stdlib.h>

#define LENGTH 100000

int main(int argc, char **argv) {
    int rank;
    int size;
    double *data = calloc(LENGTH, sizeof(double));
    MPI_Init(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int round = 0; round < 100; round++) {
        MPI_Comm comm;
        MPI_Request request;
        MPI_Comm_dup(MPI_COMM_WORLD, &comm);
        MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
        int code = MPI_Isend(data, LENGTH, MPI_DOUBLE, (rank + 1) % size, 1, comm, &request);
        MPIX_Comm_revoke(comm);
        MPI_Comm_free(&comm);
        if (code == MPI_SUCCESS) {
            MPI_Wait(&request, MPI_STATUS_IGNORE); // returns MPI_ERR_REVOKED
        }
        MPI_Barrier(MPI_COMM_WORLD);
    }
    if (rank == 0) {
        printf("OK\n");
        fflush(stdout);
    }
    MPI_Finalize();
    return 0;
}
