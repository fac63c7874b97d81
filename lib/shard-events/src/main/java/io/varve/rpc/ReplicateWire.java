package io.varve.rpc;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.varve.events.Feature;
import io.varve.events.MalformedRecordException;
import io.varve.events.Operation;
import io.varve.events.PackedReader;
import io.varve.events.PackedWriter;
import io.varve.events.RecordDigest;
import io.varve.events.Since;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The body in which a follower's puller sends operations of the leader's log to the primary of the
 * follower index.
 *
 * <pre>
 *   request    operation*
 *   operation  flags: 1 has a source, 2 has routing, 4 has the digest of its origin
 *              origin offset, origin term, seq_no, version, mapping version, id, [routing], [source],
 *              [digest]
 * </pre>
 *
 * Numbers are varlongs, strings and sources are length-prefixed. Operations are ordered by origin
 * offset and keep the leader's seq_no and version; the term is the origin's, and the primary
 * replaces it with its own.
 */
public final class ReplicateWire {

  public static final String CONTENT_TYPE = "application/vnd.varve.replicate";

  /**
   * The type of the error for operations of a history other than the follower's: the puller
   * requests the cursor and compares it with the leader's log.
   */
  public static final String CONFLICT = "history_conflict_exception";

  /** The field of an error with the leader's offset of the operation that is refused. */
  public static final String REFUSED_OFFSET = "leader_offset";

  /** The field of an error with the seq_no of the operation that is refused. */
  public static final String REFUSED_SEQ_NO = "seq_no";

  private static final int SOURCE = 1;
  private static final int ROUTING = 2;
  private static final int DIGEST = 4;

  private ReplicateWire() {}

  /**
   * The state of the primary after the request.
   *
   * @param lastOriginOffset the leader's offset of the newest operation held, -1 for none
   * @param lastOriginTerm its term in the leader's log, 0 for none
   * @param seqNo the highest seq_no held, -1 for none
   * @param applied number of new operations in the request
   */
  public record Answer(long lastOriginOffset, long lastOriginTerm, long seqNo, int applied) {}

  /**
   * The position from which a puller resumes; see {@code GET /ccr-cursor}.
   *
   * @param lastOriginOffset the leader's offset of the newest operation held, -1 for none
   * @param lastOriginTerm its term in the leader's log, 0 for none
   * @param nextSeqNo the seq_no after that of the newest operation held
   * @param lastOriginDigest the {@link RecordDigest} of the leader's record, if it is known
   */
  public record Cursor(
      long lastOriginOffset,
      long lastOriginTerm,
      long nextSeqNo,
      long globalCheckpoint,
      long maxSeqNo,
      long mappingVersion,
      @Since(2) @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Long lastOriginDigest) {}

  /**
   * @param withDigests whether the receiver's cluster has {@link Feature#ORIGIN_DIGESTS}; otherwise
   *     digests are left out
   */
  public static byte[] encode(List<Operation> operations, boolean withDigests) {
    int size = 16;
    for (Operation operation : operations) {
      byte[] source = operation.source();
      size += operation.id().length() + 58 + (source == null ? 0 : source.length);
    }
    PackedWriter out = new PackedWriter(size);
    for (Operation operation : operations) {
      encode(out, operation, withDigests);
    }
    return out.toByteArray();
  }

  private static void encode(PackedWriter out, Operation operation, boolean withDigests) {
    Operation.Origin origin = operation.origin();
    if (origin == null) {
      throw new IllegalArgumentException("operation " + operation.seqNo() + " has no origin");
    }
    String routing = operation.routing();
    byte[] source = operation.source();
    boolean digest = withDigests && origin.hasDigest();
    out.writeByte(
        (source == null ? 0 : SOURCE) | (routing == null ? 0 : ROUTING) | (digest ? DIGEST : 0));
    out.writeVarLong(origin.offset());
    out.writeVarLong(origin.term());
    out.writeVarLong(operation.seqNo());
    out.writeVarLong(operation.version());
    out.writeVarLong(operation.mappingVersion());
    out.writeBytes(operation.id().getBytes(StandardCharsets.UTF_8));
    if (routing != null) {
      out.writeBytes(routing.getBytes(StandardCharsets.UTF_8));
    }
    if (source != null) {
      out.writeBytes(source);
    }
    if (digest) {
      out.writeVarLong(origin.digest());
    }
  }

  public static List<Operation> decode(byte[] request) {
    PackedReader in = new PackedReader(request);
    List<Operation> operations = new ArrayList<>();
    while (in.hasMore()) {
      operations.add(decode(in));
    }
    return operations;
  }

  private static Operation decode(PackedReader in) {
    int flags = in.readByte();
    if ((flags & ~(SOURCE | ROUTING | DIGEST)) != 0) {
      throw new MalformedRecordException("flags " + flags + " are not known");
    }
    long originOffset = in.readVarLong();
    long originTerm = in.readVarLong();
    if (originTerm < 1) {
      throw new MalformedRecordException("an operation of term 0");
    }
    long seqNo = in.readVarLong();
    long version = in.readVarLong();
    long mappingVersion = in.readVarLong();
    String id = readString(in);
    String routing = (flags & ROUTING) == 0 ? null : readString(in);
    byte @Nullable [] source = (flags & SOURCE) == 0 ? null : in.readBytes();
    long digest = (flags & DIGEST) == 0 ? RecordDigest.UNKNOWN : in.readVarLong();
    return new Operation(
        originTerm,
        seqNo,
        version,
        mappingVersion,
        id,
        routing,
        source,
        new Operation.Origin(originOffset, originTerm, digest));
  }

  private static String readString(PackedReader in) {
    return new String(in.readBytes(), StandardCharsets.UTF_8);
  }
}
