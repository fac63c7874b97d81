package io.varve.host;

import io.varve.engine.SuspectFolder;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The folders of this node in which a read found damage. They are marked on disk; folders that
 * could not be marked are remembered here, beyond the lifetime of the copy that read the damage.
 */
final class Suspicions {

  private static final Logger LOG = LoggerFactory.getLogger(Suspicions.class);

  private final Map<Path, String> unmarked = new ConcurrentHashMap<>();

  /** From now on, opening the folder verifies its files. */
  void suspect(Path folder, String reason) {
    try {
      SuspectFolder.mark(folder, reason);
    } catch (IOException e) {
      LOG.warn("{} could not be marked as damaged; the mark is kept in memory", folder, e);
      unmarked.put(folder, reason);
    }
  }

  /** Whether all files were verified successfully after the same damage had been reported. */
  boolean wasVerified(Path folder, String reason) {
    try {
      return SuspectFolder.wasVerified(folder, reason);
    } catch (IOException e) {
      LOG.warn("it is not known whether {} was verified for {}", folder, reason, e);
      return false;
    }
  }

  /** Returns the names of the damaged files, see {@link SuspectFolder#clear}. */
  List<String> clear(Path folder, boolean writes) throws IOException {
    String remembered = unmarked.get(folder);
    List<String> damaged = SuspectFolder.clear(folder, writes, remembered);
    if (remembered != null) {
      unmarked.remove(folder, remembered);
    }
    return damaged;
  }

  void forget(Path folder) {
    unmarked.remove(folder);
  }
}
