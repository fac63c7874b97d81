package io.varve.coordinator.rest.search;

import io.varve.coordinator.access.Access;
import io.varve.coordinator.access.IdSignatures;
import io.varve.events.MalformedRecordException;
import io.varve.events.PackedReader;
import io.varve.events.PackedWriter;
import io.varve.events.ShardId;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.zip.CRC32;
import org.jspecify.annotations.Nullable;

/**
 * The client's id of a scroll or a point in time. It names the copies and nodes that keep the
 * readers open, so any coordinator can continue it. A checksum detects ids that were altered; with
 * security, a signature for the user of the request replaces it ({@link IdSignatures}).
 *
 * @param context the id of the context on the nodes
 * @param createdMillis the time at which it was opened
 * @param shards the shards, in the order of the first requests to them
 */
record SearchContextId(Kind kind, String context, long createdMillis, List<Member> shards) {

  private static final int WITH_CHECKSUM = 1;
  private static final int SIGNED = 2;
  private static final int CHECKSUM_BYTES = 4;

  /** The kind of context that keeps readers open. */
  enum Kind {
    SCROLL(1),
    PIT(2);

    private final int code;

    Kind(int code) {
      this.code = code;
    }
  }

  /**
   * One shard, with the node whose copy is searched.
   *
   * @param filter the filter of the aliases through which it was opened, or null for none
   */
  record Member(String index, ShardId shard, String nodeId, @Nullable String filter) {}

  SearchContextId {
    shards = List.copyOf(shards);
  }

  String encoded() {
    PackedWriter out = new PackedWriter(64 + shards.size() * 24);
    out.writeByte(Access.current().hasUser() ? SIGNED : WITH_CHECKSUM);
    out.writeByte(kind.code);
    write(out, context);
    out.writeVarLong(createdMillis);
    List<String> words = words();
    out.writeVarLong(words.size());
    words.forEach(word -> write(out, word));
    out.writeVarLong(shards.size());
    for (Member member : shards) {
      out.writeVarLong(words.indexOf(member.index));
      out.writeVarLong(words.indexOf(member.shard.indexUuid()));
      out.writeVarLong(member.shard.number());
      out.writeVarLong(words.indexOf(member.nodeId));
      out.writeVarLong(member.filter == null ? 0 : words.indexOf(member.filter) + 1);
    }
    byte[] bytes = out.toByteArray();
    byte[] seal = seal(bytes, bytes.length);
    byte[] sealed = Arrays.copyOf(bytes, bytes.length + seal.length);
    System.arraycopy(seal, 0, sealed, bytes.length, seal.length);
    return Base64.getUrlEncoder().withoutPadding().encodeToString(sealed);
  }

  /**
   * Returns the distinct names of indices and nodes. The members repeat them, but each is written
   * only once.
   */
  private List<String> words() {
    List<String> words = new ArrayList<>();
    for (Member member : shards) {
      addNew(member.index, words);
      addNew(member.shard.indexUuid(), words);
      addNew(member.nodeId, words);
      addNew(member.filter, words);
    }
    return words;
  }

  private static void addNew(@Nullable String word, List<String> words) {
    if (word != null && !words.contains(word)) {
      words.add(word);
    }
  }

  private static void write(PackedWriter out, String text) {
    out.writeBytes(text.getBytes(StandardCharsets.UTF_8));
  }

  /** The end of an id whose other bytes are these. */
  private static byte[] seal(byte[] bytes, int length) {
    return Access.current().signature(bytes, length).orElseGet(() -> checksum(bytes, length));
  }

  private static byte[] checksum(byte[] bytes, int length) {
    CRC32 crc = new CRC32();
    crc.update(bytes, 0, length);
    byte[] checksum = new byte[CHECKSUM_BYTES];
    for (int i = 0; i < CHECKSUM_BYTES; i++) {
      checksum[i] = (byte) (crc.getValue() >>> (8 * i));
    }
    return checksum;
  }

  /** Parses an id; empty if the text is not an id of that kind for the user of the request. */
  static Optional<SearchContextId> parse(Kind kind, String text) {
    try {
      byte[] sealed = Base64.getUrlDecoder().decode(text);
      boolean signed = Access.current().hasUser();
      int length = sealed.length - (signed ? IdSignatures.BYTES : CHECKSUM_BYTES);
      if (length < 4 || sealed[0] != (signed ? SIGNED : WITH_CHECKSUM)) {
        return Optional.empty();
      }
      byte[] seal = Arrays.copyOfRange(sealed, length, sealed.length);
      if (!MessageDigest.isEqual(seal, seal(sealed, length))) {
        return Optional.empty();
      }
      return decode(kind, new PackedReader(sealed, 0, length));
    } catch (IllegalArgumentException | IndexOutOfBoundsException | MalformedRecordException e) {
      return Optional.empty();
    }
  }

  private static Optional<SearchContextId> decode(Kind kind, PackedReader in) {
    var _ = in.readByte(); // The format was checked with the seal.
    if (in.readByte() != kind.code) {
      return Optional.empty();
    }
    String context = read(in);
    long created = in.readVarLong();
    List<String> words = new ArrayList<>();
    for (long left = in.readVarLong(); left > 0; left--) {
      words.add(read(in));
    }
    List<Member> members = new ArrayList<>();
    for (long left = in.readVarLong(); left > 0; left--) {
      String index = words.get((int) in.readVarLong());
      String uuid = words.get((int) in.readVarLong());
      int number = (int) in.readVarLong();
      String nodeId = words.get((int) in.readVarLong());
      int filter = (int) in.readVarLong();
      members.add(
          new Member(
              index,
              new ShardId(uuid, number),
              nodeId,
              filter == 0 ? null : words.get(filter - 1)));
    }
    return Optional.of(new SearchContextId(kind, context, created, members));
  }

  private static String read(PackedReader in) {
    return new String(in.readBytes(), StandardCharsets.UTF_8);
  }
}
