package io.varve.engine;

import io.varve.engine.SearchableCopy.LiveVersion;
import io.varve.engine.version.DocumentState;
import java.util.List;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;

/** The documents of a copy in the order of their seq_nos. */
public interface DocumentsBySeqNo {

  /**
   * The newest applied state of a document without its source, including the tombstone of a delete;
   * {@code null} if there is neither.
   */
  @Nullable DocumentState state(String id);

  /**
   * The number of matching documents visible to searches whose seq_no is accepted by the predicate.
   * Reads the seq_no of each document.
   */
  long count(LongPredicate ofSeqNo, Matching matching);

  /**
   * The matching documents visible to searches whose seq_no is in the range and accepted by the
   * predicate, in the order of their seq_nos.
   *
   * @param toSeqNo exclusive
   */
  List<LiveVersion> between(long fromSeqNo, long toSeqNo, LongPredicate ofSeqNo, Matching matching);
}
