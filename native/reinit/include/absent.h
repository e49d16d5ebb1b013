/*
 * Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
 *
 * Names in mpi.h of Open MPI 5 that the fork (Open MPI 4.0) lacks, so that the same Java classes fit both. A function that
 * is missing returns MPI_ERR_UNSUPPORTED_OPERATION; a handle that is missing is null.
 */
#ifndef KINTSUGI_ABSENT_H
#define KINTSUGI_ABSENT_H

#include <string.h>

template <typename... Arguments> inline int kintsugi_absent(Arguments...) {
    return MPI_ERR_UNSUPPORTED_OPERATION;
}

typedef struct kintsugi_absent_session *MPI_Session;
typedef void(MPI_Session_errhandler_function)(MPI_Session *, int *, ...);
typedef struct kintsugi_absent_status MPI_F08_status;
__attribute__((unused)) static MPI_Fint *MPI_F08_STATUS_IGNORE;
__attribute__((unused)) static MPI_Fint *MPI_F08_STATUSES_IGNORE;
#define MPI_SESSION_NULL ((MPI_Session)NULL)
#define MPI_ERRORS_ABORT MPI_ERRORS_ARE_FATAL

/* Names of MPI-1 that the fork's mpi.h declares, but its library does not define. */
#define OMPI_C_MPI_DUP_FN OMPI_C_MPI_COMM_DUP_FN
#define OMPI_C_MPI_NULL_COPY_FN OMPI_C_MPI_COMM_NULL_COPY_FN
#define OMPI_C_MPI_NULL_DELETE_FN OMPI_C_MPI_COMM_NULL_DELETE_FN
#define MPI_Attr_delete MPI_Comm_delete_attr
#define MPI_Attr_get MPI_Comm_get_attr
#define MPI_Attr_put MPI_Comm_set_attr
#define MPI_Keyval_create MPI_Comm_create_keyval
#define MPI_Keyval_free MPI_Comm_free_keyval

/* Persistent collectives. */
#define MPI_Allgather_init(...) kintsugi_absent(__VA_ARGS__)
#define MPI_Allgatherv_init(...) kintsugi_absent(__VA_ARGS__)
#define MPI_Allreduce_init(...) kintsugi_absent(__VA_ARGS__)
#define MPI_Alltoall_init(...) kintsugi_absent(__VA_ARGS__)
#define MPI_Alltoallv_init(...) kintsugi_absent(__VA_ARGS__)
#define MPI_Alltoallw_init(...) kintsugi_absent(__VA_ARGS__)
#define MPI_Barrier_init(...) kintsugi_absent(__VA_ARGS__)
#define MPI_Bcast_init(...) kintsugi_absent(__VA_ARGS__)
#define MPI_Exscan_init(...) kintsugi_absent(__VA_ARGS__)
#define MPI_Gather_init(...) kintsugi_absent(__VA_ARGS__)
#define MPI_Gatherv_init(...) kintsugi_absent(__VA_ARGS__)
#define MPI_Neighbor_allgather_init(...) kintsugi_absent(__VA_ARGS__)
#define MPI_Neighbor_allgatherv_init(...) kintsugi_absent(__VA_ARGS__)
#define MPI_Neighbor_alltoall_init(...) kintsugi_absent(__VA_ARGS__)
#define MPI_Neighbor_alltoallv_init(...) kintsugi_absent(__VA_ARGS__)
#define MPI_Neighbor_alltoallw_init(...) kintsugi_absent(__VA_ARGS__)
#define MPI_Reduce_init(...) kintsugi_absent(__VA_ARGS__)
#define MPI_Reduce_scatter_block_init(...) kintsugi_absent(__VA_ARGS__)
#define MPI_Reduce_scatter_init(...) kintsugi_absent(__VA_ARGS__)
#define MPI_Scan_init(...) kintsugi_absent(__VA_ARGS__)
#define MPI_Scatter_init(...) kintsugi_absent(__VA_ARGS__)
#define MPI_Scatterv_init(...) kintsugi_absent(__VA_ARGS__)

/* Partitioned and combined messages. */
#define MPI_Isendrecv(...) kintsugi_absent(__VA_ARGS__)
#define MPI_Isendrecv_replace(...) kintsugi_absent(__VA_ARGS__)
#define MPI_Parrived(...) kintsugi_absent(__VA_ARGS__)
#define MPI_Pready(...) kintsugi_absent(__VA_ARGS__)
#define MPI_Pready_list(...) kintsugi_absent(__VA_ARGS__)
#define MPI_Pready_range(...) kintsugi_absent(__VA_ARGS__)
#define MPI_Precv_init(...) kintsugi_absent(__VA_ARGS__)
#define MPI_Psend_init(...) kintsugi_absent(__VA_ARGS__)

/* Sessions. */
#define MPI_Comm_create_from_group(...) kintsugi_absent(__VA_ARGS__)
#define MPI_Group_from_session_pset(...) kintsugi_absent(__VA_ARGS__)
#define MPI_Intercomm_create_from_groups(...) kintsugi_absent(__VA_ARGS__)
#define MPI_Session_call_errhandler(...) kintsugi_absent(__VA_ARGS__)
#define MPI_Session_create_errhandler(...) kintsugi_absent(__VA_ARGS__)
#define MPI_Session_finalize(...) kintsugi_absent(__VA_ARGS__)
#define MPI_Session_get_errhandler(...) kintsugi_absent(__VA_ARGS__)
#define MPI_Session_get_info(...) kintsugi_absent(__VA_ARGS__)
#define MPI_Session_get_nth_pset(...) kintsugi_absent(__VA_ARGS__)
#define MPI_Session_get_num_psets(...) kintsugi_absent(__VA_ARGS__)
#define MPI_Session_get_pset_info(...) kintsugi_absent(__VA_ARGS__)
#define MPI_Session_init(...) kintsugi_absent(__VA_ARGS__)
#define MPI_Session_set_errhandler(...) kintsugi_absent(__VA_ARGS__)
#define MPI_Session_set_info(...) kintsugi_absent(__VA_ARGS__)
#define MPI_Session_c2f(session) ((MPI_Fint)0)
#define MPI_Session_f2c(session) MPI_SESSION_NULL

/* The rest. */
#define MPI_Comm_idup_with_info(...) kintsugi_absent(__VA_ARGS__)
#define MPI_Info_create_env(...) kintsugi_absent(__VA_ARGS__)
#define MPI_Status_c2f08(...) kintsugi_absent(__VA_ARGS__)
#define MPI_Status_f082c(...) kintsugi_absent(__VA_ARGS__)
#define MPI_Status_f082f(...) kintsugi_absent(__VA_ARGS__)
#define MPI_Status_f2f08(...) kintsugi_absent(__VA_ARGS__)

/* Replaces MPI_Info_get: the length comes in with the room, the ending zero counted, and goes out with the need. */
static inline int kintsugi_info_get_string(MPI_Info info, const char *key, int *length, char *value, int *flag) {
    int room = *length;
    int needed = 0;
    int code = MPI_Info_get_valuelen(info, key, &needed, flag);
    if (code == MPI_SUCCESS && *flag) {
        *length = needed + 1;
        code = room > 0 ? MPI_Info_get(info, key, room - 1, value, flag) : MPI_SUCCESS;
    }
    return code;
}
#define MPI_Info_get_string(info, key, length, value, flag) kintsugi_info_get_string(info, key, length, value, flag)

#endif
