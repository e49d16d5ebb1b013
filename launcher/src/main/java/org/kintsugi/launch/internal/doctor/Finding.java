// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.launch.internal.doctor;

/**
 * The result of one check of {@code kintsugi doctor}.
 *
 * @param what its name
 * @param isWell whether nothing has to be done
 * @param stopsJobs whether no job can run on this host before something is done
 * @param said the result, and the remedy
 */
public record Finding(String what, boolean isWell, boolean stopsJobs, String said) {
  @Override
  public String toString() {
    return (isWell ? "well   " : stopsJobs ? "WRONG  " : "limit  ") + what + ": " + said;
  }
}
