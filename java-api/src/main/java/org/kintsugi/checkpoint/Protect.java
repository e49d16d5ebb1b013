// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.checkpoint;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * A field that belongs to a version: see {@link Checkpoint#protectFields}. Arrays of primitives with one or two dimensions,
 * numbers, {@code boolean} and {@code char}, {@link org.kintsugi.mpi.Buf}, and serializable objects. Arrays and buffers may have
 * another length at every save, but in final fields.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.FIELD)
public @interface Protect {
}
