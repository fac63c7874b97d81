package io.varve.rpc;

import java.util.List;

/**
 * The files of a copy that receives its segments, compared with the manifest that names them.
 *
 * @param visibleSeqNo the seq_no up to which the manifest has all operations
 * @param differing names of files whose content is not that of the manifest
 */
public record CheckedFiles(
    String copyId, String incarnation, long visibleSeqNo, int files, List<String> differing) {

  public CheckedFiles {
    differing = List.copyOf(differing);
  }
}
