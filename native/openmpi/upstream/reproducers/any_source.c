// A receive from any source is matched, and its message arrives, while a third process fails.
// mpirun --with-ft ulfm --mca async_mpi_finalize 1 --mca btl self,tcp -n 3 ./any_source
// Expected: "OK". With the fault the wait returns MPI_ERR_PROC_FAILED, and the message is lost.
#include <mpi.h>

#include <mpi-ext.h> // after mpi.h

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define LENGTH (1 << 20)

int main(int argc, char **argv) {
    int rank;
    int *data = calloc(LENGTH, sizeof(int));
    MPI_Init(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 2) {
        sleep(3);
        raise(SIGKILL);
    } else if (rank == 1) {
        MPI_Request request;
        for (int i = 0; i < LENGTH; i++) {
            data[i] = 4711;
        }
        MPI_Isend(data, LENGTH, MPI_INT, 0, 7, MPI_COMM_WORLD, &request);
        sleep(5); // outside of MPI: the message is matched, and its data waits for this process
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    } else {
        MPI_Request request;
        MPI_Probe(1, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Irecv(data, LENGTH, MPI_INT, MPI_ANY_SOURCE, 7, MPI_COMM_WORLD, &request);
        int code = MPI_Wait(&request, MPI_STATUS_IGNORE);
        if (code != MPI_SUCCESS || data[LENGTH - 1] != 4711) {
            printf("FAULT: the receive returned %d\n", code);
            fflush(stdout);
            MPI_Abort(MPI_COMM_WORLD, 1);
        }
        printf("OK\n");
    }
    MPI_Finalize();
    return 0;
}
