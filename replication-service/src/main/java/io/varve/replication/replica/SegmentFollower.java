package io.varve.replication.replica;

import io.varve.engine.EngineException;
import io.varve.engine.SegmentEngine;
import io.varve.engine.UnreadableSegmentsException;
import io.varve.events.Manifest;
import io.varve.events.SegmentFile;
import io.varve.host.CopyContext;
import io.varve.host.RecoveryProgress;
import io.varve.host.SnapshotSource;
import io.varve.rpc.CopyStats;
import io.varve.store.CopyFolder;
import io.varve.store.CopyPlan;
import io.varve.store.CopyRound;
import io.varve.store.CopySchedule;
import io.varve.store.FileFetcher;
import io.varve.store.FullDisk;
import io.varve.store.LocalFiles;
import io.varve.store.RoundFetcher;
import io.varve.store.SegmentSource;
import io.varve.store.SourceGoneException;
import io.varve.store.TransferLane;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Carries out one {@link CopyRound}: takes a lease, links and fetches files, installs the manifest.
 * Continues with a newer manifest when the round yields to it. Used by one thread at a time.
 *
 * <p>INVARIANT: before all files of the round have arrived, none of them replaces a file in the
 * folder. The previous files may be the only content of the shard: a primary and a replica that was
 * promoted from an older manifest give the same name to different updates of one segment.
 */
final class SegmentFollower {

  /** The outcome of a round. */
  sealed interface Ended {

    record Installed(Manifest manifest) implements Ended {}

    record Failed(Manifest target, CopySchedule.Failure failure, String reason) implements Ended {}

    record Stopped() implements Ended {}
  }

  /** For files that have arrived, and were not verified or given their names before a restart. */
  private static final SegmentSource NOTHING_MISSING =
      (file, _, _) -> {
        throw new SourceGoneException(file.name() + " was complete");
      };

  private final CopyContext context;
  private final CopySources sources;
  private final SegmentEngine engine;
  private final CopyFolder folder;
  private final FileFetcher files;
  private final RoundFetcher rounds;
  private final RoundObserver observer;
  private final RecoveryProgress recovery;
  private final MergedArrivals merged;
  private final LinkedFiles links;
  private final ArrivedFiles arrived;
  private volatile CopySources.@Nullable Open open;

  /**
   * @param known the published and stored manifests
   * @param places selects the other copies to ask for files
   */
  SegmentFollower(
      ReplicaFolder opened,
      CopySources.Known known,
      RoundObserver observer,
      RecoveryProgress recovery,
      PeerPlaces places) {
    SegmentTransfers transfers = opened.transfers();
    this.context = opened.context();
    this.engine = opened.engine();
    this.folder = opened.files();
    this.observer = observer;
    this.recovery = recovery;
    sources = new CopySources(context, transfers, known, places);
    merged = new MergedArrivals(context, transfers, folder, engine::installed);
    arrived = new ArrivedFiles(context.shard(), folder, engine, merged);
    links = new LinkedFiles(context, transfers, folder);
    files = new FileFetcher(folder, transfers.settings(), transfers.budget(), folder::nameIfFree);
    rounds = new RoundFetcher(files, known.newest(), this::missing);
  }

  long filesFetched() {
    return files.filesFetched();
  }

  long bytesFetched() {
    return files.bytesFetched();
  }

  CopyStats.Downloads fromStore() {
    return sources.fromStore();
  }

  /**
   * @param openingBytes the bytes read for searches before their files were local
   */
  CopyStats.Copied copied(long openingBytes, SnapshotSource.Sent sent) {
    return sources.copied(merged.bytesFetched(), openingBytes, links.bytes(), sent);
  }

  /** The merged segments that are fetched ahead of their manifest. */
  MergedArrivals merged() {
    return merged;
  }

  /** Ends the current round; no other round begins. */
  void stop() {
    rounds.stop();
  }

  /**
   * Copies that manifest; if its publisher does not answer or no longer holds it, or if this
   * process can't read it, copies the newest manifest in the segment store, unless that is not
   * newer than the shown one.
   */
  Ended run(Manifest target) throws InterruptedException {
    Ended ended = round(target);
    if (!(ended instanceof Ended.Failed failed)
        || failed.failure() == CopySchedule.Failure.COPY_BROKEN
        || failed.failure() == CopySchedule.Failure.DISK_FULL) {
      return ended;
    }
    Manifest stored = sources.storedManifest();
    Manifest shown = engine.installed();
    boolean better =
        stored != null
            && target.isNewerThan(stored)
            && (shown == null || stored.isNewerThan(shown));
    if (!better) {
      return ended;
    }
    Ended second = round(stored);
    // Both failed; report the first failure, because the newest manifest is retried.
    return second instanceof Ended.Failed other
        ? new Ended.Failed(target, failed.failure(), failed.reason() + "; " + other.reason())
        : second;
  }

  private Ended round(Manifest target) throws InterruptedException {
    CopyRound round = new CopyRound(target);
    try {
      LocalFiles present = plan(round);
      noteNeeded(target, present);
      round = linked(round);
      if (round.state() == CopyRound.State.FETCHING) {
        missing(round.missingBytes());
        observer.needed(round.missingBytes());
      }
      while (round.state() == CopyRound.State.FETCHING) {
        switch (fetch(round)) {
          case RoundFetcher.Result.Complete _ -> {}
          case RoundFetcher.Result.Yield(Manifest newer) -> {
            remember(round);
            round.yieldTo(newer);
            round = new CopyRound(newer);
            plan(round);
            round = linked(round);
          }
          case RoundFetcher.Result.Failed(CopySchedule.Failure failure, String reason) -> {
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
      return failed(round, CopySchedule.Failure.SOURCE_GONE, String.valueOf(e.getMessage()));
    } catch (CopySources.UnreachableException e) {
      return failed(round, CopySchedule.Failure.SOURCE_UNREACHABLE, String.valueOf(e.getMessage()));
    } catch (IOException | EngineException e) {
      return failed(round, ofThisCopy(e), String.valueOf(e));
    } finally {
      merged.endRound();
    }
  }

  /** The kind of a failure that was not caused by a source. */
  static CopySchedule.Failure ofThisCopy(Exception e) {
    if (e instanceof UnreadableSegmentsException) {
      return CopySchedule.Failure.UNREADABLE;
    }
    return FullDisk.caused(e) ? CopySchedule.Failure.DISK_FULL : CopySchedule.Failure.COPY_BROKEN;
  }

  /**
   * Plans with the files that are local now, because merged segments may have arrived in the
   * meantime.
   */
  private LocalFiles plan(CopyRound round) throws IOException {
    engine.requireReadable(round.target());
    merged.beginRound(round.target());
    LocalFiles present = arrived.localFiles();
    round.planned(present);
    return present;
  }

  /** Links the files that another folder of this node has; returns the round for the rest. */
  private CopyRound linked(CopyRound round) throws IOException {
    List<SegmentFile> here = links.link(round.target(), round.currentPlan().fetches());
    if (here.isEmpty()) {
      return round;
    }
    arrived.add(here);
    CopyRound rest = new CopyRound(round.target());
    plan(rest);
    return rest;
  }

  private void noteNeeded(Manifest target, LocalFiles present) {
    Set<String> names =
        present.complete().stream().map(SegmentFile::name).collect(Collectors.toUnmodifiableSet());
    recovery.fromPeer(target.nodeId(), target.files(), names);
  }

  private Ended failed(CopyRound round, CopySchedule.Failure failure, String reason) {
    remember(round);
    round.failed(reason);
    return new Ended.Failed(round.target(), failure, reason);
  }

  /** A source is opened only when bytes are needed at all. */
  private RoundFetcher.Result fetch(CopyRound round) throws IOException, InterruptedException {
    if (round.missingBytes() == 0) {
      return rounds.fetch(round, NOTHING_MISSING, lane());
    }
    try (CopySources.Open opened =
        sources.open(round.target(), round.currentPlan().fetches(), lane())) {
      open = opened;
      missing(round.missingBytes());
      RoundFetcher.Result result = rounds.fetch(round, opened.files(), lane());
      sources.ended(result);
      return result;
    } finally {
      open = null;
    }
  }

  private TransferLane lane() {
    return engine.installed() == null ? TransferLane.RECOVERY : TransferLane.FRESHNESS;
  }

  private void missing(long bytes) {
    CopySources.Open reading = open;
    if (reading != null) {
      reading.renew(context.node().clock().millis());
    }
    observer.missing(bytes);
  }

  private Ended install(CopyRound round) throws IOException {
    recovery.arrived(_ -> true);
    recovery.enter(RecoveryProgress.Stage.FINALIZE);
    CopyPlan plan = round.currentPlan();
    for (CopyPlan.Link link : plan.links()) {
      folder.link(link);
    }
    for (CopyPlan.Fetch fetch : plan.fetches()) {
      folder.name(fetch.file());
    }
    engine.install(round.target());
    // First, so that files of the installed manifest are not deleted as merged arrivals.
    merged.installed(round.target());
    round.installed();
    remember(round);
    missing(0);
    arrived.installed(round.target());
    return new Ended.Installed(round.target());
  }

  private void remember(CopyRound round) {
    arrived.add(round.arrivedFiles());
    recovery.arrived(arrived::contains);
  }
}
