package io.varve.engine;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.apache.lucene.codecs.CodecUtil;
import org.apache.lucene.index.CorruptIndexException;
import org.apache.lucene.index.SegmentInfos;
import org.apache.lucene.store.BufferedChecksumIndexInput;
import org.apache.lucene.store.ByteArrayDataInput;
import org.apache.lucene.store.ByteBuffersDataInput;
import org.apache.lucene.store.ByteBuffersDataOutput;
import org.apache.lucene.store.ByteBuffersIndexInput;
import org.apache.lucene.store.ByteBuffersIndexOutput;
import org.apache.lucene.store.ChecksumIndexInput;
import org.apache.lucene.store.Directory;
import org.apache.lucene.util.StringHelper;

/** Serializes segment infos in Lucene's commit format, without a file. */
final class InfosBytes {

  private InfosBytes() {}

  static byte[] write(SegmentInfos infos) throws IOException {
    ByteBuffersDataOutput bytes = new ByteBuffersDataOutput();
    try (ByteBuffersIndexOutput out = new ByteBuffersIndexOutput(bytes, "infos", "infos")) {
      infos.write(out);
    }
    return bytes.toArrayCopy();
  }

  /** Reads infos; all files of their segments must be in {@code directory}. */
  static SegmentInfos read(Directory directory, byte[] bytes) throws IOException {
    try (ChecksumIndexInput in =
        new BufferedChecksumIndexInput(
            new ByteBuffersIndexInput(
                new ByteBuffersDataInput(List.of(ByteBuffer.wrap(bytes))), "infos"))) {
      return SegmentInfos.readCommit(directory, in, generation(bytes));
    }
  }

  /** The id of the serialized infos. */
  static byte[] id(byte[] bytes) throws IOException {
    ByteArrayDataInput in = new ByteArrayDataInput(bytes);
    CodecUtil.readBEInt(in); // magic
    in.readString(); // codec
    CodecUtil.readBEInt(in); // version
    byte[] id = new byte[StringHelper.ID_LENGTH];
    in.readBytes(id, 0, id.length);
    return id;
  }

  /** The commit generation, which Lucene stores in the header's suffix and requires for reading. */
  private static long generation(byte[] bytes) throws IOException {
    ByteArrayDataInput in = new ByteArrayDataInput(bytes);
    if (CodecUtil.readBEInt(in) != CodecUtil.CODEC_MAGIC) {
      throw new CorruptIndexException("not segment infos", "manifest");
    }
    in.readString(); // codec
    CodecUtil.readBEInt(in); // version
    in.skipBytes(StringHelper.ID_LENGTH);
    byte[] suffix = new byte[in.readByte() & 0xFF];
    in.readBytes(suffix, 0, suffix.length);
    return Long.parseLong(new String(suffix, StandardCharsets.UTF_8), Character.MAX_RADIX);
  }
}
