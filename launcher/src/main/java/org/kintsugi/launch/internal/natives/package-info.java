// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
/**
 * What ranks get besides jars: Kintsugi's native libraries, and the class archive (AppCDS) that shortens their start. And how
 * these libraries are compiled for an MPI of the site ({@code kintsugi build}).
 */
package org.kintsugi.launch.internal.natives;
