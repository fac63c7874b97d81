package io.varve.events;

/**
 * A capability that a cluster has only from some feature level on. Check it before writing anything
 * that an older release can't read: {@code state.has(Feature.X)}.
 */
public enum Feature {
  /** Allows {@code FeatureLevelRaised} in the cluster log. */
  FEATURE_LEVELS(2),

  /** Allows {@code SnapshotPart} in the cluster log, and a cluster log that begins with it. */
  CLUSTER_LOG_SNAPSHOTS(2),

  /** Allows the digest of the leader's record in the origin of an operation. */
  ORIGIN_DIGESTS(2),

  /** Allows several nodes to pull shards of one index: each of them knows which shards it pulls. */
  SPREAD_PULLERS(2),

  /** Allows {@code FollowChanged} in the cluster log, and parameters of a follower index. */
  FOLLOWER_LIFECYCLE(2),

  /**
   * Lets the empty primary of a following index wait for a plan of its puller, and allows {@code
   * FollowerReplaced} in the cluster log.
   */
  FOLLOWER_BOOTSTRAP(2),

  /** Allows auto-follow patterns in the cluster log, and origins of a follower index. */
  AUTO_FOLLOW(2),

  /**
   * Allows {@code LeasesChanged} in the cluster log: the leases of followers on indices of this
   * cluster.
   */
  RECORDED_LEASES(2),

  /** Allows {@code ShardForked} in the cluster log, and the fork in {@code FollowChanged}. */
  FORKS(2),

  /** Allows strongly consistent indices, whose copies report which versions they hold. */
  STRONG_CONSISTENCY(2),

  /**
   * Allows {@code ShardRevived} in the cluster log, and the revival of a shard in its operations
   * log.
   */
  REVIVAL(2),

  /** Allows an index that replaces a former leader index. */
  FAILBACK(2),

  /**
   * Allows {@code FollowStatusChanged} and {@code OperationSkipped} in the cluster log: a follower
   * records the version of its leader's mapping, and derives no fields.
   */
  FOLLOW_STATUS(2),

  /** Allows {@link ReplicatedSeqNo} in the manifests topic of a strongly consistent index. */
  REPLICATED_SEQ_NOS(2),

  /** Allows records in the security topic: users, roles and API keys. */
  SECURITY(2),

  /** Allows a new index to record that no primary of its shards was ever started. */
  NEVER_STARTED(2),

  /**
   * Allows manifests, including those in the segment store, to state the oldest version of readers.
   */
  MIN_READER_VERSION(3),

  /** Allows {@code AllChanged} in the security topic: several changes that take effect together. */
  SECURITY_CHANGES(3),

  /** Allows one request to a node for the parts of a bulk for several of its primaries. */
  NODE_BULKS(3),

  /**
   * Lets the cluster state record the version at which each member joined. Allows, in the {@code
   * CopyStarted} request of a node, the version from which on the copy has proven that it may
   * start.
   */
  MEMBER_SINCE(3),

  /**
   * Lets coordinators ask each other which versions of the cluster state and of the security state
   * they have applied.
   */
  APPLIED_VERSIONS(3);

  private final int since;

  Feature(int since) {
    this.since = since;
  }

  /** The first level with this feature. */
  public int since() {
    return since;
  }

  public boolean in(int featureLevel) {
    return featureLevel >= since;
  }
}
