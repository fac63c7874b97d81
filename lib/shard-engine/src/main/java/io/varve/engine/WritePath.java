package io.varve.engine;

import io.varve.engine.document.KeptSource;
import io.varve.engine.version.DocumentState;
import io.varve.events.Operation;
import io.varve.events.ShardId;
import io.varve.rpc.ErrorBody;
import io.varve.rpc.WriteItem;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.atomic.LongAccumulator;
import org.jspecify.annotations.Nullable;

/**
 * Implements the steps of a write to a {@link ShardEngine}: parse, resolve, in flight, apply.
 *
 * <p>INVARIANT: applying is idempotent. An operation that was not resolved here is skipped if its
 * seq_no is not above that of its document's applied state.
 */
final class WritePath {

  private final ShardId shard;
  private final LuceneApplier applier;
  private final DocumentParser parser;
  private final DocumentStates states;
  private final Meters meters;
  private final WriteDecisions decisions;
  private final IndexingSlowLog slowLog;
  private final LongAccumulator maxSeqNo;

  /**
   * @param maxSeqNo an upper bound of the seq_nos in the segments, -1 for none
   */
  WritePath(
      EngineConfig config,
      LuceneApplier applier,
      DocumentParser parser,
      DocumentStates states,
      Meters meters,
      long maxSeqNo) {
    this.shard = config.shard();
    this.applier = applier;
    this.parser = parser;
    this.states = states;
    this.meters = meters;
    this.decisions = new WriteDecisions(parser, states::newest);
    this.slowLog = new IndexingSlowLog(config.shard(), config.settings());
    this.maxSeqNo = new LongAccumulator(Math::max, maxSeqNo);
  }

  /** An upper bound of the seq_nos in the segments, -1 for none. */
  long maxSeqNo() {
    return maxSeqNo.get();
  }

  /** Updates the settings of the slow log. */
  void settings(Map<String, String> settings) {
    slowLog.follow(settings);
  }

  /**
   * Parses the document of an index or create; deletes have nothing to parse. An update is parsed
   * when it is resolved; here the document that it changes is made readable.
   */
  Parsed parse(WriteItem item) {
    ErrorBody tooLong = IdLimit.check(item.id());
    if (tooLong != null) {
      return new Parsed.Invalid(tooLong);
    }
    return switch (item.kind()) {
      case INDEX, CREATE -> parser.parse(item.id(), item.bodyBytes());
      case UPDATE -> {
        states.makeReadable(item.id());
        yield new Parsed.Later();
      }
      case DELETE -> new Parsed.Later();
    };
  }

  Resolution resolve(WriteItem item, Parsed parsed) {
    Resolution resolution = decisions.resolve(item, parsed);
    meters.resolved(item, resolution);
    return resolution;
  }

  void inFlight(Operation operation) {
    states.appended(operation.id(), state(operation));
  }

  private DocumentState state(Operation operation) {
    return LuceneApplier.state(operation, KeptSource.of(parser.mapping(), operation.source()));
  }

  /**
   * Applies an accepted operation; false if it was applied before.
   *
   * @param decided {@code null} if the operation was not resolved here
   */
  boolean apply(Operation operation, Resolution.@Nullable Append decided) throws IOException {
    PhaseCounter tally = operation.isDelete() ? meters.delete : meters.index;
    long began = tally.begin();
    boolean changed = false;
    try {
      String id = operation.id();
      boolean replaces;
      if (decided != null) {
        replaces = !decided.created();
      } else {
        DocumentState before = states.applied(id);
        if (before != null && operation.seqNo() <= before.seqNo()) {
          states.settled(id, operation.seqNo());
          meters.skipped.increment();
          return false;
        }
        replaces = before != null && !before.deleted();
      }
      Parsed.Document document = document(operation, decided);
      // This precedes the indexing of the operation, because a snapshot that is taken in between
      // may contain it.
      maxSeqNo.accumulate(operation.seqNo());
      applier.apply(operation, document, replaces);
      states.applied(id, state(operation));
      changed = true;
      states.limitMemory();
      return true;
    } finally {
      long tookNanos = tally.end(began, changed);
      if (changed) {
        slowLog.applied(operation, tookNanos);
      }
    }
  }

  private Parsed.@Nullable Document document(
      Operation operation, Resolution.@Nullable Append decided) {
    byte[] source = operation.source();
    if (source == null) {
      return null;
    }
    if (decided != null && decided.document() != null) {
      return decided.document();
    }
    return parser.parseAccepted(shard, operation, source);
  }
}
