// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.advice.internal.code;

/**
 * A place where the program makes an array or an object of the JDK.
 *
 * @param name of the variable that gets it; empty: it is not known
 */
public record Allocation(Place place, String type, String name) {}
