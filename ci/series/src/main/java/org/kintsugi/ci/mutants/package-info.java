// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
/** Programs with an item that is not protected, for {@code jmpirun --prove}. */
package org.kintsugi.ci.mutants;
