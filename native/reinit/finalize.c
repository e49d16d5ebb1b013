/*
 * Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
 *
 * In MPI_Finalize the fork takes its handlers of PMIx's events away, one by one: it holds a lock, and waits until PMIx's
 * thread has done it (pmix3x_client_finalize). Should that thread be calling a handler just then, for a death that is
 * told of late, it waits for the same lock: the rank hangs, and the job with it.
 *
 * So PMIx answers at once that a handler is gone. Then the lock is let go, the handler's turn comes, and the fork no
 * longer knows whose event that was, which it takes well. PMIx itself forgets its handlers a moment later, when it is
 * finalized.
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

int finalize_adopt(void) {
    static const struct replacement replacement = {.symbol = "OPAL_MCA_PMIX3X_PMIx_Deregister_event_handler",
                                                   .address = (void *)deregister};
    int rc = interpose_in("mca_pmix_pmix3x.so", &replacement, 1);
    return rc == ENOENT ? 0 : rc;
}
