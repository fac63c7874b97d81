package io.varve.codec;

import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.lucene.codecs.StoredFieldsReader;
import org.apache.lucene.codecs.lucene90.Lucene90StoredFieldsFormat;
import org.apache.lucene.codecs.lucene90.compressing.Lucene90CompressingStoredFieldsFormat;
import org.apache.lucene.index.CodecReader;
import org.apache.lucene.index.FilterLeafReader;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.index.SegmentInfo;
import org.apache.lucene.index.SegmentReader;
import org.apache.lucene.index.StoredFields;
import org.apache.lucene.store.AlreadyClosedException;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.util.IOUtils;
import org.jspecify.annotations.Nullable;

/**
 * Stored fields of a segment for the hits of one page, in index order.
 *
 * <p>A segment that Lucene wrote with LZ4 gets a second reader of the same files, which decodes
 * them with {@link Lz4Decompressor}: Lucene offers no other way to decode the segments of its own
 * codec differently. It is opened by the first search that reads hits from the segment, and closed
 * with the segment. Lucene's reader is used if the files can't be opened again because the last
 * commit with them was deleted.
 */
public final class HitFields {

  /** The name of the format of {@code BEST_SPEED} in headers of files. */
  private static final String FORMAT = "Lucene90StoredFieldsFastData";

  // These sizes are only for writing; a reader takes them from the segment.
  static final Lucene90CompressingStoredFieldsFormat LZ4 =
      new Lucene90CompressingStoredFieldsFormat(FORMAT, Lz4Mode.READING, 1 << 14, 1024, 10);

  private static final Map<IndexReader.CacheKey, Opened> OPENED = new ConcurrentHashMap<>();

  private HitFields() {}

  /** The reader of a segment; {@code fields} is null if Lucene's reader is used. */
  private record Opened(@Nullable StoredFieldsReader fields, @Nullable Directory compound)
      implements Closeable {

    static final Opened NOTHING = new Opened(null, null);

    @Override
    public void close() throws IOException {
      IOUtils.close(fields, compound);
    }
  }

  /**
   * A reader for one thread.
   *
   * @param dense whether many adjacent documents will be read; Lucene's readers then decompress
   *     whole blocks, as for a merge
   */
  public static StoredFields of(LeafReader reader, boolean dense) throws IOException {
    LeafReader whole = FilterLeafReader.unwrap(reader);
    StoredFieldsReader own = whole instanceof SegmentReader segment ? own(segment) : null;
    if (own != null) {
      return own.clone();
    }
    return dense && whole instanceof CodecReader codec
        ? codec.getFieldsReader().getMergeInstance()
        : reader.storedFields();
  }

  private static @Nullable StoredFieldsReader own(SegmentReader segment) {
    return isLz4(segment.getSegmentInfo().info) ? opened(segment).fields : null;
  }

  private static boolean isLz4(SegmentInfo segment) {
    return Lucene90StoredFieldsFormat.Mode.BEST_SPEED
        .name()
        .equals(segment.getAttribute(Lucene90StoredFieldsFormat.MODE_KEY));
  }

  private static Opened opened(SegmentReader segment) {
    IndexReader.CacheHelper core = segment.getCoreCacheHelper();
    Opened known = OPENED.get(core.getKey());
    if (known != null) {
      return known;
    }
    // Keeps the segment open until its listener is in place.
    segment.incRef();
    try {
      return OPENED.computeIfAbsent(core.getKey(), _ -> open(segment, core));
    } finally {
      release(segment);
    }
  }

  private static void release(SegmentReader segment) {
    try {
      segment.decRef();
    } catch (IOException e) {
      throw new UncheckedIOException("closing a segment", e);
    }
  }

  private static Opened open(SegmentReader segment, IndexReader.CacheHelper core) {
    Opened opened = open(segment);
    core.addClosedListener(key -> {
      OPENED.remove(key);
      opened.close();
    });
    return opened;
  }

  /**
   * Opens the files that now have the names of the segment's files. These may belong to another
   * segment, which their headers show, so an error here does not mean that this segment is damaged.
   */
  private static Opened open(SegmentReader reader) {
    SegmentInfo segment = reader.getSegmentInfo().info;
    Directory compound = null;
    try {
      if (segment.getUseCompoundFile()) {
        compound = segment.getCodec().compoundFormat().getCompoundReader(segment.dir, segment);
      }
      Directory files = compound == null ? segment.dir : compound;
      return new Opened(
          LZ4.fieldsReader(files, segment, reader.getFieldInfos(), IOContext.DEFAULT), compound);
    } catch (IOException | AlreadyClosedException e) {
      IOUtils.closeWhileHandlingException(compound);
      return Opened.NOTHING;
    }
  }
}
