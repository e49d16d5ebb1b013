// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
/**
 * Objects in bytes: in messages, in collectives and in checkpoints. Which classes they may be made of is decided here, too.
 */
package org.kintsugi.mpi.internal.objects;
