package io.varve.testkit.sim;

import io.varve.engine.version.Decision;
import io.varve.engine.version.DocumentState;
import io.varve.engine.version.VersionMap;
import io.varve.engine.version.WriteResolver;
import io.varve.events.Json;
import io.varve.events.Manifest;
import io.varve.events.Operation;
import io.varve.events.OperationCodec;
import io.varve.events.RawRecord;
import io.varve.events.SegmentFile;
import io.varve.events.ShardId;
import io.varve.events.StoredRecord;
import io.varve.log.FencedReplay;
import io.varve.log.FencedWriter;
import io.varve.log.LogException;
import io.varve.log.PartitionLog;
import io.varve.log.TermFence;
import io.varve.log.TermFence.Verdict;
import io.varve.node.SnapshotLeases;
import io.varve.node.retention.LogNeeds;
import io.varve.rpc.ErrorBody;
import io.varve.rpc.WriteItem;
import io.varve.rpc.WriteResult;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A primary of one term: fences, replays up to its fence, opens, then resolves, appends, acks and
 * applies; refreshes and publishes manifests; serves files under leases.
 *
 * <p>All that decides is production code: {@link FencedWriter}, {@link FencedReplay}, {@code
 * AppliedCheckpoint}, {@link SnapshotLeases}, {@link OperationCodec}.
 */
final class PrimaryActor extends LoggedCopy {

  private static final long LEASE_MILLIS = 400;
  private static final int RESTORES_UNTIL_REPORTED = 5;

  /** A manifest and what the folder must keep for it. */
  private record Held(Manifest manifest) {}

  private final long term;
  private final PartitionLog log;
  private final PartitionLog manifests;
  private final SimRetention retention;
  private long publishedSeqNo = -1;
  private long publishedOffset = LogNeeds.UNKNOWN;
  private int failedRestores;
  private final FencedWriter writer;
  private final SnapshotLeases<Long, Held> leases = new SnapshotLeases<>(LEASE_MILLIS);
  private final VersionMap versions = new VersionMap();
  private Map<String, Operation> reader = Map.of();
  private final List<Runnable> whenIdle = new ArrayList<>();
  private long nextSeqNo;
  private long takenSeqNo;
  private long generation;
  private @Nullable Manifest lastPublished;
  private boolean lastManifestLost;
  private boolean announced;
  private boolean wantsTerm;
  private Operation.@Nullable Origin newestOrigin;

  PrimaryActor(World world, SimNode node, ShardId shard, String copyId, TwinDisk disk, long term) {
    super(world, node, shard, copyId, disk, "p" + node.process() + "t" + term);
    this.term = term;
    this.log = world.open(World.ops(shard), node.process(), "p-" + node.process() + "-" + copyId);
    this.manifests = world.open(World.manifests(shard), node.process(), "m-" + node.process());
    this.writer =
        new FencedWriter(
            log,
            term,
            node.nodeId(),
            task -> after(world.network().latencyMicros(), task),
            (reason, newerTerm) -> askForATerm(reason));
    this.retention =
        new SimRetention(
            this, log, () -> announced && !closed && writer.isOpen(), disk::committedOffset);
  }

  long term() {
    return term;
  }

  void start() {
    if (closed) {
      return;
    }
    try {
      if (LostLogs.isLost(world, log, manifests, checkpoint())) {
        after(LostLogs.RETRY_MICROS, this::start);
        return;
      }
    } catch (LogException e) {
      after(50_000, this::start);
      return;
    }
    try {
      writer.appendFence(outcome -> {
        switch (outcome) {
          case FencedWriter.Outcome.Accepted fence -> recover(fence.offset());
          case FencedWriter.Outcome.Unknown unknown -> askForATerm(unknown.reason());
          case FencedWriter.Outcome.Rejected rejected -> askForATerm(rejected.reason());
        }
      });
    } catch (LogException.Full e) {
      writer.close("full");
      askForATerm("full");
    }
  }

  private void recover(long fenceOffset) {
    if (closed) {
      return;
    }
    try {
      if (checkpoint().nextOffset() < log.startOffset()) {
        if (!restore("p" + node.process() + "t" + term, log.startOffset())) {
          if (++failedRestores % RESTORES_UNTIL_REPORTED == 0) {
            node.askLeader(leader -> leader.copyFailed(shard, copyId, node.nodeId()));
          }
          after(50_000, () -> recover(fenceOffset));
          return;
        }
      }
    } catch (LogException.Unavailable e) {
      after(50_000, () -> recover(fenceOffset));
      return;
    }
    reader = engine.fileContents();
    reader.values().forEach(this::noteOrigin);
    if (world.mutated(Mutation.PUBLISH_BEFORE_THE_REPLAY)) {
      takenSeqNo = checkpoint().nextSeqNo();
      refresh(() -> {});
    }
    replay(fenceOffset);
  }

  private void replay(long fenceOffset) {
    Checkpoint from = checkpoint();
    TermFence fence = new TermFence(from.fenceTerm(), from.nextSeqNo());
    Verdict ownFence;
    try {
      ownFence =
          world.judgesCarelessly()
              ? CarelessReader.upTo(
                  log, from, fenceOffset, fence, world.mutations(), this::replayed)
              : FencedReplay.upTo(log, from.nextOffset(), fenceOffset, fence, this::replayed);
    } catch (LogException.Unavailable e) {
      after(40_000, () -> replay(fenceOffset));
      return;
    } catch (LogException e) {
      askForATerm("the log was truncated under a replay");
      return;
    }
    takenSeqNo = fence.nextSeqNo();
    whenApplied(() -> {
      pass(new Checkpoint(fenceOffset + 1, fence.nextSeqNo(), fence.term()));
      open(fence, ownFence);
    });
  }

  private void replayed(StoredRecord stored) {
    Operation operation = OperationCodec.decode(stored.record());
    noteOrigin(operation);
    take(stored.offset(), operation);
  }

  private void open(TermFence fence, Verdict ownFence) {
    nextSeqNo = fence.nextSeqNo();
    boolean careless = world.mutated(Mutation.OPEN_ALTHOUGH_THE_FENCE_LOST) && fence.term() == term;
    if (!writer.open(fence, careless ? Verdict.FENCE_WON : ownFence)) {
      askForATerm(writer.closedReason());
      return;
    }
    world.observe(new Observation.GateOpened(shard, term, toString()));
    tick();
  }

  /** Refreshes by interval, and truncates the log now and then. */
  private void tick() {
    refresh(() -> {});
    if (world.random().nextInt(4) == 0) {
      retention.run(publishedOffset);
    }
    after(40_000 + world.random().nextInt(60_000), this::tick);
  }

  private void askForATerm(String reason) {
    if (closed) {
      return;
    }
    writer.close(reason);
    if (!wantsTerm) {
      wantsTerm = true;
      askAgain(reason);
    }
  }

  private void askAgain(String reason) {
    node.askLeader(leader -> leader.newTerm(shard, copyId, node.nodeId(), term, reason));
    after(150_000, () -> askAgain(reason));
  }

  /** One item of a bulk, with the term that the coordinator believes in. */
  void write(WriteItem item, long expectedTerm, Consumer<WriteResult> reply) {
    if (expectedTerm != term || !writer.isOpen()) {
      reply.accept(stale());
      return;
    }
    switch (WriteResolver.resolve(item, newest(item.id()))) {
      case Decision.Rejected rejected -> reply.accept(new WriteResult.Failed(rejected.error()));
      case Decision.Noop noop -> reply.accept(noop.result());
      case Decision.Index index ->
          append(item.id(), index.version(), item.bodyBytes(), word(index.created()), reply);
      case Decision.IndexMerged merged ->
          append(item.id(), merged.version(), merged.source(), word(merged.created()), reply);
      case Decision.Delete delete ->
          append(
              item.id(), delete.version(), null, delete.found() ? "deleted" : "not_found", reply);
    }
  }

  private static String word(boolean created) {
    return created ? "created" : "updated";
  }

  /** In flight, then recent, then what the reader shows. */
  private @Nullable DocumentState newest(String id) {
    DocumentState known =
        world.mutated(Mutation.RESOLVE_WITHOUT_WHAT_IS_IN_FLIGHT)
            ? versions.applied(id)
            : versions.newest(id);
    Operation shown = reader.get(id);
    return known == null && shown != null ? state(shown) : known;
  }

  private static DocumentState state(Operation operation) {
    return new DocumentState(
        operation.seqNo(),
        operation.term(),
        operation.version(),
        operation.isDelete(),
        operation.source(),
        operation.routing());
  }

  private void append(
      String id, long version, byte @Nullable [] source, String word, Consumer<WriteResult> reply) {
    Operation operation = new Operation(term, nextSeqNo, version, 1, id, null, source, null);
    WriteResult.Done done =
        new WriteResult.Done(word, operation.seqNo(), term, operation.version());
    ErrorBody refused =
        send(
            operation,
            outcome -> {
              switch (outcome) {
                case FencedWriter.Outcome.Accepted accepted -> reply.accept(done);
                case FencedWriter.Outcome.Unknown unknown ->
                    reply.accept(unknown(unknown.reason()));
                case FencedWriter.Outcome.Rejected _ -> reply.accept(stale());
              }
            });
    if (refused != null) {
      reply.accept(new WriteResult.Failed(refused));
    } else if (world.mutated(Mutation.ACK_BEFORE_THE_APPEND_IS_KNOWN)) {
      reply.accept(done);
    }
  }

  /** Numbers and appends; tells why nothing was sent, if so. */
  private @Nullable ErrorBody send(Operation operation, FencedWriter.Completion completion) {
    RawRecord record = OperationCodec.encode(operation);
    FencedWriter.Completion andApply =
        outcome -> {
          if (outcome instanceof FencedWriter.Outcome.Accepted accepted && !closed) {
            noteOrigin(operation);
            takenSeqNo = operation.seqNo() + 1;
            take(accepted.offset(), operation);
          }
          completion.completed(outcome);
        };
    try {
      boolean sent =
          world.mutated(Mutation.ACK_WITHOUT_FENCE_CHECK)
              ? sendUnchecked(record, andApply)
              : writer.append(record, andApply);
      if (!sent) {
        return stale().error();
      }
    } catch (LogException.Full e) {
      return ErrorBody.of(429, "rejected_execution_exception", "full");
    }
    nextSeqNo++;
    versions.appended(operation.id(), state(operation));
    return null;
  }

  private boolean sendUnchecked(RawRecord record, FencedWriter.Completion completion)
      throws LogException.Full {
    log.append(
        record,
        new PartitionLog.AppendCallback() {
          @Override
          public void appended(long offset, long timestampMillis) {
            completion.completed(new FencedWriter.Outcome.Accepted(offset, timestampMillis));
          }

          @Override
          public void unknown(String reason) {
            completion.completed(new FencedWriter.Outcome.Unknown(reason));
          }
        });
    return true;
  }

  private static WriteResult.Failed stale() {
    return new WriteResult.Failed(ErrorBody.of(409, "stale_primary_exception", "not this term"));
  }

  private static WriteResult.Failed unknown(String reason) {
    return new WriteResult.Failed(ErrorBody.of(503, WriteResult.UNKNOWN_OUTCOME, reason));
  }

  /** Where a follower goes on pulling. */
  record Cursor(Operation.@Nullable Origin origin, long nextSeqNo) {}

  Optional<Cursor> cursor() {
    return writer.isOpen() && takenSeqNo == nextSeqNo
        ? Optional.of(new Cursor(newestOrigin, nextSeqNo))
        : Optional.empty();
  }

  /** The first operation of the other cluster that was not accepted here. */
  long neededOrigin() {
    Operation.Origin origin = newestOrigin;
    return origin == null ? 0 : origin.offset() + 1;
  }

  private void noteOrigin(Operation operation) {
    Operation.Origin origin = operation.origin();
    Operation.Origin known = newestOrigin;
    if (origin != null && (known == null || origin.offset() > known.offset())) {
      newestOrigin = origin;
    }
  }

  /** Operations of the leader cluster, in order; true when all of them are in this one's log. */
  void replicate(List<Operation> batch, Consumer<Boolean> reply) {
    int[] open = {1};
    boolean[] good = {writer.isOpen()};
    Runnable one =
        () -> {
          if (--open[0] == 0) {
            reply.accept(good[0]);
          }
        };
    for (Operation theirs : batch) {
      boolean known = theirs.seqNo() < nextSeqNo;
      if (known && !world.mutated(Mutation.FOLLOWER_TAKES_DUPLICATES)) {
        // Sent by an earlier call, whose fate is not known here: the puller asks again.
        good[0] &= theirs.seqNo() < takenSeqNo;
        continue;
      }
      if (!good[0]) {
        continue;
      }
      if (theirs.seqNo() > nextSeqNo) {
        good[0] = false;
        continue;
      }
      Operation ours =
          new Operation(
              term,
              nextSeqNo,
              theirs.version(),
              theirs.mappingVersion(),
              theirs.id(),
              theirs.routing(),
              theirs.source(),
              theirs.origin());
      open[0]++;
      ErrorBody refused =
          send(
              ours,
              outcome -> {
                good[0] &= outcome instanceof FencedWriter.Outcome.Accepted;
                one.run();
              });
      if (refused != null) {
        open[0]--;
        good[0] = false;
      }
    }
    one.run();
  }

  @Override
  void onFlush() {
    versions.beforeRefresh();
  }

  @Override
  void onShown(Map<String, Operation> contents) {
    reader = contents;
    versions.afterRefresh();
  }

  @Override
  void onApplied(Operation operation) {
    versions.applied(operation.id(), state(operation));
    if (checkpoint().nextSeqNo() >= takenSeqNo) {
      List<Runnable> idle = List.copyOf(whenIdle);
      whenIdle.clear();
      idle.forEach(Runnable::run);
    }
  }

  /** Runs when all that was acked before is applied. */
  private void whenApplied(Runnable then) {
    if (checkpoint().nextSeqNo() >= takenSeqNo) {
      then.run();
    } else {
      long target = takenSeqNo;
      whenIdle.add(() -> {
        if (checkpoint().nextSeqNo() >= target) {
          then.run();
        } else {
          whenApplied(then);
        }
      });
    }
  }

  @Override
  void refreshed(Checkpoint captured, List<SegmentFile> files) {
    Manifest last = lastPublished;
    boolean news = last == null || lastManifestLost || captured.lastSeqNo() > last.visibleSeqNo();
    if (!news || captured.fenceTerm() > term) {
      return;
    }
    Manifest manifest =
        new Manifest(
            shard,
            node.nodeId(),
            term,
            ++generation,
            captured.nextOffset(),
            captured.nextSeqNo(),
            captured.fenceTerm(),
            captured.lastSeqNo(),
            files,
            "",
            Map.of(),
            world.queue().nowMillis());
    lastPublished = manifest;
    lastManifestLost = false;
    leases.publish(manifest.generation(), new Held(manifest), world.queue().nowMillis());
    sweep();
    if (world.shape().remoteStore() && !world.mutated(Mutation.PUBLISH_BEFORE_THE_UPLOAD)) {
      upload(manifest, 0);
    } else {
      publish(manifest);
      if (world.shape().remoteStore()) {
        upload(manifest, 0);
      }
    }
  }

  /** Files first, the manifest last; a failed upload leaves the manifest unpublished. */
  private void upload(Manifest manifest, int index) {
    if (index == manifest.files().size()) {
      if (!world.mutated(Mutation.PUBLISH_BEFORE_THE_UPLOAD)) {
        publish(manifest);
      }
      return;
    }
    SegmentFile file = manifest.files().get(index);
    Segment segment = disk.files.get(file.name());
    if (segment == null || world.uploadFails()) {
      lastManifestLost = true;
      return;
    }
    after(
        world.network().latencyMicros(),
        () -> {
          world.store().put(shard, segment);
          upload(manifest, index + 1);
        });
  }

  private void publish(Manifest manifest) {
    world.observe(new Observation.Published(manifest, disk));
    try {
      manifests.append(
          RawRecord.keyed(manifest.recordKey(), Json.write(manifest)),
          new PartitionLog.AppendCallback() {
            @Override
            public void appended(long offset, long timestampMillis) {
              publishedSeqNo = Math.max(publishedSeqNo, manifest.visibleSeqNo());
              publishedOffset = Math.max(publishedOffset, manifest.nextOffset());
              announce();
            }

            @Override
            public void unknown(String reason) {
              lost();
            }
          });
    } catch (LogException.Full e) {
      lost();
    }
  }

  /** Others can show it only once it is published. */
  @Override
  public long toldSeqNo() {
    return Math.min(visibleSeqNo(), publishedSeqNo);
  }

  private void lost() {
    lastManifestLost = !world.mutated(Mutation.FORGET_A_LOST_MANIFEST);
  }

  private void announce() {
    if (!announced && !closed) {
      announced = true;
      askUntilStarted();
    }
  }

  private void askUntilStarted() {
    node.announceStarted(this, shard, copyId, term);
  }

  private void sweep() {
    leases.sweep(world.queue().nowMillis());
    Set<String> kept = new HashSet<>();
    for (long g = 1; g <= generation; g++) {
      leases
          .held(g)
          .ifPresent(held -> held.manifest().files().forEach(file -> kept.add(file.name())));
    }
    engine.deleteUnreferenced(kept);
  }

  Optional<Manifest> lease(long wantedGeneration, String holder) {
    return leases.lease(wantedGeneration, holder, world.queue().nowMillis()).map(Held::manifest);
  }

  void release(long leasedGeneration, String holder) {
    leases.release(leasedGeneration, holder, world.queue().nowMillis());
  }

  Optional<Segment> file(long wantedGeneration, String name) {
    return leases.held(wantedGeneration).map(held -> disk.files.get(name));
  }

  @Override
  public void close() {
    closed = true;
    writer.close("closed");
  }
}
