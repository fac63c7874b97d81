package io.varve.events;

import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * The wire form of an {@link Operation}: key = document id, value = {@code _source} as sent (null =
 * delete), and after the {@link RecordHeader} in the packed header
 *
 * <pre>
 *   byte    flags: 1 routing follows, 2 origin follows, 4 its digest also follows
 *   varlong version
 *   varlong mapping version
 *   bytes   routing          (flag 1)
 *   varlong origin offset, varlong origin term   (flag 2)
 *   varlong digest of the origin (flag 4)
 * </pre>
 */
public final class OperationCodec {

  private static final int ROUTING = 1;
  private static final int ORIGIN = 2;
  private static final int DIGEST = 4;

  private OperationCodec() {}

  public static RawRecord encode(Operation operation) {
    String routing = operation.routing();
    Operation.Origin origin = operation.origin();
    PackedWriter out = new PackedWriter(32);
    RecordHeader.write(
        out, new RecordHeader(RecordHeader.Kind.DATA, operation.term(), operation.seqNo()));
    out.writeByte((routing == null ? 0 : ROUTING) | flags(origin));
    out.writeVarLong(operation.version());
    out.writeVarLong(operation.mappingVersion());
    if (routing != null) {
      out.writeBytes(routing.getBytes(StandardCharsets.UTF_8));
    }
    if (origin != null) {
      out.writeVarLong(origin.offset());
      out.writeVarLong(origin.term());
      if (origin.hasDigest()) {
        out.writeVarLong(origin.digest());
      }
    }
    return new RawRecord(
        operation.id().getBytes(StandardCharsets.UTF_8), operation.source(), out.toByteArray());
  }

  private static int flags(Operation.@Nullable Origin origin) {
    if (origin == null) {
      return 0;
    }
    return origin.hasDigest() ? ORIGIN | DIGEST : ORIGIN;
  }

  public static Operation decode(RawRecord record) {
    PackedReader in = new PackedReader(record.header());
    RecordHeader header = RecordHeader.read(in);
    byte[] key = record.key();
    if (header.kind() != RecordHeader.Kind.DATA || key == null) {
      throw new MalformedRecordException("not an operation");
    }
    int flags = in.readByte();
    boolean digestAlone = (flags & (ORIGIN | DIGEST)) == DIGEST;
    if ((flags & ~(ROUTING | ORIGIN | DIGEST)) != 0 || digestAlone) {
      throw new MalformedRecordException("operation flags " + flags + " are not known");
    }
    long version = in.readVarLong();
    long mappingVersion = in.readVarLong();
    String routing =
        (flags & ROUTING) == 0 ? null : new String(in.readBytes(), StandardCharsets.UTF_8);
    Operation.@Nullable Origin origin =
        (flags & ORIGIN) == 0 ? null : origin(in, (flags & DIGEST) != 0);
    return new Operation(
        header.term(),
        header.seqNo(),
        version,
        mappingVersion,
        new String(key, StandardCharsets.UTF_8),
        routing,
        record.value(),
        origin);
  }

  private static Operation.Origin origin(PackedReader in, boolean hasDigest) {
    long offset = in.readVarLong();
    long term = in.readVarLong();
    if (term < 1) {
      throw new MalformedRecordException("an origin in term 0");
    }
    return new Operation.Origin(offset, term, hasDigest ? in.readVarLong() : RecordDigest.UNKNOWN);
  }
}
