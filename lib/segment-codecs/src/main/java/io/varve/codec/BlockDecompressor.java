package io.varve.codec;

import com.github.luben.zstd.ZstdDictDecompress;
import java.io.IOException;
import org.apache.lucene.codecs.compressing.Decompressor;
import org.apache.lucene.store.DataInput;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.util.BytesRef;
import org.jspecify.annotations.Nullable;

/** Reads what {@link BlockCompressor} wrote. Clones read the same file. */
final class BlockDecompressor extends Decompressor {

  private final @Nullable ZstdDictDecompress dictionary;
  private final Object file;

  BlockDecompressor(@Nullable ZstdDictDecompress dictionary) {
    this(dictionary, new Object());
  }

  private BlockDecompressor(@Nullable ZstdDictDecompress dictionary, Object file) {
    this.dictionary = dictionary;
    this.file = file;
  }

  @Override
  public void decompress(DataInput in, int originalLength, int offset, int length, BytesRef bytes)
      throws IOException {
    bytes.offset = 0;
    bytes.length = length;
    if (length == 0) {
      return;
    }
    long position = in instanceof IndexInput input ? input.getFilePointer() : -1;
    BlockDecoders decoders = BlockDecoders.all();
    BlockDecoder decoder = decoders.lend(file, position);
    try {
      read(decoder, in, position, originalLength);
      if (decoder.size() != originalLength || offset + length > originalLength) {
        throw BlockDecoder.corrupt(
            decoder.size() + " bytes instead of " + originalLength, position, in, null);
      }
      if (bytes.bytes.length < length + ColumnDecoder.SLACK) {
        bytes.bytes = new byte[length + ColumnDecoder.SLACK];
      }
      decoder.copy(offset, length, bytes.bytes, in);
    } finally {
      decoders.giveBack(decoder);
    }
  }

  private void read(BlockDecoder decoder, DataInput in, long position, int length)
      throws IOException {
    if (position >= 0 && decoder.holds(file, position)) {
      ((IndexInput) in).seek(decoder.end());
      return;
    }
    decoder.read(in, position, length, dictionary);
    if (position >= 0) {
      decoder.remember(file, position, ((IndexInput) in).getFilePointer());
    }
  }

  @Override
  public Decompressor clone() {
    return new BlockDecompressor(dictionary, file);
  }
}
