package io.varve.testkit.sim;

/**
 * A rule broken on purpose, so that a test can show that the invariant which guards it notices.
 * Production classes are never changed: the simulated glue around them is.
 */
public enum Mutation {
  /** A primary acks whatever got an offset, without asking whether others wrote in between. */
  ACK_WITHOUT_FENCE_CHECK("ackedWriteIsAcceptedForever"),
  /** A primary acks when it has sent the record. */
  ACK_BEFORE_THE_APPEND_IS_KNOWN("ackedWriteIsAcceptedForever"),
  /** A primary acks what the log has accepted before it has applied it. */
  ACK_BEFORE_IT_IS_APPLIED("ackedWriteIsAppliedOnItsPrimary"),
  /** A primary opens its gate although another's fence of the same term came first. */
  OPEN_ALTHOUGH_THE_FENCE_LOST("atMostOneAcceptedWriterPerTerm"),
  /** Readers apply records of older terms. */
  ACCEPT_STALE_TERMS("everyCopyIsAPrefixOfTheLog"),
  /** Readers apply records behind a hole. */
  SKIP_DENSITY("seqNoIsDensePerShard"),
  /** Copies apply operations whose mapping their node does not know yet. */
  APPLY_WITHOUT_ITS_MAPPING("operationIsTakenUnderItsMapping"),
  /** Copies don't ask whether the log still holds what they hold and what was published. */
  GO_ON_WITH_A_LOG_THAT_WENT_BACK("logThatWentBackIsRefused"),
  /** A copy without a folder begins where the log begins, as if nothing had been before. */
  BEGIN_WHERE_THE_LOG_BEGINS("everyCopyIsAPrefixOfTheLog"),
  /** A replica takes from the store what is still there of a manifest. */
  INSTALL_WITHOUT_LOST_OBJECTS("manifestNamesOnlyExistingFiles"),
  /** An index is created again under the UUID of the one that was deleted. */
  REUSE_THE_UUID_OF_A_DELETED_INDEX("recreatedIndexHoldsNothingOfTheDeletedOne"),
  /** A refresh reads its place in the log after the flush. */
  CAPTURE_AFTER_THE_FLUSH("manifestNextOffsetNeverExceedsItsDocuments"),
  /** A manifest is appended before its files are in the store. */
  PUBLISH_BEFORE_THE_UPLOAD("manifestNamesOnlyExistingFiles"),
  /** A replica installs what arrived, whole or not. */
  INSTALL_WITHOUT_ALL_FILES("manifestNamesOnlyExistingFiles"),
  /** A primary publishes before it has replayed up to its fence. */
  PUBLISH_BEFORE_THE_REPLAY("visibleSeqNoNeverGoesBack"),
  /** A replica takes whichever manifest it saw last. */
  INSTALL_OLDER_MANIFESTS("visibleSeqNoNeverGoesBack"),
  /** Applying doesn't look at the seq_no that a document has. */
  APPLY_IS_NOT_IDEMPOTENT("replayTwiceEqualsReplayOnce"),
  /** The needs of the log are computed without the leases of the other cluster. */
  TRUNCATE_PAST_A_FOLLOWER("truncationNeverPassesANeed"),
  /** The needs of the log are computed without the primary's own commit. */
  TRUNCATE_PAST_THE_PRIMARYS_COMMIT("truncationNeverPassesANeed"),
  /** The needs of the log are computed without the commits of replicas. */
  TRUNCATE_PAST_A_REPLICAS_COMMIT("truncationNeverPassesANeed"),
  /** The follower's primary appends a batch again instead of dropping it. */
  FOLLOWER_TAKES_DUPLICATES("followerIsAPrefixOfItsLeader"),
  /** The puller reads the leader's log without the fence's rule. */
  PULLER_IGNORES_THE_FENCE("followerIsAPrefixOfItsLeader"),
  /** {@code wait_for} asks the primary alone. */
  WAIT_FOR_THE_PRIMARY_ALONE("waitForMeansVisibleEverywhere"),
  /** A copy that is opened before it is copied answers reads with what it was opened at. */
  READ_AN_OPENED_COPY_AS_IT_IS("openedReadShowsWhatWasWaitedFor"),
  /** A copy counts as started as soon as it is opened. */
  ANNOUNCE_WHAT_IS_ONLY_OPENED("startedCopyHoldsWhatItShows"),
  /** A copy that can't reach the newest manifest's files starts with what it has. */
  START_WITHOUT_A_SOURCE("startedCopyIsNotBehindWhatWasShown"),
  /** A copy answers a read whatever the token names. */
  READ_WITHOUT_ITS_TOKEN("tokenReadSeesItsWrite"),
  /** A manifest whose append failed is published again only when there is something new. */
  FORGET_A_LOST_MANIFEST("ackedWriteReachesEveryCopy"),
  /** A conditional write is not compared with the operations in flight. */
  RESOLVE_WITHOUT_WHAT_IS_IN_FLIGHT("conditionalWriteFollowsWhatItRead"),
  /** When the primary is lost, a copy for searches alone takes its place. */
  PROMOTE_A_SEARCH_COPY("searchCopyIsNeverPromoted"),
  /** A primary that moves is gone as soon as its target has its files. */
  DROP_A_PRIMARY_BEFORE_ITS_SUCCESSOR_STARTS("servingPrimaryGoesOnlyForAStartedOne"),
  /** A snapshot of the cluster log lacks the members. */
  SNAPSHOT_WITHOUT_MEMBERS("snapshotStateEqualsTheWholeLogs");

  private final String caughtBy;

  Mutation(String caughtBy) {
    this.caughtBy = caughtBy;
  }

  /** The name of the invariant that must fail. */
  public String caughtBy() {
    return caughtBy;
  }
}
