package io.varve.rpc;

import io.varve.events.PackedReader;
import io.varve.events.PackedWriter;
import java.nio.charset.StandardCharsets;

/** Wire format of a copy's answer to a request for the digests of its documents. */
public final class DigestWire {

  public static final String CONTENT_TYPE = "application/vnd.varve.digest";

  /**
   * An answer.
   *
   * @param incarnation of the copy's process
   * @param term the highest term of the operations that the copy holds
   * @param seqNo the copy held all operations up to this one before it read the documents; -1 for
   *     none
   * @param digests of its live documents below the seq_no in the request
   */
  public record Answer(
      String copyId, String incarnation, long term, long seqNo, SeqNoDigests digests) {}

  private DigestWire() {}

  public static byte[] encode(Answer answer) {
    SeqNoDigests digests = answer.digests();
    PackedWriter out = new PackedWriter(96 + digests.ranges() * Long.BYTES);
    out.writeBytes(answer.copyId().getBytes(StandardCharsets.UTF_8));
    out.writeBytes(answer.incarnation().getBytes(StandardCharsets.UTF_8));
    out.writeVarLong(answer.term());
    out.writeVarLong(answer.seqNo() + 1);
    out.writeVarLong(digests.ranges());
    for (int range = 0; range < digests.ranges(); range++) {
      long digest = digests.digest(range);
      for (int shift = Long.SIZE - Byte.SIZE; shift >= 0; shift -= Byte.SIZE) {
        out.writeByte((int) (digest >>> shift));
      }
    }
    return out.toByteArray();
  }

  public static Answer decode(byte[] body) {
    PackedReader in = new PackedReader(body);
    String copyId = in.readText();
    String incarnation = in.readText();
    long term = in.readVarLong();
    long seqNo = in.readVarLong() - 1;
    return new Answer(copyId, incarnation, term, seqNo, digests(in));
  }

  private static SeqNoDigests digests(PackedReader in) {
    long[] sums = new long[in.readCount(Long.BYTES)];
    for (int range = 0; range < sums.length; range++) {
      for (int i = 0; i < Long.BYTES; i++) {
        sums[range] = sums[range] << Byte.SIZE | in.readByte();
      }
    }
    return SeqNoDigests.of(sums);
  }
}
