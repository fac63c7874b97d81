package io.varve.node.replica;

import io.varve.cluster.NodeInfo;
import io.varve.engine.EngineException;
import io.varve.engine.SegmentEngine;
import io.varve.events.Manifest;
import io.varve.events.SegmentFile;
import io.varve.node.CopyContext;
import io.varve.node.RecoveryCourse;
import io.varve.store.CopyCourse;
import io.varve.store.CopyFolder;
import io.varve.store.CopyPlan;
import io.varve.store.CopyRound;
import io.varve.store.FileFetcher;
import io.varve.store.LocalFiles;
import io.varve.store.PeerSource;
import io.varve.store.RoundFetcher;
import io.varve.store.SourceGoneException;
import io.varve.store.TransferLane;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongConsumer;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Does what one {@link CopyRound} says: takes a lease, links and fetches files, installs. Goes over
 * to a newer manifest when the round does. Used by one thread at a time.
 *
 * <p>Files that arrived but are not yet of an installed manifest are this class's own: the engine
 * doesn't know them, so it doesn't delete them. Those that no installed manifest took are deleted
 * here.
 */
final class SegmentFollower {

  /** What became of a round. */
  sealed interface Ended {

    record Installed(Manifest manifest) implements Ended {}

    record Failed(Manifest target, CopyCourse.Failure failure, String reason) implements Ended {}

    record Stopped() implements Ended {}
  }

  private final CopyContext context;
  private final SegmentTransfers transfers;
  private final SegmentEngine engine;
  private final CopyFolder folder;
  private final FileFetcher files;
  private final RoundFetcher rounds;
  private final LongConsumer missingBytes;
  private final RecoveryCourse recovery;
  private final Map<String, SegmentFile> arrived = new ConcurrentHashMap<>();
  private volatile @Nullable SnapshotLease lease;

  /**
   * @param newest the newest manifest known
   * @param missingBytes told what the round under way still needs
   */
  SegmentFollower(
      CopyContext context,
      SegmentTransfers transfers,
      SegmentEngine engine,
      Path directory,
      Supplier<@Nullable Manifest> newest,
      LongConsumer missingBytes,
      RecoveryCourse recovery) {
    this.context = context;
    this.transfers = transfers;
    this.engine = engine;
    this.missingBytes = missingBytes;
    this.recovery = recovery;
    folder = new CopyFolder(directory);
    files = new FileFetcher(folder, transfers.settings(), transfers.budget());
    rounds = new RoundFetcher(files, newest, this::missing);
  }

  long filesFetched() {
    return files.filesFetched();
  }

  long bytesFetched() {
    return files.bytesFetched();
  }

  /** Ends the round under way, for good. */
  void stop() {
    rounds.stop();
  }

  Ended run(Manifest target) throws InterruptedException {
    CopyRound round = new CopyRound(target);
    try {
      LocalFiles present = localFiles();
      round.planned(present);
      noteNeeded(target, present);
      while (round.state() == CopyRound.State.FETCHING) {
        switch (fetchUnderLease(round)) {
          case RoundFetcher.Result.Complete _ -> {}
          case RoundFetcher.Result.Yield(Manifest newer) -> {
            remember(round);
            round = round.yieldTo(newer);
          }
          case RoundFetcher.Result.Failed(CopyCourse.Failure failure, String reason) -> {
            return failed(round, failure, reason);
          }
          case RoundFetcher.Result.Stopped _ -> {
            remember(round);
            return new Ended.Stopped();
          }
        }
      }
      return install(round);
    } catch (SourceGoneException e) {
      return failed(round, CopyCourse.Failure.SOURCE_GONE, String.valueOf(e.getMessage()));
    } catch (SourceUnreachableException e) {
      return failed(round, CopyCourse.Failure.SOURCE_UNREACHABLE, String.valueOf(e.getMessage()));
    } catch (IOException | EngineException e) {
      return failed(round, CopyCourse.Failure.COPY_BROKEN, String.valueOf(e));
    }
  }

  private void noteNeeded(Manifest target, LocalFiles present) {
    Set<String> names =
        present.complete().stream().map(SegmentFile::name).collect(Collectors.toUnmodifiableSet());
    recovery.fromPeer(target.nodeId(), target.files(), names);
  }

  private Ended failed(CopyRound round, CopyCourse.Failure failure, String reason) {
    remember(round);
    round.failed(reason);
    return new Ended.Failed(round.target(), failure, reason);
  }

  /** The lease comes before the first byte, and only when bytes are needed at all. */
  private RoundFetcher.Result fetchUnderLease(CopyRound round)
      throws IOException, InterruptedException {
    Manifest target = round.target();
    String nodeUrl = publisherUrl(target);
    try (SnapshotLease held = lease(nodeUrl, target)) {
      lease = held;
      PeerSource source =
          new PeerSource(
              context.node().http(),
              nodeUrl,
              target.shard(),
              target.generation(),
              transfers.timeout());
      missing(round.missingBytes());
      return rounds.fetch(round, source, lane());
    } finally {
      lease = null;
    }
  }

  private SnapshotLease lease(String nodeUrl, Manifest target) throws IOException {
    try {
      return SnapshotLease.take(context, nodeUrl, target, transfers.timeout());
    } catch (SourceGoneException e) {
      throw e;
    } catch (IOException e) {
      throw new SourceUnreachableException(nodeUrl + ": " + e, e);
    }
  }

  /** A snapshot is held where it was made, not where the primary is now. */
  private String publisherUrl(Manifest target) throws IOException {
    NodeInfo node = context.node().cluster().current().nodes().get(target.nodeId());
    if (node == null) {
      throw new SourceUnreachableException(
          "node " + target.nodeId() + " that published the manifest is not in the cluster", null);
    }
    return node.url();
  }

  private TransferLane lane() {
    return engine.installed() == null ? TransferLane.RECOVERY : TransferLane.FRESHNESS;
  }

  private void missing(long bytes) {
    SnapshotLease held = lease;
    if (held != null) {
      held.renew(context.node().clock().millis());
    }
    missingBytes.accept(bytes);
  }

  private Ended install(CopyRound round) throws IOException {
    recovery.arrived(_ -> true);
    recovery.enter(RecoveryCourse.Stage.FINALIZE);
    CopyPlan plan = round.currentPlan();
    for (CopyPlan.Link link : plan.links()) {
      folder.link(link);
    }
    engine.install(round.target());
    round.installed();
    remember(round);
    missing(0);
    clear(round.target());
    return new Ended.Installed(round.target());
  }

  /** What only a superseded or failed round wanted goes, once something newer is installed. */
  private void clear(Manifest installed) throws IOException {
    for (SegmentFile file : List.copyOf(arrived.values())) {
      if (installed.files().stream().noneMatch(wanted -> wanted.name().equals(file.name()))) {
        Files.deleteIfExists(folder.directory().resolve(file.name()));
      }
    }
    arrived.clear();
    folder.deletePartialsExcept(List.of());
  }

  private void remember(CopyRound round) {
    round.arrivedFiles().forEach(file -> arrived.put(file.name(), file));
    recovery.arrived(arrived::containsKey);
  }

  private LocalFiles localFiles() throws IOException {
    List<SegmentFile> here = new ArrayList<>();
    for (SegmentFile file : engine.localFiles()) {
      if (!arrived.containsKey(file.name()) && engine.hasFile(file)) {
        here.add(file);
      }
    }
    for (SegmentFile file : arrived.values()) {
      Path path = folder.directory().resolve(file.name());
      if (Files.exists(path) && Files.size(path) == file.lengthBytes()) {
        here.add(file);
      }
    }
    return new LocalFiles(here, folder.partialBytes());
  }

  /** The node that has the files did not answer. */
  private static final class SourceUnreachableException extends IOException {
    private static final long serialVersionUID = 1L;

    SourceUnreachableException(String message, @Nullable Throwable cause) {
      super(message, cause);
    }
  }
}
