package io.varve.codec;

import java.io.IOException;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import org.apache.lucene.codecs.Codec;
import org.apache.lucene.codecs.lucene104.Lucene104Codec;
import org.apache.lucene.index.IndexFileNames;
import org.apache.lucene.index.SegmentCommitInfo;
import org.apache.lucene.index.SegmentInfo;
import org.apache.lucene.index.SegmentInfos;
import org.apache.lucene.store.Directory;

/** The codecs that an index can use for its segments, and the encoding of existing segments. */
public final class SegmentCodecs {

  private static final String LUCENE_MODE = "Lucene90StoredFieldsFormat.mode";

  /** Extensions of the files with stored fields. */
  private static final Set<String> STORED_FIELDS = Set.of("fdt", "fdx", "fdm", "zsd");

  private static final char FORMAT = '/';

  private SegmentCodecs() {}

  /**
   * A codec for one writer.
   *
   * @param name value of {@code index.codec}
   * @param level value of {@code index.codec.compression_level}; used by zstd only
   */
  public static Codec of(String name, int level) {
    missing(name)
        .ifPresent(reason -> {
          throw new IllegalStateException("index.codec is " + name + ", and " + reason);
        });
    return switch (name) {
      case "default", "lz4" -> new Lucene104Codec(Lucene104Codec.Mode.BEST_SPEED);
      case "best_compression", "zlib" -> new Lucene104Codec(Lucene104Codec.Mode.BEST_COMPRESSION);
      case "zstd" -> new Varve104Codec(new Coding(Coding.Mode.ZSTD, level));
      case "zstd_no_dict" -> new Varve104Codec(new Coding(Coding.Mode.ZSTD_NO_DICT, level));
      default -> throw new IllegalArgumentException("unknown value for [index.codec]: " + name);
    };
  }

  /** The reason why this process can't use that codec; empty if it can. */
  public static Optional<String> missing(String name) {
    return name.startsWith("zstd") ? NativeZstd.missing() : Optional.empty();
  }

  /** The encoding of stored fields by the codec with this name and level. */
  public static StoredEncoding encoding(String name, int level) {
    return switch (name) {
      case "default", "lz4" -> new StoredEncoding("default", 0, "");
      case "best_compression", "zlib" -> new StoredEncoding("best_compression", 0, "");
      default -> new StoredEncoding(name, level, "");
    };
  }

  /**
   * The names of the codecs that a process needs to open these segments, sorted and separated by
   * commas. The name of Varve's codec includes its format version.
   */
  public static String names(SegmentInfos segments) {
    SortedSet<String> names = new TreeSet<>();
    for (SegmentCommitInfo segment : segments) {
      String format = segment.info.getAttribute(ZstdFieldsFormat.FORMAT);
      String name = segment.info.getCodec().getName();
      names.add(format == null ? name : name + FORMAT + format);
    }
    return String.join(",", names);
  }

  /** The newest format of Varve's stored fields that this process reads and writes. */
  public static int newestFormat() {
    return ZstdFieldsFormat.NEWEST_FORMAT;
  }

  /** The subset of {@link #names} that this process can't read. */
  public static List<String> unreadable(String names) {
    return Arrays.stream(names.split(","))
        .filter(name -> !name.isEmpty() && !isReadable(name))
        .toList();
  }

  private static boolean isReadable(String name) {
    int format = name.indexOf(FORMAT);
    String codec = format < 0 ? name : name.substring(0, format);
    return Codec.availableCodecs().contains(codec)
        && (format < 0
            || (isKnownFormat(name.substring(format + 1)) && NativeZstd.missing().isEmpty()));
  }

  private static boolean isKnownFormat(String number) {
    return number.matches("[1-9][0-9]{0,8}")
        && Integer.parseInt(number) <= ZstdFieldsFormat.NEWEST_FORMAT;
  }

  /** The uncompressed size of a segment's stored fields, or -1 if it was not recorded. */
  public static long contentBytes(SegmentInfo segment) {
    String noted = segment.getAttribute(ZstdFieldsFormat.CONTENT_BYTES);
    return noted == null ? MergedContent.UNKNOWN : Long.parseLong(noted);
  }

  /** The size of the files with a segment's stored fields, including those in a compound file. */
  public static long storedBytes(SegmentInfo segment) throws IOException {
    if (!segment.getUseCompoundFile()) {
      return storedBytes(segment.dir, segment.files());
    }
    try (Directory inside =
        segment.getCodec().compoundFormat().getCompoundReader(segment.dir, segment)) {
      return storedBytes(inside, List.of(inside.listAll()));
    }
  }

  private static long storedBytes(Directory files, Collection<String> names) throws IOException {
    long bytes = 0;
    for (String name : names) {
      if (STORED_FIELDS.contains(IndexFileNames.getExtension(name))) {
        bytes += files.fileLength(name);
      }
    }
    return bytes;
  }

  /** The encoding of a segment's stored fields. */
  public static StoredEncoding encoding(SegmentInfo segment) {
    String mode = segment.getAttribute(ZstdFieldsFormat.MODE);
    if (mode != null) {
      return new StoredEncoding(
          mode,
          Integer.parseInt(
              Objects.requireNonNullElse(segment.getAttribute(ZstdFieldsFormat.LEVEL), "0")),
          Objects.requireNonNullElse(segment.getAttribute(ZstdFieldsFormat.DICTIONARY), ""));
    }
    String lucene = segment.getAttribute(LUCENE_MODE);
    return new StoredEncoding(
        lucene == null || lucene.equals("BEST_SPEED") ? "default" : lucene.toLowerCase(Locale.ROOT),
        0,
        "");
  }
}
