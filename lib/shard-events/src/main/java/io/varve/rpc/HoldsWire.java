package io.varve.rpc;

import io.varve.events.MalformedRecordException;
import io.varve.events.PackedReader;
import io.varve.events.PackedWriter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Wire format of a primary's query of which versions another copy holds. A query without versions
 * asks only for the position of the copy.
 */
public final class HoldsWire {

  public static final String CONTENT_TYPE = "application/vnd.varve.holds";

  /** A copy's answer about one version. */
  public enum Verdict {
    /** It holds that version. */
    HOLDS(0),
    /** It does not hold all operations up to the version's seq_no yet. */
    BEHIND(1),
    /** It holds a later version of the document. */
    NEWER(2),
    /** It holds all operations up to the seq_no, but another version of the document or none. */
    OTHER(3);

    private final int code;

    Verdict(int code) {
      this.code = code;
    }
  }

  /** The form in which the primary holds a document. */
  public enum Kind {
    DOCUMENT(0),
    /** The tombstone of a delete, which a copy may have dropped already. */
    TOMBSTONE(1),
    /** Neither. */
    ABSENT(2);

    private final int code;

    Kind(int code) {
      this.code = code;
    }
  }

  /**
   * A version of a document.
   *
   * @param seqNo of the operation; of an absent document the seq_no up to which the primary has
   *     applied all operations
   * @param term of the operation; 0 of an absent document
   */
  public record Version(String id, long seqNo, long term, Kind kind) {

    public static Version of(String id, long seqNo, long term) {
      return new Version(id, seqNo, term, Kind.DOCUMENT);
    }

    public static Version deleted(String id, long seqNo, long term) {
      return new Version(id, seqNo, term, Kind.TOMBSTONE);
    }

    public static Version absent(String id, long appliedSeqNo) {
      return new Version(id, appliedSeqNo, 0, Kind.ABSENT);
    }

    public boolean absent() {
      return kind == Kind.ABSENT;
    }
  }

  /**
   * A query.
   *
   * @param seqNo the copy answers once it holds all operations up to this one
   * @param waitMillis or once this time is over
   */
  public record Question(long seqNo, long waitMillis, List<Version> versions) {}

  /**
   * An answer.
   *
   * @param incarnation of the copy's process
   * @param term the highest term of the operations that the copy holds
   * @param seqNo the copy holds all operations up to this one; -1 for none
   * @param verdicts one for each version, in order
   */
  public record Answer(
      String copyId, String incarnation, long term, long seqNo, List<Verdict> verdicts) {}

  private HoldsWire() {}

  public static byte[] encode(Question question) {
    PackedWriter out = new PackedWriter(32 + question.versions().size() * 24);
    out.writeVarLong(question.seqNo() + 1);
    out.writeVarLong(question.waitMillis());
    for (Version version : question.versions()) {
      write(out, version.id());
      out.writeVarLong(version.seqNo() + 1);
      out.writeVarLong(version.term());
      out.writeByte(version.kind().code);
    }
    return out.toByteArray();
  }

  public static Question decodeQuestion(byte[] body) {
    PackedReader in = new PackedReader(body);
    long seqNo = in.readVarLong() - 1;
    long waitMillis = in.readVarLong();
    List<Version> versions = new ArrayList<>();
    while (in.hasMore()) {
      versions.add(
          new Version(read(in), in.readVarLong() - 1, in.readVarLong(), kind(in.readByte())));
    }
    return new Question(seqNo, waitMillis, versions);
  }

  public static byte[] encode(Answer answer) {
    PackedWriter out = new PackedWriter(96 + answer.verdicts().size());
    write(out, answer.copyId());
    write(out, answer.incarnation());
    out.writeVarLong(answer.term());
    out.writeVarLong(answer.seqNo() + 1);
    answer.verdicts().forEach(verdict -> out.writeByte(verdict.code));
    return out.toByteArray();
  }

  public static Answer decodeAnswer(byte[] body) {
    PackedReader in = new PackedReader(body);
    String copyId = read(in);
    String incarnation = read(in);
    long term = in.readVarLong();
    long seqNo = in.readVarLong() - 1;
    List<Verdict> verdicts = new ArrayList<>();
    while (in.hasMore()) {
      verdicts.add(verdict(in.readByte()));
    }
    return new Answer(copyId, incarnation, term, seqNo, verdicts);
  }

  private static Kind kind(int code) {
    return Arrays.stream(Kind.values())
        .filter(kind -> kind.code == code)
        .findFirst()
        .orElseThrow(() -> new MalformedRecordException("unknown kind of version " + code));
  }

  private static Verdict verdict(int code) {
    return Arrays.stream(Verdict.values())
        .filter(verdict -> verdict.code == code)
        .findFirst()
        .orElseThrow(() -> new MalformedRecordException("unknown verdict " + code));
  }

  private static void write(PackedWriter out, String text) {
    out.writeBytes(text.getBytes(StandardCharsets.UTF_8));
  }

  private static String read(PackedReader in) {
    return new String(in.readBytes(), StandardCharsets.UTF_8);
  }
}
