package io.varve.host;

/** What the cluster state wants at one shard's place on this node. */
sealed interface Goal {

  /**
   * A copy.
   *
   * @param term the primary's, 0 for a replica
   * @param usedTerm the term may have been used by this node's former process
   * @param reported the cluster knows it as started
   */
  record Copy(String copyId, boolean primary, long term, boolean usedTerm, boolean reported)
      implements Goal {

    /** Whether one object can serve both assignments. */
    boolean sameAs(Copy other) {
      return copyId.equals(other.copyId) && primary == other.primary && term == other.term;
    }
  }

  /** No copy. */
  record Nothing(boolean deleteFolder) implements Goal {}
}
