// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.advice.internal.calls;

import java.io.File;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.kintsugi.advice.internal.code.CallSite;
import org.kintsugi.advice.internal.code.Loop;
import org.kintsugi.advice.internal.shadow.Cells;
import org.kintsugi.advice.internal.shadow.FilePath;
import org.kintsugi.advice.internal.shadow.Shadows;

/** Files by their names: does an iteration read what an earlier one wrote? */
final class FileModel implements Model {
  private static final Map<String, FilePath> FILES = new ConcurrentHashMap<>();

  private final Model others = new OpaqueModel();

  @Override
  public Object before(CallSite call, Object[] arguments) {
    Object token = others.before(call, arguments);
    Object file = null;
    for (Object argument : arguments) {
      if (argument instanceof Path || argument instanceof File
          || argument instanceof String && !call.owner().endsWith("/Files")) {
        file = argument;
        break;
      }
    }
    if (Loop.now > 0 && file != null) {
      FilePath path = FILES.computeIfAbsent(file.toString(), FilePath::new);
      boolean isRead = call.name().startsWith("read") || call.name().equals("lines") || call.name().startsWith("newInput")
          || call.name().equals("newBufferedReader") || call.owner().contains("Input")
          || call.owner().matches(".*(Reader|RandomAccessFile|FileChannel)");
      boolean isWritten =
          call.name().startsWith("write") || call.name().startsWith("newOutput") || call.name().equals("newBufferedWriter")
              || call.owner().contains("Output") || call.owner().matches(".*(Writer|PrintStream|RandomAccessFile|FileChannel)")
              || call.name().equals("delete");
      if (isRead) {
        Cells.read(Shadows.of(path), 0, 1, false, null, call.place());
      }
      if (isWritten) {
        Cells.write(Shadows.of(path), 0, 0, true, false, null, call.place());
      }
    }
    return token;
  }

  @Override
  public void after(CallSite call, Object[] arguments, Object token, Object result) {
    others.after(call, arguments, token, result);
  }
}
