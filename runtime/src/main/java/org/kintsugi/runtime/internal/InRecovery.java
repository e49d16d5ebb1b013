// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.runtime.internal;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks code that runs between a process failure and the next entry of the body.
 *
 * <p>All ranks wait for the slowest meanwhile, and mostly this code runs for the first time. Linking one lambda, method reference
 * or stream takes milliseconds then, and a whole recovery takes five to fifteen. So {@code RecoveryCodeTest} forbids {@code
 * invokedynamic}, streams, and formatting in marked code, and {@code RecoveryClassesTest} lists the classes that a recovery may
 * load.
 *
 * <p>On a class, it counts for the nested classes too. A method or constructor may have it alone.
 */
@Retention(RetentionPolicy.CLASS)
@Target({ElementType.TYPE, ElementType.METHOD, ElementType.CONSTRUCTOR})
public @interface InRecovery {
}
