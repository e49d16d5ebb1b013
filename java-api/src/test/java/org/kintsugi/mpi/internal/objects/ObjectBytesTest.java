// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.mpi.internal.objects;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import org.junit.jupiter.api.Test;

/** The limit of an object in bytes. The classes that may be in one: ProtectedObjectTest, ObjectMessagesTest. */
class ObjectBytesTest {
  private static final int MOST = 1000;

  @Test
  void anObjectIsReadBack() throws IOException, ClassNotFoundException {
    ObjectBytes form = new ObjectBytes(String.class, String.class);
    assertThat(form.read(form.write("text").bytes())).isEqualTo("text");
    assertThat(form.read(form.write(null).bytes())).isNull();
  }

  @Test
  void anObjectOfMoreBytesThanAnArrayHasIsRefused() throws IOException {
    ObjectBytes form = new ObjectBytes(MOST, double[].class, double[].class);
    assertThat(form.write(new double[MOST / 10]).bytes()).hasSizeLessThanOrEqualTo(MOST);
    assertThatThrownBy(() -> form.write(new double[MOST])).isInstanceOf(IOException.class)
        .hasMessageContaining("it takes more than " + MOST + " bytes: send its arrays as Bufs");
  }
}
