package io.varve.codec;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import org.apache.lucene.codecs.compressing.Compressor;
import org.apache.lucene.store.ByteArrayDataInput;
import org.apache.lucene.store.ByteBuffersDataInput;
import org.apache.lucene.store.ByteBuffersDataOutput;
import org.apache.lucene.util.BytesRef;

/** Encodes and decodes single blocks, without Lucene's files. */
final class Blocks {

  private Blocks() {}

  static byte[] compress(Dictionary dictionary, Coding coding, byte[] block) throws Exception {
    try (SharedDictionary shared = SharedDictionary.hold(dictionary);
        Compressor compressor = shared.mode(coding).newCompressor()) {
      ByteBuffersDataOutput out = new ByteBuffersDataOutput();
      compressor.compress(new ByteBuffersDataInput(List.of(ByteBuffer.wrap(block))), out);
      return out.toArrayCopy();
    }
  }

  static byte[] decompress(Dictionary dictionary, Coding coding, byte[] written, int length)
      throws Exception {
    try (SharedDictionary shared = SharedDictionary.hold(dictionary)) {
      BytesRef bytes = new BytesRef();
      shared
          .mode(coding)
          .newDecompressor()
          .decompress(new ByteArrayDataInput(written), length, 0, length, bytes);
      return Arrays.copyOfRange(bytes.bytes, bytes.offset, bytes.offset + bytes.length);
    }
  }
}
