// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
/** The patches to Open MPI: their index, and what their headers must have. */
package org.kintsugi.ci.openmpi;
