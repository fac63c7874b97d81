package io.varve.coordinator.rest.document;

import io.varve.rpc.ErrorBody;
import io.varve.rpc.GetResult;
import io.varve.rpc.WriteItem;
import io.varve.rpc.WriteResult;
import org.jspecify.annotations.Nullable;

/**
 * Decides whether and how a write whose first attempt was not answered is repeated at the primary
 * of a newer term. That primary has applied everything that was accepted before its fence, and
 * nothing that its predecessor sends is accepted after the fence. The first attempt is therefore
 * either already in its history, or never will be.
 *
 * <pre>
 *   item                                         repeated
 *   index or create, id made by a coordinator    as version 1 of an id that was never written
 *   with if_seq_no and if_primary_term           as it is: no two operations have the same seq_no,
 *                                                so the condition can be met only once
 *   anything else                                never: another client may have written the id in
 *                                                between, and the write would be applied twice
 *
 *   answer to the repetition                     result
 *   written                                      written: the first attempt is not in the log
 *   conflict of an id made by a coordinator:
 *     version 1 exists                           created: the first attempt is in the log
 *     another version or a tombstone             unknown: it was written and changed since, so its
 *                                                seq_no can no longer be determined
 *   conflict of an if_seq_no                     unknown: the first attempt, or another client, has
 *                                                changed the document
 *   not written, sent to the wrong primary       none yet: it may be repeated again
 *   anything else                                unknown: no information on the first attempt
 * </pre>
 */
final class RepeatedWrite {

  private static final long FIRST_VERSION = 1;

  private RepeatedWrite() {}

  static boolean isAllowed(WriteItem item) {
    return isNew(item) || item.ifSeqNo() != WriteItem.UNASSIGNED;
  }

  private static boolean isNew(WriteItem item) {
    return item.autoId()
        && (item.kind() == WriteItem.Kind.INDEX || item.kind() == WriteItem.Kind.CREATE);
  }

  /** The form in which an item that {@link #isAllowed} is sent again. */
  static WriteItem again(WriteItem item) {
    return isNew(item) ? item.ifNeverWritten() : item;
  }

  /**
   * Whether the id of {@code sent} already exists although a coordinator made it, so that the
   * document must be read to determine which attempt wrote it.
   */
  static boolean needsDocument(WriteItem sent, WriteResult result) {
    return sent.ifSeqNo() == WriteItem.UNASSIGNED
        && result instanceof WriteResult.Failed(var error)
        && error.type().equals("version_conflict_engine_exception");
  }

  /**
   * @param found the document, if it was needed and could be read
   * @param first why the first attempt was not answered
   */
  static WriteResult result(WriteResult repeated, @Nullable GetResult found, String first) {
    if (repeated instanceof WriteResult.Done || WriteResult.mayBeSentAgain(repeated)) {
      return repeated;
    }
    if (found != null && found.found() && found.version() == FIRST_VERSION) {
      return new WriteResult.Done("created", found.seqNo(), found.primaryTerm(), FIRST_VERSION);
    }
    ErrorBody error = WriteResult.errorOf(repeated);
    return new WriteResult.Failed(
        unknown(first, "repeated: " + (error == null ? "" : error.reason())));
  }

  /**
   * @param first why the first attempt was not answered
   * @param since the outcome of the write after that
   */
  static ErrorBody unknown(String first, String since) {
    return unknown(first + "; " + since);
  }

  static ErrorBody unknown(String reason) {
    return ErrorBody.of(
        503, WriteResult.UNKNOWN_OUTCOME, "the operation may or may not be in the log: " + reason);
  }
}
