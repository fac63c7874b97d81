package io.varve.standalone.load;

import java.io.IOException;
import java.util.List;
import java.util.Optional;

/**
 * The outcomes of the documents that were read.
 *
 * @param acknowledged indexed documents
 * @param refusals documents that Varve refused, by status and type of the error
 * @param stop the reason for which the rest was not sent; empty if all documents were sent
 */
public record LoadResult(long acknowledged, List<Refusal> refusals, Optional<Stop> stop) {

  public LoadResult {
    refusals = List.copyOf(refusals);
  }

  /**
   * Documents that were refused for the same reason.
   *
   * @param reason the reason of the first document
   * @param firstLine the line of the first one, 0 if it has none
   */
  public record Refusal(int status, String type, String reason, long firstLine, long count) {

    Refusal plus(Refusal other) {
      boolean earlier = firstLine <= other.firstLine;
      return new Refusal(
          status,
          type,
          earlier ? reason : other.reason,
          Math.min(firstLine, other.firstLine),
          count + other.count);
    }
  }

  /**
   * The end of a load before its input ended.
   *
   * @param unknown sent documents for which it is unknown whether they are indexed
   */
  public record Stop(String reason, long unknown) {}

  /** The number of refused documents. */
  public long refused() {
    return refusals.stream().mapToLong(Refusal::count).sum();
  }

  public boolean isComplete() {
    return refusals.isEmpty() && stop.isEmpty();
  }

  /** Returns the number of indexed documents if all were indexed, and throws otherwise. */
  public long orThrow() throws IOException {
    if (stop.isPresent()) {
      throw new IOException("a bulk failed: " + stop.get().reason());
    }
    if (!refusals.isEmpty()) {
      Refusal first = refusals.getFirst();
      throw new IOException(
          refused() + " documents were refused: " + first.type() + ": " + first.reason());
    }
    return acknowledged;
  }
}
