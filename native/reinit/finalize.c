/*
 * Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
 *
 * In MPI_Finalize the fork removes its handlers of PMIx's events, one by one: it holds a lock, and
 * waits until PMIx's thread has done it (pmix3x_client_finalize). If that thread is calling a
 * handler at that time, for a failure that is reported late, it waits for the same lock: the rank
 * hangs, and the job with it.
 *
 * So PMIx's function is replaced by one that answers at once that the handler is removed. Then the
 * fork releases the lock, and the handler runs. The fork no longer knows whose event that was, and
 * ignores it. PMIx itself removes its handlers a moment later, when it is finalized.
 */
#include "finalize.h"

#include "interpose.h"

#include <errno.h>

#define PMIX_SUCCESS 0

static int deregister(size_t handler, void (*done)(int, void *), void *data) {
    (void)handler;
    if (done != NULL) {
        done(PMIX_SUCCESS, data);
    }
    return PMIX_SUCCESS;
}

int finalize_adapt(void) {
    static const struct replacement replacement = {.symbol = "OPAL_MCA_PMIX3X_PMIx_Deregister_event_handler",
                                                   .address = (void *)deregister};
    int rc = interpose_in("mca_pmix_pmix3x.so", &replacement, 1);
    return rc == ENOENT ? 0 : rc;
}
