/*
 * Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
 *
 * The public C API of FTI 1.6 (fti.h), declared by hand, so that the Java class org.kintsugi.bindings.FTI is there
 * where FTI is not. Types that only FTI's HDF5 mode knows are addresses here; two functions that pass a large structure
 * by value take its address instead, which is said at each. FTI's manual describes the functions; they are for the thread that
 * calls MPI. fti_calls.h passes each call to the library, and leave_call.h says how it is left if a process fails meanwhile:
 * it then returns FTI_NSCS, or NULL.
 */
#ifndef KINTSUGI_FTI_API_H
#define KINTSUGI_FTI_API_H

#include <mpi.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define FTI_BUFS 256
#define FTI_WORD 16
/* The result of FTI_Checkpoint and FTI_Snapshot when a checkpoint was written. */
#define FTI_DONE 1
#define FTI_SCES 0
#define FTI_NSCS -1
/* A checkpoint exists, but cannot be recovered. */
#define FTI_NREC -2
#define FTI_HEAD 2
#define FTI_SI_FAIL 0x4
#define FTI_SI_SCES 0x3
#define FTI_SI_ACTV 0x2
#define FTI_SI_PEND 0x1
#define FTI_SI_NINI 0x0

/* Set by FTI_Init; not valid before. */
extern MPI_Comm FTI_COMM_WORLD;
extern int FTI_CHAR;
extern int FTI_SHRT;
extern int FTI_INTG;
extern int FTI_LONG;
extern int FTI_UCHR;
extern int FTI_USHT;
extern int FTI_UINT;
extern int FTI_ULNG;
extern int FTI_SFLT;
extern int FTI_DBLE;
extern int FTI_LDBE;

int FTI_Init(const char *configFile, MPI_Comm globalComm);
int FTI_Status(void);
int FTI_InitGroup(void *h5group, const char *name, void *parent);
int FTI_RenameGroup(void *h5group, const char *name);
int FTI_Protect(int id, void *ptr, int64_t count, int tid);
/* attribute: the address of an FTIT_attribute (int ndims, int64_t count[32], char name[256]); flag: 1 name, 2 dim. */
int FTI_SetAttribute(int id, const void *attribute, int flag);
int FTI_DefineDataset(int id, int rank, void *dimLength, const char *name, void *h5group);
int FTI_DefineGlobalDataset(int id, int rank, void *dimLength, const char *name, void *h5group, int tid);
int FTI_AddSubset(int id, int rank, void *offset, void *count, int did);
int FTI_RecoverDatasetDimension(int did);
void *FTI_GetDatasetSpan(int did, int rank);
int FTI_GetDatasetRank(int did);
int FTI_UpdateGlobalDataset(int id, int rank, void *dimLength);
int FTI_UpdateSubset(int id, int rank, void *offset, void *count, int did);
int64_t FTI_GetStoredSize(int id);
void *FTI_Realloc(int id, void *ptr);
int FTI_BitFlip(int datasetID);
int FTI_Checkpoint(int id, int level);
int FTI_GetStageDir(char *stageDir, int maxLen);
int FTI_GetStageStatus(int ID);
int FTI_SendFile(const char *lpath, const char *rpath);
int FTI_Recover(void);
int FTI_Snapshot(void);
int FTI_Finalize(void);
int FTI_RecoverVar(int id);
int FTI_RecoverVarInit(void);
int FTI_RecoverVarFinalize(void);
int FTI_InitICP(int id, int level, bool activate);
int FTI_AddVarICP(int varID);
int FTI_FinalizeICP(void);
int FTI_setIDFromString(const char *name);
int FTI_getIDFromString(const char *name);
/* configuration: where the FTIT_allConfiguration goes that FTI returns, at most `bytes` of it. FTI_SCES or FTI_NSCS. */
int FTI_GetConfig(const char *configFile, MPI_Comm globalComm, void *configuration, int64_t bytes);
int FTI_InitType(int *type, int size);
int FTI_InitCompositeType(const char *name, size_t size, void *h5g);
int FTI_AddScalarField(int id, const char *name, int fid, int64_t offset);
int FTI_AddVectorField(int id, const char *name, int tid, int64_t offset, int ndims, void *dim_sizes);

#include "fti_calls.h"

#endif
