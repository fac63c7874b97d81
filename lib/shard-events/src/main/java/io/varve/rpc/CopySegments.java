package io.varve.rpc;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The segments of one copy: those visible to searches and those of the last commit. */
public record CopySegments(List<Segment> segments) {

  /**
   * A segment.
   *
   * @param docs live documents
   * @param attributes recorded by Lucene's codecs
   * @param fileBytes size of each file
   * @param storedFields encoding of the stored fields
   * @param sort index sort, if any
   */
  public record Segment(
      String name,
      long generation,
      long docs,
      long deletedDocs,
      long sizeBytes,
      boolean committed,
      boolean searched,
      String version,
      boolean compound,
      Map<String, String> attributes,
      Map<String, Long> fileBytes,
      @Nullable String sort,
      StoredFields storedFields) {}

  /**
   * Encoding of a segment's stored fields.
   *
   * @param codec as in {@code index.codec}
   * @param level 0 for codecs without levels
   * @param dictionary id of the dictionary; empty without one
   * @param bytes size of their files
   * @param rawBytes size before compression; -1 if it was not recorded
   */
  public record StoredFields(
      String codec, int level, String dictionary, long bytes, long rawBytes) {}

  public long committed() {
    return segments.stream().filter(Segment::committed).count();
  }

  public long searched() {
    return segments.stream().filter(Segment::searched).count();
  }
}
