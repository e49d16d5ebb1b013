// Processes fail at random moments while all create communicators. The others revoke, shrink, and continue.
// mpirun --with-ft ulfm --mca async_mpi_finalize 1 -n 6 ./kills_in_dup SEED (repeat with other seeds)
// Expected: "OK". With the faults about one of five jobs hangs, or reports another error class than a failure's.
#include <mpi.h>

#include <mpi-ext.h> // after mpi.h

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/time.h>
#include <unistd.h>

static void die(int signal) {
    (void)signal;
    raise(SIGKILL);
}

static void die_within(long micros) {
    struct itimerval timer = {{0, 0}, {0, micros + 1}};
    signal(SIGALRM, die);
    setitimer(ITIMER_REAL, &timer, NULL);
}

static void check(int code) {
    int class = 0;
    if (code != MPI_SUCCESS) {
        MPI_Error_class(code, &class);
        if (class != MPIX_ERR_PROC_FAILED && class != MPIX_ERR_REVOKED && class != MPIX_ERR_PROC_FAILED_PENDING) {
            printf("FAULT: error class %d\n", class);
            fflush(stdout);
            MPI_Abort(MPI_COMM_WORLD, 1);
        }
    }
}

static int create(MPI_Comm world) {
    MPI_Comm copy = MPI_COMM_NULL;
    MPI_Comm part = MPI_COMM_NULL;
    int rank;
    MPI_Comm_rank(world, &rank);
    int code = MPI_Comm_dup(world, &copy);
    check(code);
    if (code == MPI_SUCCESS) {
        code = MPI_Comm_split(copy, rank % 2, 0, &part);
        check(code);
    }
    if (code == MPI_SUCCESS) {
        code = MPI_Barrier(part);
        check(code);
    }
    if (code != MPI_SUCCESS) {
        MPIX_Comm_revoke(world);
        if (copy != MPI_COMM_NULL) {
            MPIX_Comm_revoke(copy);
        }
    }
    if (part != MPI_COMM_NULL) {
        MPI_Comm_free(&part);
    }
    if (copy != MPI_COMM_NULL) {
        MPI_Comm_free(&copy);
    }
    return code;
}

int main(int argc, char **argv) {
    int rank;
    int size;
    MPI_Comm world;
    MPI_Init(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_dup(MPI_COMM_WORLD, &world);
    srand(argc > 1 ? atoi(argv[1]) : 1);
    MPI_Comm_size(world, &size);
    while (size > 2) {
        int victim = rand() % size;
        long moment = rand() % 8000;
        MPI_Comm next;
        MPI_Comm_rank(world, &rank);
        if (rank == victim) {
            die_within(moment);
        }
        while (create(world) == MPI_SUCCESS) {
        }
        check(MPIX_Comm_shrink(world, &next));
        MPI_Comm_free(&world);
        world = next;
        MPI_Comm_set_errhandler(world, MPI_ERRORS_RETURN);
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
