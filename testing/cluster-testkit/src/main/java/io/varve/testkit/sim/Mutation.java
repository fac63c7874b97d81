package io.varve.testkit.sim;

/**
 * A rule that is broken on purpose, so that a test can prove that the invariant for this rule
 * detects it. Production classes are never changed, only the simulated code around them.
 */
public enum Mutation {
  /**
   * A primary acks every append that got an offset, without checking whether others wrote in
   * between.
   */
  ACK_WITHOUT_FENCE_CHECK("ackedWriteIsAcceptedForever"),
  /** A primary acks as soon as the record is sent. */
  ACK_BEFORE_THE_APPEND_IS_KNOWN("ackedWriteIsAcceptedForever"),
  /** A primary acks an accepted write before applying it. */
  ACK_BEFORE_IT_IS_APPLIED("ackedWriteIsAppliedOnItsPrimary"),
  /** A primary opens its gate although another fence of the same term came first. */
  OPEN_ALTHOUGH_THE_FENCE_LOST("atMostOneAcceptedWriterPerTerm"),
  /** Readers apply records of older terms. */
  ACCEPT_STALE_TERMS("everyCopyIsAPrefixOfTheLog"),
  /** Readers apply records after a gap. */
  SKIP_DENSITY("seqNoIsDensePerShard"),
  /** Copies apply operations whose mapping their node does not know yet. */
  APPLY_WITHOUT_ITS_MAPPING("operationIsTakenUnderItsMapping"),
  /** A follower takes operations before the version of its leader's mapping that they need. */
  FOLLOW_WITHOUT_THE_LEADERS_MAPPING("operationIsTakenUnderItsMapping"),
  /** Copies do not check that the log still holds what they applied and what was published. */
  GO_ON_WITH_A_LOG_THAT_WENT_BACK("logThatWentBackIsRefused"),
  /** A copy without a folder starts at the start of the log, even if the log was truncated. */
  BEGIN_WHERE_THE_LOG_BEGINS("everyCopyIsAPrefixOfTheLog"),
  /** A replica installs the files of a manifest that the store still has, even if some are lost. */
  INSTALL_WITHOUT_LOST_OBJECTS("manifestNamesOnlyExistingFiles"),
  /** An index is created again with the UUID of the deleted one. */
  REUSE_THE_UUID_OF_A_DELETED_INDEX("recreatedIndexHoldsNothingOfTheDeletedOne"),
  /** A refresh captures its position in the log after the flush. */
  CAPTURE_AFTER_THE_FLUSH("manifestNextOffsetNeverExceedsItsDocuments"),
  /** A manifest counts as stored before its files are uploaded. */
  STORED_BEFORE_THE_UPLOAD("manifestNamesOnlyExistingFiles"),
  /** A replica installs the files that arrived, even if truncated. */
  INSTALL_WITHOUT_ALL_FILES("manifestNamesOnlyExistingFiles"),
  /** A primary publishes before it has replayed up to its fence. */
  PUBLISH_BEFORE_THE_REPLAY("visibleSeqNoNeverGoesBack"),
  /** A replica installs the manifest that it read last, even if it is older. */
  INSTALL_OLDER_MANIFESTS("visibleSeqNoNeverGoesBack"),
  /** Applying an operation ignores the seq_no of the document. */
  APPLY_IS_NOT_IDEMPOTENT("replayTwiceEqualsReplayOnce"),
  /** The needs of the log ignore the leases of the other cluster. */
  TRUNCATE_PAST_A_FOLLOWER("truncationNeverPassesANeed"),
  /** A follower that replays its leader's log takes its lease at the newest manifest. */
  TAKE_THE_LEASE_AT_THE_MANIFEST("truncationNeverPassesANeed"),
  /** A puller sends a plan to an empty primary before it has a lease. */
  BEGIN_WITHOUT_A_LEASE("truncationNeverPassesANeed"),
  /** The needs of the log ignore the primary's own commit. */
  TRUNCATE_PAST_THE_PRIMARYS_COMMIT("truncationNeverPassesANeed"),
  /** The needs of the log ignore commits that are pinned for followers. */
  TRUNCATE_PAST_A_PINNED_COMMIT("truncationNeverPassesANeed"),
  /** The needs of the log ignore the commits of replicas. */
  TRUNCATE_PAST_A_REPLICAS_COMMIT("truncationNeverPassesANeed"),
  /** A primary deletes operations before the cluster log says that it is started. */
  TRUNCATE_BEFORE_THE_START("truncationNeverPassesANeed"),
  /** The follower's primary appends a batch again instead of dropping it. */
  FOLLOWER_TAKES_DUPLICATES("followerIsAPrefixOfItsLeader"),
  /** The puller reads the leader's log without the fence's rule. */
  PULLER_IGNORES_THE_FENCE("followerIsAPrefixOfItsLeader"),
  /** The puller does not compare what the follower holds with the leader's log. */
  PULL_WITHOUT_COMPARING("followerIsAPrefixOfItsLeader"),
  /** The puller compares only when it begins to read, not after an interruption. */
  PULL_ON_AFTER_AN_INTERRUPTION("followerIsAPrefixOfItsLeader", Kind.FOLLOWED_CLUSTERS),
  /** The puller compares terms, seq_nos and offsets, which repeat, and no digests. */
  COMPARE_WITHOUT_DIGESTS("followerIsAPrefixOfItsLeader"),
  /** {@code wait_for} asks only the primary. */
  WAIT_FOR_THE_PRIMARY_ALONE("waitForMeansVisibleEverywhere"),
  /** {@code wait_for} does not ask copies that the cluster state does not name as started. */
  WAIT_FOR_STARTED_COPIES_ALONE("searchShowsWhatWasWaitedFor", Kind.HELD_STARTS),
  /** {@code wait_for} asks the copies that its coordinator knows, however old its state is. */
  WAIT_IN_AN_OLD_STATE("searchShowsWhatWasWaitedFor", Kind.UNKNOWN_STARTS),
  /**
   * A copy that is opened before it is copied answers reads without waiting for newer manifests.
   */
  READ_AN_OPENED_COPY_AS_IT_IS("openedReadShowsWhatWasWaitedFor"),
  /** A copy counts as started as soon as it is opened. */
  ANNOUNCE_WHAT_IS_ONLY_OPENED("startedCopyHoldsWhatItShows"),
  /** A copy that can't reach the newest manifest's files starts with the ones it has. */
  START_WITHOUT_A_SOURCE("startedCopyIsNotBehindWhatWasShown"),
  /**
   * A copy whose node was absent is reported again without a check of what other copies have shown
   * in that time.
   */
  REPORT_AGAIN_WHAT_WAS_ENOUGH_BEFORE("startedCopyIsNotBehindWhatWasShown", Kind.LATE_STARTS),
  /** A report that a copy has started is accepted although its node has joined again since then. */
  ACCEPT_REPORTS_OF_AN_EARLIER_MEMBERSHIP("replicatedIsHeldByAll", Kind.LATE_STARTS),
  /** A copy answers a read without regard to its token. */
  READ_WITHOUT_ITS_TOKEN("tokenReadSeesItsWrite"),
  /** A manifest whose append failed is retried only together with new operations. */
  FORGET_A_LOST_MANIFEST("ackedWriteReachesEveryCopy"),
  /** A conditional write is resolved without the operations in flight. */
  RESOLVE_WITHOUT_WHAT_IS_IN_FLIGHT("conditionalWriteFollowsWhatItRead"),
  /** When the primary is lost, a search copy is promoted. */
  PROMOTE_A_SEARCH_COPY("searchCopyIsNeverPromoted"),
  /** A relocating primary is removed as soon as its target has the files. */
  DROP_A_PRIMARY_BEFORE_ITS_SUCCESSOR_STARTS("servingPrimaryGoesOnlyForAStartedOne"),
  /** A replica of a strong index starts as it is opened, without the admission of its primary. */
  START_WITHOUT_AN_ADMISSION("replicatedIsHeldByAll"),
  /** A copy reports operations to its primary that it has read but does not hold yet. */
  ANSWER_WITH_WHAT_IS_ONLY_READ("replicatedIsHeldByAll"),
  /** A strong get returns the primary's newest version without asking the copies. */
  RETURN_WHAT_IS_NOT_REPLICATED("replicatedIsHeldByAll"),
  /** A strong get does not ask for the end of the log. */
  READ_WITHOUT_THE_LOGS_END("neverUnRead"),
  /** A primary treats an offset below the expected one as the expected one. */
  ACK_ON_A_GAP("noWriteOnAGap", Kind.STRONG_INDICES),
  /** A copy that its node reports as failed loses its place, even if it may be the last one. */
  GIVE_UP_EVERY_FAILED_COPY("ackedWriteReachesEveryCopy", Kind.LOST_PLACES),
  /** The primary of a strong index does not ask the other copies which operations they hold. */
  CONTINUE_WITHOUT_ASKING_THE_OTHERS("neverUnRead", Kind.UNPUBLISHED_TAILS),
  /**
   * A job continues at its position although another primary answers, which does not know the
   * states of the records.
   */
  CONTINUE_A_JOB_UNDER_ANOTHER_PRIMARY("jobPassesOnlyWhatIsReplicated", Kind.REREPLICATIONS),
  /** A job continues after the records of a step that was not answered. */
  CONTINUE_A_JOB_BEHIND_AN_UNANSWERED_STEP("jobPassesOnlyWhatIsReplicated", Kind.REREPLICATIONS),
  /** A job writes a record even if its version is no longer the one that the job found. */
  WRITE_A_RECORD_WHATEVER_ITS_VERSION("jobsWriteFollowsWhatItFound", Kind.WRITING_JOBS),
  /** A job that writes continues after the records of a step that was not answered. */
  WRITE_BEHIND_AN_UNANSWERED_STEP("jobWritesWhatItPasses", Kind.WRITING_JOBS),
  /** A job that writes continues at its position although the log may have lost its writes. */
  CONTINUE_A_WRITING_JOB_AFTER_A_REVIVAL("jobWritesWhatItPasses", Kind.REVIVALS),
  /** The puller of a strong leader sends operations that are not known to be replicated. */
  PULL_WHAT_IS_NOT_REPLICATED("followerHasOnlyWhatIsReplicated"),
  /** A follower starts with segments that hold operations that its own log does not have yet. */
  START_BEFORE_THE_LOG_HAS_THE_SEGMENTS("everyCopyIsAPrefixOfTheLog"),
  /** A follower copies segments of a strong leader that are not known to be replicated. */
  COPY_WHAT_IS_NOT_REPLICATED("followerHasOnlyWhatIsReplicated", Kind.STRONG_INDICES),
  /** A follower that lost its leader's history is replaced before its successor is started. */
  REPLACE_BEFORE_THE_SUCCESSOR_STARTS("successorHasWhatItsLeaderPublished"),
  /** A follower whose primary is empty is replaced although another copy may have the content. */
  REPLACE_WHILE_ANOTHER_COPY_HAS_IT("onlyALostShardIsReported", Kind.LOST_SHARDS),
  /**
   * A follower is replaced although a replica that ends before the newest manifest can continue.
   */
  REPLACE_WHILE_ANOTHER_COPY_CAN_CONTINUE("onlyALostShardIsReported", Kind.LOST_SHARDS),
  /** A primary keeps copied segments although another primary has begun the log in the meantime. */
  KEEP_A_CONTRADICTED_COPY("everyCopyIsAPrefixOfTheLog", Kind.TWO_BEGINNINGS),
  /** An index that fails back does not fence the log of the former leader index. */
  FAIL_BACK_WITHOUT_A_FENCE("quarantineHoldsWhatFollowedTheFork", Kind.FAILBACKS),
  /**
   * An index that fails back also applies the operations that the former index accepted after the
   * fork.
   */
  REPLAY_PAST_THE_FORK("everyCopyIsAPrefixOfTheLog", Kind.FAILBACKS),
  /** An index that fails back continues from the newest pinned commit, even past the fork. */
  CONTINUE_FROM_A_COMMIT_PAST_THE_FORK("everyCopyIsAPrefixOfTheLog", Kind.FAILBACKS),
  /** A probe treats a paused process as one that refuses connections. */
  TAKE_A_PAUSE_FOR_THE_END("refusedMemberHasEnded"),
  /** A leader counts the time in which the log delivered no heartbeats as silence of members. */
  COUNT_TIME_WITHOUT_THE_LOG("timeWithoutTheLogIsNoSilence", Kind.LOG_OUTAGES),
  /** A coordinator acknowledges a change that it has applied, without asking the others. */
  ACKNOWLEDGE_WHAT_OTHERS_HAVE_NOT_APPLIED("acknowledgedChangeIsKnown", Kind.CHANGES),
  /** A coordinator serves requests when it has read the log, before it has joined the others. */
  SERVE_BEFORE_THE_JOIN("acknowledgedChangeIsKnown", Kind.CHANGES),
  /** Processes of the former release announce the levels of this one. */
  ANNOUNCE_LEVELS_THAT_ARE_NOT_SUPPORTED("nothingIsAboveTheFeatureLevel", Kind.UPGRADES),
  /** Strongly consistent indices are created at any level. */
  CREATE_INDICES_OF_A_HIGHER_LEVEL("nothingIsAboveTheFeatureLevel", Kind.UPGRADES),
  /** A snapshot of the cluster log lacks the members. */
  SNAPSHOT_WITHOUT_MEMBERS("snapshotStateEqualsTheWholeLogs");

  /** The histories in which a broken rule has an effect. */
  public enum Kind {
    /** Those of {@link Simulation}. */
    ANY,
    /** Those of {@link Simulation} with a strongly consistent index, whose log loses its tail. */
    STRONG_INDICES,
    /** Those of {@link Simulation} with a follower of another cluster, whose log goes back. */
    FOLLOWED_CLUSTERS,
    FAILBACKS,
    /** A follower's copies lose their disks. */
    LOST_SHARDS,
    /** Two primaries of a follower begin at the same time. */
    TWO_BEGINNINGS,
    /** A primary loses its disk while the log lacks its end. */
    LOST_PLACES,
    /** Jobs prove the records of a strongly consistent index, and are cancelled and continued. */
    REREPLICATIONS,
    /** Jobs write the records of a strongly consistent index, and are cancelled and continued. */
    WRITING_JOBS,
    /** A log loses its end for good, and its shard is revived, while jobs write its records. */
    REVIVALS,
    /** Nodes are removed, and return, while reports of starts are in flight. */
    LATE_STARTS,
    /** Reports of starts arrive late, while the copies fall behind. */
    HELD_STARTS,
    /** Copies start while a coordinator that lags does not know that they are assigned. */
    UNKNOWN_STARTS,
    /** A cluster of the former release is upgraded, and then its feature level is raised. */
    UPGRADES,
    /** A log loses operations that only the replicas hold and no manifest shows. */
    UNPUBLISHED_TAILS,
    /** Clients change the cluster state while coordinators lag, end and start. */
    CHANGES,
    /** Partitions of the log are unavailable, but no process fails. */
    LOG_OUTAGES
  }

  private final String caughtBy;
  private final Kind kind;

  Mutation(String caughtBy) {
    this(caughtBy, Kind.ANY);
  }

  Mutation(String caughtBy, Kind kind) {
    this.caughtBy = caughtBy;
    this.kind = kind;
  }

  /** The histories that must detect it. */
  public Kind kind() {
    return kind;
  }

  /** The name of the invariant that must fail. */
  public String caughtBy() {
    return caughtBy;
  }
}
