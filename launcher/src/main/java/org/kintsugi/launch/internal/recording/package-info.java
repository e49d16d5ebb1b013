// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
/** The folder of a job's recording: the options by which ranks record, and what jmpirun itself writes down. */
package org.kintsugi.launch.internal.recording;
