package io.varve.events;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A resolved write, which every copy applies as is. Applying it does not depend on the state from
 * which it was resolved.
 *
 * @param term the primary term under which it was appended
 * @param seqNo dense per shard, from 0
 * @param version the document's version after this operation, from 1
 * @param mappingVersion the minimum mapping version needed to apply it
 * @param source the document as sent, {@code null} for a delete; shared, never modified
 * @param origin the operation's position in the leader cluster's log, for a follower index
 */
@SuppressWarnings("ArrayRecordComponent")
public record Operation(
    long term,
    long seqNo,
    long version,
    long mappingVersion,
    String id,
    @Nullable String routing,
    byte @Nullable [] source,
    @Nullable Origin origin) {

  /**
   * A record of another cluster's operations log.
   *
   * @param term the term under which it was accepted
   * @param digest its {@link RecordDigest}, or {@link RecordDigest#UNKNOWN}
   */
  public record Origin(long offset, long term, long digest) {
    public Origin {
      if (offset < 0 || term < 1 || digest < RecordDigest.UNKNOWN) {
        throw new IllegalArgumentException(
            "origin needs offset >= 0, term >= 1 and digest >= -1, was "
                + offset
                + ", "
                + term
                + ", "
                + digest);
      }
    }

    /** An origin without a digest, as at feature levels below {@link Feature#ORIGIN_DIGESTS}. */
    public Origin(long offset, long term) {
      this(offset, term, RecordDigest.UNKNOWN);
    }

    /** Whether both are the same record, as far as their digests are known. */
    public boolean isSame(Origin other) {
      return offset == other.offset
          && term == other.term
          && (digest == other.digest || !hasDigest() || !other.hasDigest());
    }

    public boolean hasDigest() {
      return digest != RecordDigest.UNKNOWN;
    }
  }

  public Operation {
    Objects.requireNonNull(id, "id");
    if (term < 1 || seqNo < 0 || version < 0 || mappingVersion < 0) {
      throw new IllegalArgumentException(
          "operation needs term >= 1, seq_no, version and mapping version >= 0, was "
              + term
              + ", "
              + seqNo
              + ", "
              + version
              + ", "
              + mappingVersion);
    }
  }

  public boolean isDelete() {
    return source == null;
  }

  /** A delete of the same document that replaces this operation, without an origin. */
  public Operation asDelete() {
    return new Operation(term, seqNo, version, mappingVersion, id, routing, null, null);
  }

  public Operation withOrigin(@Nullable Origin newOrigin) {
    return new Operation(term, seqNo, version, mappingVersion, id, routing, source, newOrigin);
  }

  /** The same operation in another shard's log, with the versions that apply there. */
  public Operation under(long newTerm, long newMappingVersion) {
    return new Operation(newTerm, seqNo, version, newMappingVersion, id, routing, source, origin);
  }
}
