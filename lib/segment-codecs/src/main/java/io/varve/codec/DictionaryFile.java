package io.varve.codec;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdException;
import java.io.IOException;
import org.apache.lucene.codecs.CodecUtil;
import org.apache.lucene.index.CorruptIndexException;
import org.apache.lucene.index.IndexFileNames;
import org.apache.lucene.index.SegmentInfo;
import org.apache.lucene.store.ChecksumIndexInput;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.IndexOutput;

/**
 * The dictionary of a segment in a file {@code .zsd}: Lucene's header, {@code length, compressed
 * length, compressed bytes}, Lucene's footer.
 */
final class DictionaryFile {

  static final String EXTENSION = "zsd";

  private static final String CODEC = "VarveDictionary";
  private static final int VERSION = 0;
  private static final int LEVEL = 9;
  private static final int LARGEST = 1 << 20;

  private DictionaryFile() {}

  static void write(Directory directory, SegmentInfo segment, Dictionary dictionary, IOContext io)
      throws IOException {
    byte[] compressed = Zstd.compress(dictionary.bytes(), LEVEL);
    try (IndexOutput out = directory.createOutput(name(segment), io)) {
      CodecUtil.writeIndexHeader(out, CODEC, VERSION, segment.getId(), "");
      out.writeVInt(dictionary.bytes().length);
      out.writeVInt(compressed.length);
      out.writeBytes(compressed, compressed.length);
      CodecUtil.writeFooter(out);
    }
  }

  /** Reads a dictionary and checks that it is the one that the segment was written with. */
  static Dictionary read(Directory directory, SegmentInfo segment, String id) throws IOException {
    String name = name(segment);
    try (ChecksumIndexInput in = directory.openChecksumInput(name)) {
      Throwable failed = null;
      Dictionary dictionary = null;
      try {
        CodecUtil.checkIndexHeader(in, CODEC, VERSION, VERSION, segment.getId(), "");
        dictionary = content(in);
      } catch (IOException | RuntimeException e) {
        failed = e;
      } finally {
        CodecUtil.checkFooter(in, failed);
      }
      if (dictionary == null || !dictionary.id().equals(id)) {
        throw new CorruptIndexException(
            "the file has dictionary " + dictionary + ", the segment was written with " + id, in);
      }
      return dictionary;
    }
  }

  /** Verifies the checksum of the file. */
  static void check(Directory directory, SegmentInfo segment) throws IOException {
    try (IndexInput in = directory.openInput(name(segment), IOContext.READONCE)) {
      CodecUtil.checksumEntireFile(in);
    }
  }

  private static Dictionary content(ChecksumIndexInput in) throws IOException {
    int length = in.readVInt();
    int compressedLength = in.readVInt();
    if (length < 1 || length > LARGEST || compressedLength < 1 || compressedLength > in.length()) {
      throw new CorruptIndexException("lengths " + length + ", " + compressedLength, in);
    }
    byte[] compressed = new byte[compressedLength];
    in.readBytes(compressed, 0, compressedLength);
    try {
      return new Dictionary(Zstd.decompress(compressed, length));
    } catch (ZstdException e) {
      throw new CorruptIndexException(String.valueOf(e.getMessage()), in, e);
    }
  }

  private static String name(SegmentInfo segment) {
    return IndexFileNames.segmentFileName(segment.name, "", EXTENSION);
  }
}
