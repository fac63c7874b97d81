package io.varve.shard.replicated;

import io.varve.engine.version.DocumentState;
import io.varve.rpc.HoldsWire.Version;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;

/**
 * Determines which documents of a primary are in state 2 or 3, see {@link ReplicatedRecords}. A
 * contradicted record disputes all later versions of its document, whose seq_nos are known only
 * from the primary's documents.
 */
final class UnreplicatedDocuments {

  private final ReplicatedRecords records;
  private final Function<String, @Nullable DocumentState> present;

  /**
   * @param present the newest applied state of a document
   */
  UnreplicatedDocuments(
      ReplicatedRecords records, Function<String, @Nullable DocumentState> present) {
    this.records = records;
    this.present = present;
  }

  /** Whether the document with a seq_no is one of them, as of this call. */
  LongPredicate now() {
    List<Version> disputed = new ArrayList<>();
    for (String id : records.contradictedIds()) {
      DocumentState state = present.apply(id);
      if (state != null && !state.deleted()) {
        disputed.add(Version.of(id, state.seqNo(), state.term()));
      }
    }
    return records.unreplicated(disputed);
  }
}
