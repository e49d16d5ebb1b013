// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
/** The page of {@code kintsugi timeline}: it draws what the processes of a job have recorded. */
package org.kintsugi.launch.internal.timeline;
