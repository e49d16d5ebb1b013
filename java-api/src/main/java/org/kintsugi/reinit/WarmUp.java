// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.reinit;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks a method that a JVM runs while it waits to replace a failed rank. This is for an MPI whose
 * runtime starts failed ranks again (the Reinit++ fork, with {@code jmpirun --spares}). The method
 * does what costs time when it is done for the first time, such as parsing a command line and the
 * kernels on small data.
 *
 * <p>On a static method of the main class without parameters. It is called before {@code main}, on a process that is no rank
 * yet: it must not use MPI, nor print, nor look at the environment (that of the rank comes later). A JVM in which it throws
 * is not used. For spares that wait inside {@link Reinit#run}, on other MPIs, see {@link Reinit.Options#warmUp}.
 */
@Documented
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
public @interface WarmUp {
}
