package io.varve.rpc;

import java.util.List;

/**
 * The records of a question that are replicated now.
 *
 * @param positions of the proven versions in the question, in order
 * @param throttledMillis the time for which the limit of the node delayed the question
 */
public record ProvenRecords(
    List<Integer> positions, RereplicationPage.Proofs proofs, long throttledMillis) {

  public ProvenRecords {
    positions = List.copyOf(positions);
  }
}
