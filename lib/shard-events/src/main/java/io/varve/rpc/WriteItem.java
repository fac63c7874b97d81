package io.varve.rpc;

import io.varve.events.MalformedRecordException;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One write as a client asked for it, before it is resolved. It is made by what it does, and what
 * is special about it is said by name: {@code WriteItem.delete(id).ifAt(seqNo, primaryTerm)}.
 *
 * @param id the document's id; the coordinator has made one up when {@code autoId} is set
 * @param autoId the id is new for certain, so no look-up is needed
 * @param condition on the document as it is
 * @param content the document, or the update's body; empty for a delete
 * @param returnSource the answer brings the document as it is after the write
 */
public record WriteItem(
    Kind kind,
    String id,
    boolean autoId,
    @Nullable String routing,
    Condition condition,
    Content content,
    boolean returnSource) {

  public static final long UNASSIGNED = -2;

  /**
   * What must hold for the write to be carried out.
   *
   * @param ifSeqNo the seq_no that the document must have, or {@link #UNASSIGNED}
   * @param ifPrimaryTerm the primary term that it must have, or 0
   * @param version the version given by the client for the external version types, or {@link
   *     #UNASSIGNED}
   */
  public record Condition(long ifSeqNo, long ifPrimaryTerm, VersionType versionType, long version) {

    public static final Condition NONE =
        new Condition(UNASSIGNED, 0, VersionType.INTERNAL, UNASSIGNED);
  }

  /** A part of a buffer, which the items of a bulk share. Equal are those with the same bytes. */
  @SuppressWarnings("ArrayRecordComponent")
  public record Content(byte[] buffer, int from, int length) {

    private static final Content EMPTY = new Content(new byte[0], 0, 0);

    /** A copy of its own bytes. */
    byte[] bytes() {
      return Arrays.copyOfRange(buffer, from, from + length);
    }

    @Override
    public boolean equals(@Nullable Object other) {
      return other instanceof Content that
          && Arrays.equals(
              buffer, from, from + length, that.buffer, that.from, that.from + that.length);
    }

    @Override
    public int hashCode() {
      return Arrays.hashCode(bytes());
    }
  }

  /** The document in place of any that is there. */
  public static WriteItem index(String id, byte[] body) {
    return of(Kind.INDEX, id, body, 0, body.length);
  }

  /** The document, unless there is one. */
  public static WriteItem create(String id, byte[] body) {
    return of(Kind.CREATE, id, body, 0, body.length);
  }

  public static WriteItem delete(String id) {
    return plain(Kind.DELETE, id, Content.EMPTY);
  }

  /** A write without conditions, whose body is a part of a buffer. */
  public static WriteItem of(Kind kind, String id, byte[] buffer, int from, int length) {
    return plain(kind, id, new Content(buffer, from, length));
  }

  private static WriteItem plain(Kind kind, String id, Content content) {
    return new WriteItem(kind, id, false, null, Condition.NONE, content, false);
  }

  /** The same, whose id was made up and has never been before. */
  public WriteItem withNewId() {
    return new WriteItem(kind, id, true, routing, condition, content, returnSource);
  }

  /** The same under another routing. */
  public WriteItem routedBy(@Nullable String newRouting) {
    return Objects.equals(newRouting, routing)
        ? this
        : new WriteItem(kind, id, autoId, newRouting, condition, content, returnSource);
  }

  /** The same if the document is as that operation left it. */
  public WriteItem ifAt(long seqNo, long primaryTerm) {
    return on(new Condition(seqNo, primaryTerm, condition.versionType(), condition.version()));
  }

  /** The same under a version that the client gives. */
  public WriteItem versioned(VersionType type, long version) {
    return on(new Condition(condition.ifSeqNo(), condition.ifPrimaryTerm(), type, version));
  }

  /**
   * The same document, written only if its id was never written, deleted documents included. For an
   * id that was made up this can be sent again however often: the document is written once.
   */
  public WriteItem ifNeverWritten() {
    Condition first = new Condition(UNASSIGNED, 0, VersionType.EXTERNAL, 1);
    return new WriteItem(kind, id, false, routing, first, content, returnSource);
  }

  private WriteItem on(Condition newCondition) {
    return new WriteItem(kind, id, autoId, routing, newCondition, content, returnSource);
  }

  /** The same write, whose answer brings the document as it is after it. */
  public WriteItem returningSource() {
    return new WriteItem(kind, id, autoId, routing, condition, content, true);
  }

  public long ifSeqNo() {
    return condition.ifSeqNo();
  }

  public long ifPrimaryTerm() {
    return condition.ifPrimaryTerm();
  }

  public VersionType versionType() {
    return condition.versionType();
  }

  public long version() {
    return condition.version();
  }

  /** The buffer in which the body stands. */
  public byte[] body() {
    return content.buffer();
  }

  public int bodyFrom() {
    return content.from();
  }

  public int bodyLength() {
    return content.length();
  }

  /**
   * What is asked for. {@code UPDATE} has the body of the update API: {@code doc}, {@code upsert},
   * {@code doc_as_upsert}.
   */
  public enum Kind {
    INDEX(0),
    CREATE(1),
    UPDATE(2),
    DELETE(3);

    final int code;

    Kind(int code) {
      this.code = code;
    }

    static Kind of(int code) {
      return switch (code) {
        case 0 -> INDEX;
        case 1 -> CREATE;
        case 2 -> UPDATE;
        case 3 -> DELETE;
        default -> throw new MalformedRecordException("kind of write " + code + " is not known");
      };
    }
  }

  /** How {@code version} is compared. */
  public enum VersionType {
    INTERNAL(0),
    EXTERNAL(1),
    EXTERNAL_GTE(2);

    final int code;

    VersionType(int code) {
      this.code = code;
    }

    static VersionType of(int code) {
      return switch (code) {
        case 0 -> INTERNAL;
        case 1 -> EXTERNAL;
        case 2 -> EXTERNAL_GTE;
        default -> throw new MalformedRecordException("version type " + code + " is not known");
      };
    }
  }

  /** A copy of the body's own bytes. */
  public byte[] bodyBytes() {
    return content.bytes();
  }
}
