package io.varve.engine;

import io.varve.events.SegmentFile;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.apache.lucene.codecs.CodecUtil;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.util.StringHelper;

/**
 * Reads the identities of segment files. They are cached by name, since a writer never reuses
 * names. Not thread-safe.
 */
final class SegmentFiles {

  private final Directory directory;
  private Map<String, SegmentFile> known = new HashMap<>();

  SegmentFiles(Directory directory) {
    this.directory = directory;
  }

  /** The identities of {@code names}; all others are dropped from the cache. */
  List<SegmentFile> identify(Collection<String> names) throws IOException {
    Map<String, SegmentFile> identified = new HashMap<>();
    List<SegmentFile> files = new ArrayList<>(names.size());
    for (String name : names) {
      SegmentFile before = known.get(name);
      SegmentFile file = before == null ? read(directory, name) : before;
      identified.put(name, file);
      files.add(file);
    }
    known = identified;
    return files;
  }

  /** Reads header id and footer checksum without verifying the bytes in between. */
  static SegmentFile read(Directory directory, String name) throws IOException {
    try (IndexInput in = directory.openInput(name, IOContext.READONCE)) {
      long checksum = CodecUtil.retrieveChecksum(in);
      return new SegmentFile(name, in.length(), Long.toHexString(checksum), headerId(in));
    }
  }

  /** Reads the whole file; throws if its checksum differs from the footer's. */
  static SegmentFile readAndVerify(Directory directory, String name) throws IOException {
    try (IndexInput in = directory.openInput(name, IOContext.READONCE)) {
      long checksum = CodecUtil.checksumEntireFile(in);
      return new SegmentFile(name, in.length(), Long.toHexString(checksum), headerId(in));
    }
  }

  private static String headerId(IndexInput in) throws IOException {
    in.seek(0);
    CodecUtil.readBEInt(in); // magic
    in.readString(); // codec
    CodecUtil.readBEInt(in); // version
    byte[] id = new byte[StringHelper.ID_LENGTH];
    in.readBytes(id, 0, id.length);
    return HexFormat.of().formatHex(id);
  }
}
