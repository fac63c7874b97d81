package io.varve.testkit.sim;

import java.util.List;

/** All rules, with fresh state for one history. */
final class Invariants {

  private Invariants() {}

  static List<Invariant> all() {
    return List.of(
        new AtMostOneAcceptedWriterPerTerm(),
        new AckedWriteIsAcceptedForever(),
        new AckedWriteIsAppliedOnItsPrimary(),
        new AckedWriteReachesEveryCopy(),
        new OperationIsTakenUnderItsMapping(),
        new LogThatWentBackIsRefused(),
        new RecreatedIndexHoldsNothingOfTheDeletedOne(),
        new EveryCopyIsAPrefixOfTheLog(),
        new SeqNoIsDensePerShard(),
        new VisibleSeqNoNeverGoesBack(),
        new ManifestNamesOnlyExistingFiles(),
        new ManifestNextOffsetNeverExceedsItsDocuments(),
        new ReplayTwiceEqualsReplayOnce(),
        new TruncationNeverPassesANeed(),
        new FollowerIsAPrefixOfItsLeader(),
        new WaitForMeansVisibleEverywhere(),
        new OpenedReadShowsWhatWasWaitedFor(),
        new SearchShowsWhatWasWaitedFor(),
        new StartedCopyHoldsWhatItShows(),
        new StartedCopyIsNotBehindWhatWasShown(),
        new TokenReadSeesItsWrite(),
        new ConditionalWriteFollowsWhatItRead(),
        new SearchCopyIsNeverPromoted(),
        new ServingPrimaryGoesOnlyForAStartedOne(),
        new RefusedMemberHasEnded(),
        new TimeWithoutTheLogIsNoSilence(),
        new AcknowledgedChangeIsKnown(),
        new NothingIsAboveTheFeatureLevel(),
        new SnapshotStateEqualsTheWholeLogs(),
        new ReplicatedIsHeldByAll(),
        new NeverUnRead(),
        new JobPassesOnlyWhatIsReplicated(),
        new JobsWriteFollowsWhatItFound(),
        new JobWritesWhatItPasses(),
        new NoWriteOnAGap(),
        new FollowerHasOnlyWhatIsReplicated(),
        new SuccessorHasWhatItsLeaderPublished(),
        new OnlyALostShardIsReported(),
        new QuarantineHoldsWhatFollowedTheFork());
  }

  static Invariant named(String name) {
    return all().stream()
        .filter(invariant -> invariant.name().equals(name))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("no invariant is named " + name));
  }
}
