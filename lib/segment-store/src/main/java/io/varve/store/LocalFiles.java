package io.varve.store;

import io.varve.events.SegmentFile;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The files that a copy has on its disk.
 *
 * @param complete complete files, identified by header and footer
 * @param partialBytes the length of each unfinished transfer, by {@link CopyPlanner#tempName}
 */
public record LocalFiles(List<SegmentFile> complete, Map<String, Long> partialBytes) {

  public static final LocalFiles NONE = new LocalFiles(List.of(), Map.of());

  public LocalFiles {
    complete = List.copyOf(complete);
    partialBytes = Map.copyOf(partialBytes);
  }

  /** Adds files that have arrived since, and replaces the unfinished transfers. */
  public LocalFiles with(Collection<SegmentFile> arrived, Map<String, Long> partial) {
    Map<String, SegmentFile> byName = new LinkedHashMap<>();
    complete.forEach(file -> byName.put(file.name(), file));
    arrived.forEach(file -> byName.put(file.name(), file));
    Map<String, Long> parts = new LinkedHashMap<>(partialBytes);
    parts.putAll(partial);
    arrived.forEach(file -> parts.remove(CopyPlanner.tempName(file)));
    return new LocalFiles(new ArrayList<>(byName.values()), parts);
  }
}
