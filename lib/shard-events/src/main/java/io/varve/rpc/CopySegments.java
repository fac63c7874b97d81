package io.varve.rpc;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The segments of one copy: those that searches use, and those of the last commit. */
public record CopySegments(List<Segment> segments) {

  /**
   * One segment.
   *
   * @param docs live documents
   * @param attributes what Lucene's codecs noted in it
   * @param fileBytes the size of each of its files
   * @param storedFields how they are encoded
   * @param sort the order of its documents, if it has one
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
   * How a segment keeps its stored fields.
   *
   * @param codec as in {@code index.codec}
   * @param level 0 where there are none
   * @param dictionary the id of the dictionary; empty without one
   * @param bytes of their files
   * @param rawBytes before compression; -1 where nobody noted them
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
