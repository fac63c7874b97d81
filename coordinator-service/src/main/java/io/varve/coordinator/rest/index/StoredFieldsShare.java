package io.varve.coordinator.rest.index;

import static io.varve.rest.JsonObjects.object;

import io.varve.rpc.CopySegments;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.TreeMap;

/**
 * Sizes of stored fields by codec. A segment without a recorded uncompressed size contributes to
 * the size but not to the ratio. Ratios are computed when the sums are complete.
 */
public final class StoredFieldsShare {

  private static final String RAW = "raw";
  private static final double THOUSANDTH = 1000.0;

  private StoredFieldsShare() {}

  /** Returns the rounded ratio to the uncompressed size; empty if that size is 0. */
  public static OptionalDouble ratio(long bytes, long rawBytes) {
    return rawBytes <= 0
        ? OptionalDouble.empty()
        : OptionalDouble.of(Math.round(bytes * THOUSANDTH / rawBytes) / THOUSANDTH);
  }

  /** Returns the sizes by codec, without ratios, so that they can be summed. */
  static Map<String, Object> byCodec(CopySegments segments) {
    Map<String, long[]> sums = new TreeMap<>();
    for (CopySegments.Segment segment : segments.segments()) {
      CopySegments.StoredFields stored = segment.storedFields();
      long[] sum = sums.computeIfAbsent(stored.codec(), _ -> new long[4]);
      sum[0]++;
      sum[1] += stored.bytes();
      if (stored.rawBytes() >= 0) {
        sum[2] += stored.bytes();
        sum[3] += stored.rawBytes();
      }
    }
    Map<String, Object> shown = new LinkedHashMap<>();
    sums.forEach((codec, sum) -> {
      Map<String, Object> one = object("segments", sum[0], "size_in_bytes", sum[1]);
      if (sum[3] > 0) {
        one.put(RAW, object("size_in_bytes", sum[3], "stored_size_in_bytes", sum[2]));
      }
      shown.put(codec, one);
    });
    return shown;
  }

  /** Adds the ratios to sections that contain stored fields with a known uncompressed size. */
  static Map<String, Object> withRatios(Map<String, Object> sections) {
    if (sections.get("segments") instanceof Map<?, ?> segments
        && segments.get("stored_fields") instanceof Map<?, ?> byCodec) {
      byCodec.values().forEach(one -> addRatio((Map<?, ?>) one));
    }
    return sections;
  }

  @SuppressWarnings("unchecked")
  private static void addRatio(Map<?, ?> codec) {
    if (codec.get(RAW) instanceof Map<?, ?> raw) {
      ratio((Long) raw.get("stored_size_in_bytes"), (Long) raw.get("size_in_bytes"))
          .ifPresent(ratio -> ((Map<String, Object>) raw).put("ratio", ratio));
    }
  }
}
