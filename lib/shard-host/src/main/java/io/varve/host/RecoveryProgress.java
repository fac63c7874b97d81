package io.varve.host;

import io.varve.events.SegmentFile;
import io.varve.events.ShardId;
import io.varve.rpc.CopyRecovery;
import java.time.InstantSource;
import java.util.Collection;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Records the progress of a copy's recovery.
 *
 * <pre>
 *   INIT -> INDEX -> (VERIFY_INDEX) -> (TRANSLOG) -> FINALIZE -> DONE
 * </pre>
 *
 * Nothing changes after DONE. Thread-safe.
 */
public final class RecoveryProgress {

  /** The stage of a recovery. */
  public enum Stage {
    INIT,
    INDEX,
    VERIFY_INDEX,
    TRANSLOG,
    FINALIZE,
    DONE
  }

  /** The source of a recovery. */
  public enum Type {
    EMPTY_STORE,
    EXISTING_STORE,
    PEER,
    REMOTE_STORE
  }

  private final ShardId shard;
  private final String copyId;
  private final boolean primary;
  private final InstantSource clock;
  private final long startMillis;
  private final Map<Stage, Long> spentMillis = new EnumMap<>(Stage.class);
  private Type type = Type.EMPTY_STORE;
  private Stage stage = Stage.INIT;
  private long stageSinceMillis;
  private long stopMillis;
  private @Nullable String sourceNodeId;
  private List<CopyRecovery.File> files = List.of();
  private long operations;

  public RecoveryProgress(CopyContext context, boolean primary) {
    this.shard = context.shard();
    this.copyId = context.copyId();
    this.primary = primary;
    this.clock = context.node().clock();
    this.startMillis = clock.millis();
    this.stageSinceMillis = startMillis;
  }

  public synchronized void type(Type found) {
    if (stage != Stage.DONE) {
      type = found;
    }
  }

  public synchronized void enter(Stage next) {
    if (stage == Stage.DONE || stage == next) {
      return;
    }
    long now = clock.millis();
    spentMillis.merge(stage, now - stageSinceMillis, (a, b) -> a + b);
    stage = next;
    stageSinceMillis = now;
    if (next == Stage.DONE) {
      stopMillis = now;
    }
  }

  /**
   * Records the files that the copy needs; those in {@code present} are local. A copy that has all
   * files keeps its recovery type.
   */
  public synchronized void fromPeer(
      String nodeId, Collection<SegmentFile> needed, Set<String> present) {
    if (stage == Stage.DONE) {
      return;
    }
    boolean whole = needed.stream().allMatch(file -> present.contains(file.name()));
    if (!whole || type != Type.EXISTING_STORE) {
      type = Type.PEER;
      sourceNodeId = nodeId;
    }
    files = needed.stream().map(file -> planned(file, present.contains(file.name()))).toList();
  }

  private static CopyRecovery.File planned(SegmentFile file, boolean reused) {
    return new CopyRecovery.File(
        file.name(), file.lengthBytes(), reused ? file.lengthBytes() : 0, reused);
  }

  /** Records the files of the copy's own folder. */
  public synchronized void fromFolder(Collection<CopyRecovery.File> present) {
    if (stage != Stage.DONE && !present.isEmpty()) {
      files = List.copyOf(present);
    }
  }

  /** Records that the files whose names match have arrived. */
  public synchronized void arrived(Predicate<String> name) {
    if (stage != Stage.DONE) {
      files = files.stream().map(file -> name.test(file.name()) ? whole(file) : file).toList();
    }
  }

  private static CopyRecovery.File whole(CopyRecovery.File file) {
    return new CopyRecovery.File(
        file.name(), file.lengthBytes(), file.lengthBytes(), file.reused());
  }

  /** Records the number of operations replayed from the log. */
  public synchronized void replayed(long count) {
    if (stage != Stage.DONE) {
      operations = count;
    }
  }

  public synchronized CopyRecovery read() {
    return new CopyRecovery(
        shard,
        copyId,
        primary,
        type.name(),
        stage.name(),
        new CopyRecovery.Times(
            startMillis,
            stopMillis,
            spent(Stage.INDEX),
            spent(Stage.VERIFY_INDEX),
            spent(Stage.TRANSLOG)),
        sourceNodeId,
        files,
        operations);
  }

  private long spent(Stage asked) {
    long underWay = stage == asked ? clock.millis() - stageSinceMillis : 0;
    return spentMillis.getOrDefault(asked, 0L) + underWay;
  }
}
