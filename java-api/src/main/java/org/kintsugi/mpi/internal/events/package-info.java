// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
/**
 * The events of a process for JDK Flight Recorder. {@link org.kintsugi.mpi.internal.events.JobEvents} is all that other packages
 * call; the classes of JFR are loaded only in processes that may be recorded.
 */
package org.kintsugi.mpi.internal.events;
