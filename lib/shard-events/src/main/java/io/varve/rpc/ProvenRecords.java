package io.varve.rpc;

import java.util.List;

/**
 * The records of a query that are now replicated.
 *
 * @param positions of the proven versions in the query, in order
 * @param throttledMillis the time for which the limit of the node delayed the query
 */
public record ProvenRecords(
    List<Integer> positions, RereplicationPage.Proofs proofs, long throttledMillis) {

  public ProvenRecords {
    positions = List.copyOf(positions);
  }
}
