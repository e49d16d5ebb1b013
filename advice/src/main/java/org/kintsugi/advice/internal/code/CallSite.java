// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.advice.internal.code;

/**
 * A call of a method that is not the program's own.
 *
 * @param owner the class that the call names, with slashes
 * @param descriptor the types as class files have them
 * @param hasReceiver whether the first argument is the object that the method is called on
 * @param place the number of its place
 */
public record CallSite(String owner, String name, String descriptor, boolean hasReceiver, int place) {}
