package io.varve.shard.replicated;

import io.varve.engine.Matching;
import io.varve.engine.SearchableCopy;
import io.varve.engine.version.DocumentState;
import io.varve.host.reading.HeldVersions;
import io.varve.rpc.CheckedFiles;
import io.varve.rpc.DigestWire;
import io.varve.rpc.HoldsWire;
import io.varve.rpc.HoldsWire.Verdict;
import io.varve.rpc.HoldsWire.Version;
import io.varve.rpc.RereplicationPage.Compared;
import io.varve.rpc.SeqNoDigests;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Compares the documents of a primary with those of its other copies, up to a seq_no that all of
 * them hold.
 *
 * <pre>
 *   DOCUMENT   by digests of ranges of seq_nos; for a range that differs, the records of both sides
 *              are compared by id, because one side may only have applied more of the log
 *   SEGMENT    by the files of the manifest that the copy shows
 * </pre>
 *
 * <p>A record is contradicted if a side that holds all operations up to it has neither the record
 * nor a later version; see {@link HeldVersions}.
 */
final class CopyComparison {

  /** The other copies. */
  interface Others {

    Set<Opening> openings();

    /** The digests of the documents below {@code toSeqNo}. */
    DigestWire.Answer digests(Member member, long toSeqNo) throws IOException, InterruptedException;

    /** The documents in a range. */
    List<Version> versions(Member member, SeqNoDigests.Range range)
        throws IOException, InterruptedException;

    HoldsWire.Answer ask(Member member, List<Version> versions)
        throws IOException, InterruptedException;

    CheckedFiles checkFiles(Member member) throws IOException, InterruptedException;
  }

  /** The documents of the primary. */
  interface Own {

    SeqNoDigests digests(long toSeqNo);

    List<Version> versions(SeqNoDigests.Range range);

    @Nullable DocumentState state(String id);
  }

  /**
   * The result.
   *
   * @param openings the members, each in the opening in which it was compared
   * @param asked records that were asked for by id
   * @param differences of the copies that contradict the primary
   * @param late copies that do not hold all operations up to the seq_no, or not in the run that the
   *     cluster state names
   */
  record Result(
      Set<Opening> openings,
      Compared compared,
      long asked,
      Map<Member, Differences> differences,
      List<String> late) {}

  /**
   * The differences of a copy from the primary.
   *
   * @param files of its manifest
   */
  record Differences(List<Disputed> records, List<String> files) {

    /** Ids of documents, or names of files. */
    List<String> names() {
      return Stream.concat(
              records.stream().map(disputed -> disputed.version().id()), files.stream())
          .toList();
    }
  }

  private final Own own;
  private final Others others;
  private final LongSupplier applied;
  private final Map<Member, Differences> differences = new LinkedHashMap<>();
  private final Set<MemberVersion> disputedVersions = new HashSet<>();
  private final List<String> late = new ArrayList<>();
  private Compared compared = Compared.NOTHING;
  private long asked;

  /**
   * @param applied the seq_no up to which the primary has applied everything
   */
  CopyComparison(Own own, Others others, LongSupplier applied) {
    this.own = own;
    this.others = others;
    this.applied = applied;
  }

  static Own own(SearchableCopy copy) {
    return new Own() {
      @Override
      public SeqNoDigests digests(long toSeqNo) {
        return copy.digests(toSeqNo);
      }

      @Override
      public List<Version> versions(SeqNoDigests.Range range) {
        return copy.between(range.fromSeqNo(), range.toSeqNo(), _ -> true, Matching.ALL).stream()
            .map(one -> Version.of(one.id(), one.seqNo(), one.term()))
            .toList();
      }

      @Override
      public @Nullable DocumentState state(String id) {
        return copy.state(id);
      }
    };
  }

  /**
   * Compares all copies.
   *
   * @param segments whether they receive their segments
   * @throws IOException if a copy does not answer
   */
  Result compare(long upToSeqNo, boolean segments) throws IOException, InterruptedException {
    // INVARIANT: taken before the copies are asked, so that a later opening does not count.
    Set<Opening> openings = Collections.unmodifiableSet(new LinkedHashSet<>(others.openings()));
    for (Opening opening : openings) {
      if (segments) {
        files(opening.member(), upToSeqNo);
      } else {
        documents(opening.member(), upToSeqNo + 1);
      }
    }
    return new Result(openings, compared, asked, differences, late);
  }

  private void files(Member member, long upToSeqNo) throws IOException, InterruptedException {
    CheckedFiles answer = others.checkFiles(member);
    if (isLate(member, answer.incarnation(), answer.visibleSeqNo(), upToSeqNo)) {
      return;
    }
    compared = compared.plus(new Compared(0, 0, answer.files()));
    if (!answer.differing().isEmpty()) {
      of(member).files().addAll(answer.differing());
    }
  }

  private void documents(Member member, long toSeqNo) throws IOException, InterruptedException {
    DigestWire.Answer answer = others.digests(member, toSeqNo);
    if (isLate(member, answer.incarnation(), answer.seqNo(), toSeqNo - 1)) {
      return;
    }
    SeqNoDigests digests = own.digests(toSeqNo);
    List<SeqNoDigests.Range> differing = digests.differing(answer.digests());
    compared = compared.plus(new Compared(digests.ranges(), differing.size(), 0));
    for (SeqNoDigests.Range range : differing) {
      records(
          member, new SeqNoDigests.Range(range.fromSeqNo(), Math.min(range.toSeqNo(), toSeqNo)));
    }
  }

  private boolean isLate(Member member, String incarnation, long heldSeqNo, long upToSeqNo) {
    boolean isLate = !incarnation.equals(member.incarnation()) || heldSeqNo < upToSeqNo;
    if (isLate) {
      late.add(member.copyId());
    }
    return isLate;
  }

  private void records(Member member, SeqNoDigests.Range range)
      throws IOException, InterruptedException {
    List<Version> theirs = others.versions(member, range);
    List<Version> mine = own.versions(range);
    List<Version> onlyMine = without(mine, theirs);
    List<Version> onlyTheirs = without(theirs, mine);
    asked += onlyMine.size() + onlyTheirs.size();
    if (!onlyMine.isEmpty()) {
      List<Verdict> verdicts = others.ask(member, onlyMine).verdicts();
      for (int i = 0; i < verdicts.size(); i++) {
        judged(member, verdicts.get(i), Disputed.of(onlyMine.get(i)));
      }
    }
    long held = applied.getAsLong();
    for (Version version : onlyTheirs) {
      DocumentState state = own.state(version.id());
      judged(member, HeldVersions.judge(version, held, state), mine(version.id(), state, held));
    }
  }

  /**
   * The primary's version in place of a copy's version; the log may have a later one up to that
   * seq_no.
   */
  private static Disputed mine(String id, @Nullable DocumentState state, long heldSeqNo) {
    Version version = Confirmer.version(id, state, heldSeqNo);
    return new Disputed(version, Math.max(heldSeqNo, version.seqNo()));
  }

  private static List<Version> without(List<Version> all, List<Version> some) {
    Set<Version> excluded = new HashSet<>(some);
    return all.stream().filter(version -> !excluded.contains(version)).toList();
  }

  private void judged(Member member, Verdict verdict, Disputed disputed) {
    switch (verdict) {
      case OTHER -> contradicted(member, disputed);
      case BEHIND -> late.add(member.copyId());
      case HOLDS, NEWER -> {
        // One side has applied more of the log.
      }
    }
  }

  private void contradicted(Member member, Disputed disputed) {
    if (disputedVersions.add(new MemberVersion(member, disputed.version()))) {
      of(member).records().add(disputed);
    }
  }

  private record MemberVersion(Member member, Version version) {}

  private Differences of(Member member) {
    return differences.computeIfAbsent(
        member, _ -> new Differences(new ArrayList<>(), new ArrayList<>()));
  }
}
