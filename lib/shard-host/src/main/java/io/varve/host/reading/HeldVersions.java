package io.varve.host.reading;

import io.varve.engine.version.DocumentState;
import io.varve.rpc.HoldsWire.Answer;
import io.varve.rpc.HoldsWire.Kind;
import io.varve.rpc.HoldsWire.Verdict;
import io.varve.rpc.HoldsWire.Version;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Decides whether a copy holds a version of a document. Pure.
 *
 * <pre>
 *   the copy holds all operations up to   and of the document          it
 *   less than the version's seq_no                                     is BEHIND
 *   the version's seq_no or more          that version                 HOLDS
 *                                         a version with a later one   has a NEWER one
 *                                         none, for a delete           HOLDS: tombstones are dropped
 *                                         any other version, or none   has an OTHER one
 * </pre>
 *
 * A document that is absent on the primary is held if the copy has none or a tombstone.
 */
public final class HeldVersions {

  /**
   * A copy that is asked.
   *
   * @param term the highest term of the operations that it holds
   * @param heldSeqNo it holds all operations up to this one
   * @param documents the version that it has of a document
   */
  public record Holder(
      String copyId,
      String incarnation,
      LongSupplier term,
      LongSupplier heldSeqNo,
      Function<String, @Nullable DocumentState> documents) {}

  private HeldVersions() {}

  /** The report of a copy about these versions. */
  public static Answer answer(List<Version> versions, Holder copy) {
    // INVARIANT: taken before the look-ups, so that they find everything up to it. The term is read
    // first, because with an older term, the primary counts less as held.
    long term = copy.term().getAsLong();
    long held = copy.heldSeqNo().getAsLong();
    List<Verdict> verdicts = new ArrayList<>();
    for (Version version : versions) {
      verdicts.add(judge(version, held, copy.documents().apply(version.id())));
    }
    return new Answer(copy.copyId(), copy.incarnation(), term, held, verdicts);
  }

  /**
   * @param heldSeqNo the copy holds all operations up to this one
   * @param held the version that the copy has of the document
   */
  public static Verdict judge(Version version, long heldSeqNo, @Nullable DocumentState held) {
    if (heldSeqNo < version.seqNo()) {
      return Verdict.BEHIND;
    }
    boolean gone = held == null || held.deleted();
    if (version.absent() && gone) {
      return Verdict.HOLDS;
    }
    if (held == null) {
      return version.kind() == Kind.TOMBSTONE ? Verdict.HOLDS : Verdict.OTHER;
    }
    if (held.seqNo() > version.seqNo()) {
      return Verdict.NEWER;
    }
    boolean same =
        !version.absent()
            && held.seqNo() == version.seqNo()
            && held.term() == version.term()
            && held.deleted() == (version.kind() == Kind.TOMBSTONE);
    return same ? Verdict.HOLDS : Verdict.OTHER;
  }
}
