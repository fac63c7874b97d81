package io.varve.rpc;

import io.varve.events.MalformedRecordException;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One write as a client asked for it, before it is resolved.
 *
 * @param id the document's id; the coordinator has made one up when {@code autoId} is set
 * @param autoId the id is new for certain, so no look-up is needed
 * @param ifSeqNo the seq_no that the document must have, or {@link #UNASSIGNED}
 * @param ifPrimaryTerm the primary term that it must have, or 0
 * @param version the version given by the client for the external version types, or {@link
 *     #UNASSIGNED}
 * @param body the buffer in which the document or the update's body stands; shared by the items of
 *     a bulk
 * @param bodyFrom where it begins; {@code bodyLength} is 0 for a delete
 * @param returnSource the answer brings the document as it is after the write
 */
@SuppressWarnings("ArrayRecordComponent")
public record WriteItem(
    Kind kind,
    String id,
    boolean autoId,
    @Nullable String routing,
    long ifSeqNo,
    long ifPrimaryTerm,
    VersionType versionType,
    long version,
    byte[] body,
    int bodyFrom,
    int bodyLength,
    boolean returnSource) {

  public static final long UNASSIGNED = -2;

  /** The same under another routing. */
  public WriteItem routedBy(@Nullable String newRouting) {
    return Objects.equals(newRouting, routing)
        ? this
        : new WriteItem(
            kind,
            id,
            autoId,
            newRouting,
            ifSeqNo,
            ifPrimaryTerm,
            versionType,
            version,
            body,
            bodyFrom,
            bodyLength,
            returnSource);
  }

  /** A write whose answer needs no document. */
  public WriteItem(
      Kind kind,
      String id,
      boolean autoId,
      @Nullable String routing,
      long ifSeqNo,
      long ifPrimaryTerm,
      VersionType versionType,
      long version,
      byte[] body,
      int bodyFrom,
      int bodyLength) {
    this(
        kind,
        id,
        autoId,
        routing,
        ifSeqNo,
        ifPrimaryTerm,
        versionType,
        version,
        body,
        bodyFrom,
        bodyLength,
        false);
  }

  /** The same write, whose answer brings the document as it is after it. */
  public WriteItem returningSource() {
    return new WriteItem(
        kind,
        id,
        autoId,
        routing,
        ifSeqNo,
        ifPrimaryTerm,
        versionType,
        version,
        body,
        bodyFrom,
        bodyLength,
        true);
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
    return Arrays.copyOfRange(body, bodyFrom, bodyFrom + bodyLength);
  }
}
