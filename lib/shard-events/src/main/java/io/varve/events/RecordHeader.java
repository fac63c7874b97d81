package io.varve.events;

import java.nio.charset.StandardCharsets;

/**
 * The common prefix of the packed header of all records in a fenced partition.
 *
 * <pre>
 *   byte    format (high four bits, now 1) and kind (low four bits)
 *   varlong term
 *   varlong seq_no          (data: its own; revival: the next one)
 *   ...                     depends on the kind: {@link OperationCodec} for operations, the node id for the others
 * </pre>
 *
 * A fence opens a term; a data record belongs to one. A revival is a fence of a log that lost
 * records: the operations before its seq_no are not all in the log. Decoding allocates nothing but
 * this record, so that reading a whole partition is cheap.
 */
public record RecordHeader(Kind kind, long term, long seqNo) {

  static final int FORMAT = 1;
  static final long NO_SEQ_NO = -1;

  /** Kind of a record of a fenced partition. */
  public enum Kind {
    FENCE(FeatureLevels.FIRST),
    DATA(FeatureLevels.FIRST),
    REVIVAL(Feature.REVIVAL.since());

    private final int since;

    Kind(int since) {
      this.since = since;
    }

    /** The feature level that introduced this kind. */
    public int since() {
      return since;
    }
  }

  public RecordHeader {
    if (term < 1) {
      throw new IllegalArgumentException("term must be >= 1, was " + term);
    }
    if (kind != Kind.FENCE && seqNo < 0) {
      throw new IllegalArgumentException("seq_no must be >= 0, was " + seqNo);
    }
  }

  public static RecordHeader read(byte[] packed) {
    return read(new PackedReader(packed));
  }

  static RecordHeader read(PackedReader in) {
    int first = in.readByte();
    int format = first >>> 4;
    if (format != FORMAT) {
      throw new MalformedRecordException(
          "header format " + format + " is not known; this version reads " + FORMAT);
    }
    long term = in.readVarLong();
    if (term < 1) {
      throw new MalformedRecordException("a record of term 0");
    }
    return switch (first & 0xF) {
      case 0 -> new RecordHeader(Kind.FENCE, term, NO_SEQ_NO);
      case 1 -> new RecordHeader(Kind.DATA, term, in.readVarLong());
      case 2 -> new RecordHeader(Kind.REVIVAL, term, in.readVarLong());
      default ->
          throw new MalformedRecordException("record kind " + (first & 0xF) + " is not known");
    };
  }

  static void write(PackedWriter out, RecordHeader header) {
    out.writeByte((FORMAT << 4) | code(header.kind));
    out.writeVarLong(header.term);
    if (header.kind != Kind.FENCE) {
      out.writeVarLong(header.seqNo);
    }
  }

  private static int code(Kind kind) {
    return switch (kind) {
      case FENCE -> 0;
      case DATA -> 1;
      case REVIVAL -> 2;
    };
  }

  /**
   * The fence with which {@code nodeId} opens {@code term}; in the cluster log it starts a leader's
   * term.
   */
  public static RawRecord fence(long term, String nodeId) {
    PackedWriter out = new PackedWriter(16 + nodeId.length());
    write(out, new RecordHeader(Kind.FENCE, term, NO_SEQ_NO));
    out.writeBytes(nodeId.getBytes(StandardCharsets.UTF_8));
    return new RawRecord(null, null, out.toByteArray());
  }

  /** The fence with which {@code nodeId} continues, from that seq_no, a log that lost records. */
  public static RawRecord revival(long term, long nextSeqNo, String nodeId) {
    PackedWriter out = new PackedWriter(24 + nodeId.length());
    write(out, new RecordHeader(Kind.REVIVAL, term, nextSeqNo));
    out.writeBytes(nodeId.getBytes(StandardCharsets.UTF_8));
    return new RawRecord(null, null, out.toByteArray());
  }

  /** The node that wrote a fence or a revival. */
  public static String fenceNodeId(byte[] packed) {
    PackedReader in = new PackedReader(packed);
    if (read(in).kind == Kind.DATA) {
      throw new MalformedRecordException("not a fence");
    }
    return new String(in.readBytes(), StandardCharsets.UTF_8);
  }

  /** A data record whose header contains only term and seq_no, such as a cluster event. */
  public static RawRecord data(long term, long seqNo, byte[] key, byte[] value) {
    PackedWriter out = new PackedWriter(20);
    write(out, new RecordHeader(Kind.DATA, term, seqNo));
    return new RawRecord(key, value, out.toByteArray());
  }
}
