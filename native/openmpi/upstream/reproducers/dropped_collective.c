// A process that does not know of a failure yet gathers, and then sends. The receiver knows of the failure.
// mpirun --with-ft ulfm --mca async_mpi_finalize 1 -n 3 ./dropped_collective
// Expected: "OK". With the fault the message never arrives: the part of the gather was dropped without counting it.
#include <mpi.h>

#include <mpi-ext.h> // after mpi.h

#include <signal.h>
#include <stdio.h>
#include <unistd.h>

int main(int argc, char **argv) {
    int rank;
    int value = 4711;
    int got = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 2) {
        sleep(1);
        raise(SIGKILL);
    } else if (rank == 0) {
        MPI_Recv(&got, 1, MPI_INT, 2, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE); // fails: now the failure is known here
        MPI_Recv(&got, 1, MPI_INT, 1, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        printf(got == value ? "OK\n" : "FAULT: got %d\n", got);
        fflush(stdout);
    } else {
        int parts[3];
        sleep(3); // outside of MPI: this process does not know of the failure
        MPI_Gather(&value, 1, MPI_INT, parts, 1, MPI_INT, 0, MPI_COMM_WORLD);
        MPI_Send(&value, 1, MPI_INT, 0, 7, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return rank == 0 && got != value;
}
