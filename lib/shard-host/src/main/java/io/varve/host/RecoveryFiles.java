package io.varve.host;

import io.varve.rpc.CopyRecovery;
import io.varve.rpc.CopySegments;
import java.util.ArrayList;
import java.util.List;

/** The files that a copy found in its folder. */
public final class RecoveryFiles {

  private RecoveryFiles() {}

  public static List<CopyRecovery.File> committed(CopySegments segments) {
    List<CopyRecovery.File> files = new ArrayList<>();
    for (CopySegments.Segment segment : segments.segments()) {
      if (segment.committed()) {
        segment
            .fileBytes()
            .forEach((name, bytes) -> files.add(new CopyRecovery.File(name, bytes, bytes, true)));
      }
    }
    return files;
  }
}
