// A process fails up to 4 ms after it has entered MPI_Finalize.
// mpirun --with-ft ulfm --mca async_mpi_finalize 1 -n 4 ./failure_in_finalize SEED (repeat with other seeds)
// Expected: "OK" three times. With the fault MPI_Finalize returns an error in the others, or hangs.
#include <mpi.h>

#include <mpi-ext.h> // after mpi.h

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/time.h>

static void die(int signal) {
    (void)signal;
    raise(SIGKILL);
}

int main(int argc, char **argv) {
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    srand(argc > 1 ? atoi(argv[1]) : 1);
    struct itimerval timer = {{0, 0}, {0, 1 + rand() % 4000}};
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 3) {
        signal(SIGALRM, die);
        setitimer(ITIMER_REAL, &timer, NULL);
    }
    int code = MPI_Finalize();
    printf(code == MPI_SUCCESS ? "OK\n" : "FAULT: MPI_Finalize returned %d\n", code);
    return code != MPI_SUCCESS;
}
