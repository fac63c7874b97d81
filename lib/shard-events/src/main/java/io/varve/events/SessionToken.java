package io.varve.events;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/**
 * The writes of a client, carried from response to request: for each shard the highest acknowledged
 * seq_no. A copy on which these are visible shows the client its own writes.
 *
 * <p>An acknowledged seq_no is a fact of the shard's log, independent of primary and copy. The
 * token therefore contains no term, node or offset, and it survives failovers. A re-created index
 * has a different uuid.
 *
 * <p>Text form: Base64 for URLs, without padding, of
 *
 * <pre>
 *   byte    format, now 1
 *   then, until the end, runs of entries of one index:
 *     byte    0 and the uuid as length-prefixed bytes, or 1 and the 16 bytes that it encodes
 *     varlong number of entries
 *     varlong shard, varlong seq_no     of each
 * </pre>
 *
 * <p>INVARIANT: entries are ordered by the last write to their shard, so that truncating a token
 * first removes those most likely to be visible everywhere.
 */
public final class SessionToken {

  public static final SessionToken NONE = new SessionToken(Map.of());

  private static final int FORMAT = 1;
  private static final int AS_TEXT = 0;
  private static final int AS_BYTES = 1;
  private static final int UUID_BYTES = 16;
  private static final int UUID_CHARACTERS = 22;
  private static final int MAX_SHARD = 1 << 20;
  private static final Base64.Encoder ENCODER = Base64.getUrlEncoder().withoutPadding();
  private static final Base64.Decoder DECODER = Base64.getUrlDecoder();

  private final Map<ShardId, Long> seqNos;

  private SessionToken(Map<ShardId, Long> seqNos) {
    this.seqNos = seqNos;
  }

  /**
   * Parses the text form; the empty text is {@link #NONE}.
   *
   * @throws MalformedRecordException if the text is not a valid form of {@link #text}
   */
  public static SessionToken parse(String text) {
    if (text.isEmpty()) {
      return NONE;
    }
    byte[] packed;
    try {
      packed = DECODER.decode(text);
    } catch (IllegalArgumentException e) {
      throw new MalformedRecordException("a session token is Base64 for URLs: " + e.getMessage());
    }
    PackedReader in = new PackedReader(packed);
    int format = in.readByte();
    if (format != FORMAT) {
      throw new MalformedRecordException(
          "session token format " + format + " is not known; this version reads " + FORMAT);
    }
    Map<ShardId, Long> read = new LinkedHashMap<>();
    while (in.hasMore()) {
      readRun(in, read);
    }
    return new SessionToken(read);
  }

  private static void readRun(PackedReader in, Map<ShardId, Long> read) {
    String uuid = readUuid(in);
    long count = in.readVarLong();
    if (uuid.isEmpty() || count < 1) {
      throw new MalformedRecordException("a session token has a run without an index or entries");
    }
    for (long i = 0; i < count; i++) {
      long shard = in.readVarLong();
      long seqNo = in.readVarLong();
      if (shard > MAX_SHARD) {
        throw new MalformedRecordException("a session token names shard " + shard);
      }
      if (read.put(new ShardId(uuid, (int) shard), seqNo) != null) {
        throw new MalformedRecordException("a session token names a shard twice");
      }
    }
  }

  private static String readUuid(PackedReader in) {
    int form = in.readByte();
    return switch (form) {
      case AS_TEXT -> new String(in.readBytes(), StandardCharsets.UTF_8);
      case AS_BYTES -> {
        byte[] bytes = new byte[UUID_BYTES];
        for (int i = 0; i < UUID_BYTES; i++) {
          bytes[i] = (byte) in.readByte();
        }
        yield ENCODER.encodeToString(bytes);
      }
      default -> throw new MalformedRecordException("a session token has an index of form " + form);
    };
  }

  /** The text form for {@link #parse}; empty for an empty token. */
  public String text() {
    if (seqNos.isEmpty()) {
      return "";
    }
    PackedWriter out = new PackedWriter(32 + 8 * seqNos.size());
    out.writeByte(FORMAT);
    List<Map.Entry<ShardId, Long>> run = new ArrayList<>();
    for (Map.Entry<ShardId, Long> entry : seqNos.entrySet()) {
      if (!run.isEmpty()
          && !run.getFirst().getKey().indexUuid().equals(entry.getKey().indexUuid())) {
        writeRun(run, out);
        run.clear();
      }
      run.add(entry);
    }
    writeRun(run, out);
    return ENCODER.encodeToString(out.toByteArray());
  }

  private static void writeRun(List<Map.Entry<ShardId, Long>> run, PackedWriter out) {
    writeUuid(run.getFirst().getKey().indexUuid(), out);
    out.writeVarLong(run.size());
    for (Map.Entry<ShardId, Long> entry : run) {
      out.writeVarLong(entry.getKey().number());
      out.writeVarLong(entry.getValue());
    }
  }

  /** Uuids are usually 16 bytes in Base64; any other text is kept as it is. */
  private static void writeUuid(String uuid, PackedWriter out) {
    byte[] bytes = uuidBytes(uuid);
    if (bytes.length == UUID_BYTES && ENCODER.encodeToString(bytes).equals(uuid)) {
      out.writeByte(AS_BYTES);
      for (byte b : bytes) {
        out.writeByte(b);
      }
    } else {
      out.writeByte(AS_TEXT);
      out.writeBytes(uuid.getBytes(StandardCharsets.UTF_8));
    }
  }

  private static byte[] uuidBytes(String uuid) {
    if (uuid.length() != UUID_CHARACTERS) {
      return new byte[0];
    }
    try {
      return DECODER.decode(uuid);
    } catch (IllegalArgumentException e) {
      // Not Base64: encoded as text.
      return new byte[0];
    }
  }

  /** The seq_no that must be visible to a reader of the shard; -1 for none. */
  public long seqNo(ShardId shard) {
    return seqNos.getOrDefault(shard, -1L);
  }

  public boolean isEmpty() {
    return seqNos.isEmpty();
  }

  /** The number of shards in the token. */
  public int size() {
    return seqNos.size();
  }

  /** The shards in the token, least recently written first. */
  public Set<ShardId> shards() {
    return seqNos.keySet();
  }

  /** Adds a write; a seq_no below the known one is ignored. */
  public SessionToken plus(ShardId shard, long seqNo) {
    if (seqNo < 0) {
      throw new IllegalArgumentException("seq_no must be >= 0, was " + seqNo);
    }
    Map<ShardId, Long> more = new LinkedHashMap<>(seqNos);
    add(shard, seqNo, more);
    return new SessionToken(more);
  }

  private static void add(ShardId shard, long seqNo, Map<ShardId, Long> sum) {
    Long known = sum.remove(shard);
    sum.put(shard, known == null ? seqNo : Math.max(known, seqNo));
  }

  /** Merges two tokens; the other one's writes count as newer. */
  public SessionToken plus(SessionToken other) {
    return other.isEmpty() ? this : merged(List.of(this, other));
  }

  /** Merges tokens; the writes of later ones count as newer. */
  public static SessionToken merged(List<SessionToken> tokens) {
    Map<ShardId, Long> sum = new LinkedHashMap<>();
    for (SessionToken token : tokens) {
      token.seqNos.forEach((shard, seqNo) -> add(shard, seqNo, sum));
    }
    return new SessionToken(sum);
  }

  /** Removes the entries of indices that do not match. */
  public SessionToken ofIndices(Predicate<String> uuids) {
    Map<ShardId, Long> kept = new LinkedHashMap<>(seqNos);
    kept.keySet().removeIf(shard -> !uuids.test(shard.indexUuid()));
    return kept.size() == seqNos.size() ? this : new SessionToken(kept);
  }

  /** Keeps the {@code most} most recently written entries. */
  public SessionToken newest(int most) {
    if (seqNos.size() <= most) {
      return this;
    }
    Map<ShardId, Long> kept = new LinkedHashMap<>();
    seqNos.entrySet().stream()
        .skip(seqNos.size() - (long) most)
        .forEach(entry -> kept.put(entry.getKey(), entry.getValue()));
    return new SessionToken(kept);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof SessionToken token
        && Arrays.equals(seqNos.entrySet().toArray(), token.seqNos.entrySet().toArray());
  }

  @Override
  public int hashCode() {
    return seqNos.hashCode();
  }

  @Override
  public String toString() {
    return seqNos.toString();
  }
}
