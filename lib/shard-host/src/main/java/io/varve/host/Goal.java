package io.varve.host;

/** The desired state of one shard's place on this node, according to the cluster state. */
sealed interface Goal {

  /**
   * A copy.
   *
   * @param term the term of the primary, 0 for a replica
   * @param usedTerm whether this node's former process may have used the term
   * @param reported whether the copy is started in the cluster state
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
