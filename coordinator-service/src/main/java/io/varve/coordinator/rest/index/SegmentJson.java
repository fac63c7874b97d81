package io.varve.coordinator.rest.index;

import static io.varve.rest.JsonObjects.object;

import io.varve.rpc.CopySegments;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;

/** Converts segments to OpenSearch's JSON. */
final class SegmentJson {

  private static final Map<String, String> KINDS =
      Map.ofEntries(
          Map.entry("si", "Segment Info"),
          Map.entry("fnm", "Fields"),
          Map.entry("fdm", "Field Metadata"),
          Map.entry("fdx", "Field Index"),
          Map.entry("fdt", "Field Data"),
          Map.entry("zsd", "Field Data Dictionary"),
          Map.entry("tim", "Term Dictionary"),
          Map.entry("tip", "Term Index"),
          Map.entry("tmd", "Term Metadata"),
          Map.entry("doc", "Frequencies"),
          Map.entry("pos", "Positions"),
          Map.entry("pay", "Payloads"),
          Map.entry("psm", "Postings Metadata"),
          Map.entry("nvd", "Norms Data"),
          Map.entry("nvm", "Norms Metadata"),
          Map.entry("dvd", "DocValues"),
          Map.entry("dvm", "DocValues Metadata"),
          Map.entry("kdd", "Points Data"),
          Map.entry("kdi", "Points Index"),
          Map.entry("kdm", "Points Metadata"),
          Map.entry("tvx", "Term Vector Index"),
          Map.entry("tvd", "Term Vector Documents"),
          Map.entry("tvm", "Term Vector Metadata"),
          Map.entry("liv", "Live Documents"),
          Map.entry("cfs", "Compound Files"),
          Map.entry("cfe", "Compound Files Entries"));

  private SegmentJson() {}

  /** Returns sizes by kind of file. */
  static Map<String, Object> fileSizes(CopySegments segments) {
    Map<String, Long> byKind = new TreeMap<>();
    for (CopySegments.Segment segment : segments.segments()) {
      segment
          .fileBytes()
          .forEach((name, bytes) -> byKind.merge(kind(name), bytes, (a, b) -> a + b));
    }
    Map<String, Object> shown = new LinkedHashMap<>();
    byKind.forEach((kind, bytes) ->
        shown.put(
            kind,
            object("size_in_bytes", bytes, "description", KINDS.getOrDefault(kind, "Others"))));
    return shown;
  }

  private static String kind(String fileName) {
    return fileName.substring(fileName.lastIndexOf('.') + 1);
  }

  private static Map<String, Object> storedFields(CopySegments.StoredFields stored) {
    Map<String, Object> shown = object("mode", stored.codec());
    if (stored.level() > 0) {
      shown.put("level", stored.level());
    }
    if (!stored.dictionary().isEmpty()) {
      shown.put("dictionary", stored.dictionary());
    }
    shown.put("size_in_bytes", stored.bytes());
    if (stored.rawBytes() >= 0) {
      shown.put("raw_size_in_bytes", stored.rawBytes());
      StoredFieldsShare.ratio(stored.bytes(), stored.rawBytes())
          .ifPresent(ratio -> shown.put("ratio", ratio));
    }
    return shown;
  }

  static Map<String, Object> segment(CopySegments.Segment segment) {
    Map<String, Object> shown =
        object(
            "generation", segment.generation(),
            "num_docs", segment.docs(),
            "deleted_docs", segment.deletedDocs(),
            "size_in_bytes", segment.sizeBytes(),
            "memory_in_bytes", 0L,
            "committed", segment.committed(),
            "search", segment.searched(),
            "version", segment.version(),
            "compound", segment.compound());
    if (segment.sort() != null) {
      shown.put("sort", segment.sort());
    }
    shown.put("stored_fields", storedFields(segment.storedFields()));
    shown.put("attributes", new TreeMap<>(segment.attributes()));
    return shown;
  }
}
