package io.varve.testkit.sim;

import io.varve.control.command.ClusterCommand;
import io.varve.engine.Parsed;
import io.varve.engine.Resolution;
import io.varve.engine.WritableCopy;
import io.varve.events.Operation;
import io.varve.host.apply.AppliedCheckpoint;
import io.varve.host.reading.LogEnd;
import io.varve.log.FencedWriter;
import io.varve.log.OffsetWatcher;
import io.varve.log.PartitionLog;
import io.varve.rpc.ApiException;
import io.varve.rpc.ClusterCalls;
import io.varve.rpc.ErrorBody;
import io.varve.rpc.WriteItem;
import io.varve.rpc.WriteResult;
import io.varve.shard.primary.AppliedOperations;
import io.varve.shard.primary.Batch;
import io.varve.shard.primary.BulkRequest;
import io.varve.shard.primary.Sequencer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The writes of a primary. Production's {@link Sequencer}, {@link Batch} and {@link
 * AppliedOperations} decide the order and when a write is answered. Fields that the mapping lacks
 * are requested from the leading coordinator, as production's {@code PrimaryWrites} does.
 */
final class SimWrites {

  private static final int MAX_MAPPING_ROUNDS = 4;
  private static final long MAPPING_LOOK_MICROS = 5_000;
  private static final long MAPPING_TIMEOUT_MICROS = 300_000;

  private final PrimaryActor primary;
  private final FencedWriter writer;
  private final PartitionLog log;
  private final AppliedOperations applied;
  private @Nullable Sequencer sequencer;

  SimWrites(PrimaryActor primary, FencedWriter writer, PartitionLog log) {
    this.primary = primary;
    this.writer = writer;
    this.log = log;
    this.applied = new AppliedOperations(primary.lanes);
  }

  /** Starts to accept writes. */
  void begin(long nextSeqNo, AppliedCheckpoint checkpoint) {
    WritableCopy copy =
        primary.world.mutated(Mutation.ACK_BEFORE_IT_IS_APPLIED)
            ? new LateCopy(primary)
            : primary.engine;
    applied.begin(copy, checkpoint, new AppliedOperations.Listeners(_ -> {}, primary::requestTerm));
    sequencer =
        new Sequencer(copy, writer, log.maxRecordBytes(), nextSeqNo, this::acceptedByTheLog);
  }

  private void acceptedByTheLog(List<Batch.Pending> accepted) {
    if (!primary.closed) {
      accepted.forEach(pending ->
          primary.world.observe(
              new Observation.Taken(primary, pending.offset(), pending.operation())));
      applied.accept(accepted);
    }
  }

  /** The origin of the newest operation that was replayed; called after {@link #begin}. */
  void restoreOrigin(Operation.Origin origin) {
    Objects.requireNonNull(sequencer).restoreOrigin(origin);
  }

  /** The seq_no up to which everything is applied. */
  OffsetWatcher applied() {
    return applied.seqNo();
  }

  /** The end of the log relative to what is applied. */
  LogEnd logEnd(long term) {
    return new LogEnd(
        log,
        () -> applied.position(term),
        applied.offset(),
        task -> primary.after(primary.world.network().latencyMicros(), task),
        lost -> primary.requestTerm(String.valueOf(lost.getMessage())));
  }

  /** Null while no writes are accepted. */
  @Nullable Sequencer sequencer() {
    return writer.isOpen() ? sequencer : null;
  }

  /** A bulk and the callback for its answer. */
  private final class Asked {
    final List<WriteItem> items;
    final BulkRequest request;
    final List<Parsed> parsed = new ArrayList<>();
    final Consumer<List<WriteResult>> reply;
    int from;
    int rounds;

    Asked(List<WriteItem> items, Consumer<List<WriteResult>> reply) {
      this.items = items;
      this.reply = reply;
      this.request = new BulkRequest(items, this::answer);
      items.forEach(item -> parsed.add(primary.engine.parse(item)));
    }

    private void answer() {
      List<WriteResult> results = request.results(Duration.ZERO);
      for (int i = 0; i < items.size(); i++) {
        if (results.get(i) instanceof WriteResult.Done done) {
          primary.world.observe(new Observation.Acked(primary, items.get(i), done));
        }
      }
      reply.accept(results);
    }

    void parseAgain() {
      for (int i = from; i < items.size(); i++) {
        if (parsed.get(i) instanceof Parsed.NeedsMapping) {
          parsed.set(i, primary.engine.parse(items.get(i)));
        }
      }
    }
  }

  /**
   * Writes a bulk.
   *
   * @param expectedTerm the primary term in the coordinator's view
   */
  void write(List<WriteItem> items, long expectedTerm, Consumer<List<WriteResult>> reply) {
    if (expectedTerm != primary.term() || sequencer() == null) {
      WriteResult stale =
          new WriteResult.Failed(
              ErrorBody.of(409, WriteResult.STALE_PRIMARY, "not the primary of this term"));
      reply.accept(items.stream().map(_ -> stale).toList());
      return;
    }
    SimStrongReads strong = primary.strong();
    if (strong == null) {
      decide(new Asked(items, reply));
    } else {
      strong.awaitBases(items, refused -> decide(items, refused, reply));
    }
  }

  private void decide(
      List<WriteItem> items, Map<Integer, ErrorBody> refused, Consumer<List<WriteResult>> reply) {
    Asked asked = new Asked(items, reply);
    refused.forEach(asked.request::fail);
    decide(asked);
  }

  private void decide(Asked asked) {
    Sequencer now = sequencer;
    if (now == null) {
      return;
    }
    try {
      if (now.sequence(asked.request, asked.parsed, asked.from)
          instanceof Sequencer.Step.NeedsMapping(int item, Resolution.NeedsMapping fields)) {
        asked.rounds = item == asked.from ? asked.rounds + 1 : 1;
        asked.from = item;
        addFields(asked, fields);
      }
    } catch (ApiException e) {
      asked.request.failFrom(0, e.error());
    }
  }

  private void addFields(Asked asked, Resolution.NeedsMapping fields) {
    Runnable goOn =
        () -> {
          asked.parseAgain();
          decide(asked);
        };
    Runnable giveUp =
        () -> {
          asked.request.fail(asked.from, unmapped(asked.items.get(asked.from).id()));
          decide(asked);
        };
    if (asked.rounds > MAX_MAPPING_ROUNDS) {
      giveUp.run();
    } else {
      addFields(fields.mappingVersion(), fields.properties(), goOn, giveUp);
    }
  }

  private static ErrorBody unmapped(String id) {
    return ErrorBody.of(
        503,
        "process_cluster_event_timeout_exception",
        "the mapping still lacks fields of [" + id + "]");
  }

  /**
   * Requests fields from the leader. Continues when this node knows a mapping that is newer than
   * the one that lacks them.
   */
  private void addFields(long knownVersion, String properties, Runnable known, Runnable late) {
    primary.node.askLeader(
        new ClusterCommand.NewFields(
            new ClusterCalls.NewFields(primary.shard.indexUuid(), knownVersion, properties)));
    long deadlineMicros = primary.world.queue().nowMicros() + MAPPING_TIMEOUT_MICROS;
    awaitMapping(knownVersion, deadlineMicros, known, late);
  }

  private void awaitMapping(long knownVersion, long deadlineMicros, Runnable known, Runnable late) {
    if (primary.mapping.version() > knownVersion) {
      known.run();
    } else if (primary.world.queue().nowMicros() > deadlineMicros) {
      late.run();
    } else {
      primary.after(
          MAPPING_LOOK_MICROS, () -> awaitMapping(knownVersion, deadlineMicros, known, late));
    }
  }

  /** Drops writes that wait for the log: another primary may have accepted newer ones. */
  void gateClosed() {
    if (sequencer != null) {
      sequencer.gateClosed();
    }
  }

  void close() {
    gateClosed();
    applied.close();
  }
}
