// A communicator is revoked while a message arrives on it. The receive cannot be cancelled and has to keep its buffer, also
// if another request of the same MPI_Waitall fails.
// mpirun --with-ft ulfm --mca async_mpi_finalize 1 --mca btl self,tcp -n 3 ./revoked_receive
// Expected: "OK". With the fault the buffer is written to after MPI_Waitall, or the job ends with "Recv error after request freed".
#include <mpi.h>

#include <mpi-ext.h> // after mpi.h

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define LENGTH (1 << 22)

int main(int argc, char **argv) {
    int rank;
    int wrong = 0;
    int *data = calloc(LENGTH, sizeof(int));
    MPI_Comm comm;
    MPI_Init(&argc, &argv);
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_rank(comm, &rank);
    MPI_Barrier(comm);
    if (rank == 2) {
        sleep(3);
        raise(SIGKILL);
    } else if (rank == 1) {
        MPI_Request request;
        for (int i = 0; i < LENGTH; i++) {
            data[i] = 1;
        }
        MPI_Isend(data, LENGTH, MPI_INT, 0, 7, comm, &request);
        sleep(6); // outside of MPI: the message is matched, and its data waits for this process
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    } else {
        MPI_Request requests[2];
        int never;
        MPI_Probe(1, 7, comm, MPI_STATUS_IGNORE);
        MPI_Irecv(data, LENGTH, MPI_INT, 1, 7, comm, &requests[0]);
        MPI_Irecv(&never, 1, MPI_INT, 2, 8, comm, &requests[1]);
        sleep(4);
        MPIX_Comm_revoke(comm);
        MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
        if (requests[0] == MPI_REQUEST_NULL) { // the buffer belongs to the program again
            for (int i = 0; i < LENGTH; i++) {
                data[i] = 2;
            }
            for (double end = MPI_Wtime() + 4; MPI_Wtime() < end;) {
                int flag;
                MPI_Iprobe(0, 9, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
            }
            for (int i = 0; i < LENGTH; i++) {
                wrong += data[i] != 2;
            }
        }
        printf(wrong ? "FAULT: %d elements were overwritten\n" : "OK\n", wrong);
        fflush(stdout);
    }
    MPI_Finalize();
    return wrong > 0;
}
