// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
/** Small programs for the tests of the agent, which are instrumented as programs are. */
package advised;
