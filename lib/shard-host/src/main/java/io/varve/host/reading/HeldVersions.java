package io.varve.host.reading;

import io.varve.engine.version.DocumentState;
import io.varve.rpc.HoldsWire.Kind;
import io.varve.rpc.HoldsWire.Verdict;
import io.varve.rpc.HoldsWire.Version;
import org.jspecify.annotations.Nullable;

/**
 * Judges whether a copy holds a version of a document. Pure.
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

  private HeldVersions() {}

  /**
   * @param heldSeqNo the copy holds all operations up to this one
   * @param held what the copy has of the document
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
