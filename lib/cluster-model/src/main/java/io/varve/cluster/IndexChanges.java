package io.varve.cluster;

import java.util.List;

/**
 * The indices in which two states differ. A changed index is in both lists, a created one in the
 * second and a deleted one in the first; an index that an event set to equal metadata may be in
 * both.
 *
 * @param before as they are in the earlier state
 * @param after as they are in the later state
 */
public record IndexChanges(List<IndexMetadata> before, List<IndexMetadata> after) {

  public IndexChanges {
    before = List.copyOf(before);
    after = List.copyOf(after);
  }
}
