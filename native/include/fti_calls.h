/*
 * Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
 *
 * Each function and variable of fti_api.h as a macro of the same name. The macro finds it in the instance of FTI's library that
 * kintsugi_fti_use has selected, and calls it by kintsugi_fti_run. Not parsed by JavaCPP; C++ only. A function that does not
 * exist, or was left, returns FTI_NSCS (an address: null); a variable that does not exist is 0.
 */
#ifndef KINTSUGI_FTI_CALLS_H
#define KINTSUGI_FTI_CALLS_H

#include "fti_guard.h"

#include <string.h>

template <typename Result> struct kintsugi_fti_failed {
    static Result value() {
        return (Result)FTI_NSCS;
    }
};

template <typename Object> struct kintsugi_fti_failed<Object *> {
    static Object *value() {
        return NULL;
    }
};

template <typename Signature> struct kintsugi_fti;

template <typename Result, typename... Parameters> struct kintsugi_fti<Result(Parameters...)> {
    static Result call(const char *name, Parameters... arguments) {
        Result (*function)(Parameters...) = (Result(*)(Parameters...))kintsugi_fti_symbol(name);
        Result result = kintsugi_fti_failed<Result>::value();
        if (function != nullptr) {
            auto body = [&] { result = function(arguments...); };
            kintsugi_fti_run([](void *closure) { (*(decltype(body) *)closure)(); }, &body);
        }
        return result;
    }
};

/* As large as any FTIT_allConfiguration: FTI returns it in memory of the caller, and writes no more than it has. */
struct kintsugi_fti_configuration {
    char bytes[256 * 1024];
};

struct kintsugi_fti_attribute {
    int ndims;
    int64_t count[32];
    char name[256];
};

static inline int kintsugi_fti_set_attribute(int id, const void *attribute, int flag) {
    kintsugi_fti_attribute value;
    memcpy(&value, attribute, sizeof value);
    return kintsugi_fti<int(int, kintsugi_fti_attribute, int)>::call("FTI_SetAttribute", id, value, flag);
}

static inline int kintsugi_fti_get_config(const char *file, MPI_Comm comm, void *configuration, int64_t bytes) {
    typedef kintsugi_fti_configuration function_type(const char *, MPI_Comm);
    function_type *function = (function_type *)kintsugi_fti_symbol("FTI_GetConfig");
    int64_t size = kintsugi_fti_size("FTI_Conf") + kintsugi_fti_size("FTI_Exec") + kintsugi_fti_size("FTI_Topo") +
                   kintsugi_fti_size("FTI_Ckpt") + kintsugi_fti_size("FTI_Inje");
    int result = FTI_NSCS;
    if (function != nullptr && size < (int64_t)sizeof(kintsugi_fti_configuration)) {
        auto body = [&] {
            kintsugi_fti_configuration all = function(file, comm);
            memcpy(configuration, &all, bytes < size ? bytes : size);
            result = FTI_SCES;
        };
        kintsugi_fti_run([](void *closure) { (*(decltype(body) *)closure)(); }, &body);
    }
    return result;
}

static inline void *kintsugi_fti_variable(const char *name) {
    static thread_local int64_t absent;
    void *variable = kintsugi_fti_symbol(name);
    return variable != nullptr ? variable : (absent = 0, &absent);
}

#define KINTSUGI_FTI(function, ...) kintsugi_fti<decltype(function)>::call(#function, ##__VA_ARGS__)

#define FTI_COMM_WORLD (*(MPI_Comm *)kintsugi_fti_variable("FTI_COMM_WORLD"))
#define FTI_CHAR (*(int *)kintsugi_fti_variable("FTI_CHAR"))
#define FTI_SHRT (*(int *)kintsugi_fti_variable("FTI_SHRT"))
#define FTI_INTG (*(int *)kintsugi_fti_variable("FTI_INTG"))
#define FTI_LONG (*(int *)kintsugi_fti_variable("FTI_LONG"))
#define FTI_UCHR (*(int *)kintsugi_fti_variable("FTI_UCHR"))
#define FTI_USHT (*(int *)kintsugi_fti_variable("FTI_USHT"))
#define FTI_UINT (*(int *)kintsugi_fti_variable("FTI_UINT"))
#define FTI_ULNG (*(int *)kintsugi_fti_variable("FTI_ULNG"))
#define FTI_SFLT (*(int *)kintsugi_fti_variable("FTI_SFLT"))
#define FTI_DBLE (*(int *)kintsugi_fti_variable("FTI_DBLE"))
#define FTI_LDBE (*(int *)kintsugi_fti_variable("FTI_LDBE"))

#define FTI_Init(...) KINTSUGI_FTI(FTI_Init, __VA_ARGS__)
#define FTI_Status() KINTSUGI_FTI(FTI_Status)
#define FTI_InitGroup(...) KINTSUGI_FTI(FTI_InitGroup, __VA_ARGS__)
#define FTI_RenameGroup(...) KINTSUGI_FTI(FTI_RenameGroup, __VA_ARGS__)
#define FTI_Protect(...) KINTSUGI_FTI(FTI_Protect, __VA_ARGS__)
#define FTI_SetAttribute(...) kintsugi_fti_set_attribute(__VA_ARGS__)
#define FTI_DefineDataset(...) KINTSUGI_FTI(FTI_DefineDataset, __VA_ARGS__)
#define FTI_DefineGlobalDataset(...) KINTSUGI_FTI(FTI_DefineGlobalDataset, __VA_ARGS__)
#define FTI_AddSubset(...) KINTSUGI_FTI(FTI_AddSubset, __VA_ARGS__)
#define FTI_RecoverDatasetDimension(...) KINTSUGI_FTI(FTI_RecoverDatasetDimension, __VA_ARGS__)
#define FTI_GetDatasetSpan(...) KINTSUGI_FTI(FTI_GetDatasetSpan, __VA_ARGS__)
#define FTI_GetDatasetRank(...) KINTSUGI_FTI(FTI_GetDatasetRank, __VA_ARGS__)
#define FTI_UpdateGlobalDataset(...) KINTSUGI_FTI(FTI_UpdateGlobalDataset, __VA_ARGS__)
#define FTI_UpdateSubset(...) KINTSUGI_FTI(FTI_UpdateSubset, __VA_ARGS__)
#define FTI_GetStoredSize(...) KINTSUGI_FTI(FTI_GetStoredSize, __VA_ARGS__)
#define FTI_Realloc(...) KINTSUGI_FTI(FTI_Realloc, __VA_ARGS__)
#define FTI_BitFlip(...) KINTSUGI_FTI(FTI_BitFlip, __VA_ARGS__)
#define FTI_Checkpoint(...) KINTSUGI_FTI(FTI_Checkpoint, __VA_ARGS__)
#define FTI_GetStageDir(...) KINTSUGI_FTI(FTI_GetStageDir, __VA_ARGS__)
#define FTI_GetStageStatus(...) KINTSUGI_FTI(FTI_GetStageStatus, __VA_ARGS__)
#define FTI_SendFile(...) KINTSUGI_FTI(FTI_SendFile, __VA_ARGS__)
#define FTI_Recover() KINTSUGI_FTI(FTI_Recover)
#define FTI_Snapshot() KINTSUGI_FTI(FTI_Snapshot)
#define FTI_Finalize() KINTSUGI_FTI(FTI_Finalize)
#define FTI_RecoverVar(...) KINTSUGI_FTI(FTI_RecoverVar, __VA_ARGS__)
#define FTI_RecoverVarInit() KINTSUGI_FTI(FTI_RecoverVarInit)
#define FTI_RecoverVarFinalize() KINTSUGI_FTI(FTI_RecoverVarFinalize)
#define FTI_InitICP(...) KINTSUGI_FTI(FTI_InitICP, __VA_ARGS__)
#define FTI_AddVarICP(...) KINTSUGI_FTI(FTI_AddVarICP, __VA_ARGS__)
#define FTI_FinalizeICP() KINTSUGI_FTI(FTI_FinalizeICP)
#define FTI_setIDFromString(...) KINTSUGI_FTI(FTI_setIDFromString, __VA_ARGS__)
#define FTI_getIDFromString(...) KINTSUGI_FTI(FTI_getIDFromString, __VA_ARGS__)
#define FTI_GetConfig(...) kintsugi_fti_get_config(__VA_ARGS__)
#define FTI_InitType(...) KINTSUGI_FTI(FTI_InitType, __VA_ARGS__)
#define FTI_InitCompositeType(...) KINTSUGI_FTI(FTI_InitCompositeType, __VA_ARGS__)
#define FTI_AddScalarField(...) KINTSUGI_FTI(FTI_AddScalarField, __VA_ARGS__)
#define FTI_AddVectorField(...) KINTSUGI_FTI(FTI_AddVectorField, __VA_ARGS__)

#endif
