package io.varve.store;

import io.varve.events.Manifest;
import io.varve.events.SegmentFile;
import io.varve.events.ShardId;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.zip.CRC32;

/** Generates segment files with valid headers and footers and random content. */
final class TestFiles {

  static final ShardId SHARD = new ShardId("u1", 0);

  /** A file with its bytes. */
  @SuppressWarnings("ArrayRecordComponent")
  record Made(SegmentFile file, byte[] bytes) {}

  private TestFiles() {}

  static Made make(String name, int bodyBytes, long seed) {
    byte[] body = new byte[bodyBytes];
    new Random(seed + 1).nextBytes(body);
    return make(name, body, seed);
  }

  /**
   * Generates content of four byte values in random order, so that compression saves more than
   * half.
   */
  static Made packable(String name, int bodyBytes, long seed) {
    byte[] body = new byte[bodyBytes];
    Random random = new Random(seed + 1);
    for (int i = 0; i < bodyBytes; i++) {
      body[i] = (byte) random.nextInt(4);
    }
    return make(name, body, seed);
  }

  private static Made make(String name, byte[] body, long seed) {
    byte[] id = new byte[CodecFile.ID_BYTES];
    new Random(seed).nextBytes(id);
    ByteBuffer out = ByteBuffer.allocate(4 + 1 + 5 + 4 + id.length + body.length + 16);
    out.putInt(0x3fd76c17).put((byte) 5).put(new byte[] {'V', 'a', 'r', 'v', 'e'}).putInt(0);
    out.put(id).put(body).putInt(~0x3fd76c17).putInt(0);
    CRC32 crc = new CRC32();
    crc.update(out.array(), 0, out.position());
    out.putLong(crc.getValue());
    return new Made(
        new SegmentFile(
            name,
            out.capacity(),
            CodecFile.checksumText(crc.getValue()),
            HexFormat.of().formatHex(id)),
        out.array());
  }

  /** Returns a file of which only the identity matters. */
  static SegmentFile named(String name, long lengthBytes, int content) {
    return new SegmentFile(
        name, lengthBytes, Integer.toHexString(content), "%032x".formatted(content));
  }

  static Manifest manifest(long term, long generation, List<SegmentFile> files) {
    return new Manifest(
        SHARD, "n1", term, generation, 0, 0, term, -1, files, "", Map.of(), 1_000 * generation);
  }

  static Manifest manifest(long term, long generation, SegmentFile... files) {
    return manifest(term, generation, List.of(files));
  }

  static Map<String, byte[]> byName(Made... made) {
    Map<String, byte[]> bytes = new HashMap<>();
    for (Made one : made) {
      bytes.put(one.file().name(), one.bytes());
    }
    return bytes;
  }
}
