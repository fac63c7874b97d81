package io.varve.store;

import io.varve.events.Manifest;
import io.varve.events.SegmentFile;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Decides which files a copy must fetch to show a manifest.
 *
 * <pre>
 *   present under its own name      reuse
 *   present under another name      link
 *   partially present               fetch the rest
 *   name taken by other content     fetch, replace when the manifest is installed
 *   absent                          fetch
 * </pre>
 *
 * Files are compared by identity (header id, length, checksum), never by name, because a name does
 * not identify the content. The header id alone is not enough: all files of a segment share it.
 */
public final class CopyPlanner {

  private static final String TEMP_PREFIX = "replication.";
  private static final String TEMP_SUFFIX = ".tmp";

  private static final Comparator<CopyPlan.Fetch> SMALLEST_FIRST =
      Comparator.comparingLong(CopyPlan.Fetch::missingBytes).thenComparing(f -> f.file().name());

  private record Identity(String headerId, long lengthBytes, String checksum) {
    static Identity of(SegmentFile file) {
      return new Identity(file.headerId(), file.lengthBytes(), file.checksum());
    }
  }

  private CopyPlanner() {}

  /** The temporary name under which a file is transferred until it is complete and verified. */
  public static String tempName(SegmentFile file) {
    return TEMP_PREFIX + file.headerId() + "-" + file.checksum() + TEMP_SUFFIX;
  }

  /** The temporary name of a hard link until its content is verified. */
  static String linkName(SegmentFile file) {
    return TEMP_PREFIX + "link-" + file.headerId() + "-" + file.checksum() + TEMP_SUFFIX;
  }

  public static boolean isTempName(String name) {
    return name.startsWith(TEMP_PREFIX) && name.endsWith(TEMP_SUFFIX);
  }

  public static CopyPlan plan(Manifest target, LocalFiles local) {
    Map<String, SegmentFile> byName = new HashMap<>();
    Map<Identity, SegmentFile> byIdentity = new HashMap<>();
    for (SegmentFile file : local.complete()) {
      byName.put(file.name(), file);
      byIdentity.putIfAbsent(Identity.of(file), file);
    }
    List<SegmentFile> reuse = new ArrayList<>();
    List<CopyPlan.Link> links = new ArrayList<>();
    List<CopyPlan.Fetch> fetches = new ArrayList<>();
    for (SegmentFile wanted : target.files()) {
      @Nullable SegmentFile sameName = byName.get(wanted.name());
      @Nullable SegmentFile sameContent = byIdentity.get(Identity.of(wanted));
      if (sameName != null && sameName.sameContent(wanted)) {
        reuse.add(wanted);
      } else if (sameContent != null) {
        links.add(new CopyPlan.Link(sameContent, wanted));
      } else {
        fetches.add(new CopyPlan.Fetch(wanted, presentBytes(wanted, local)));
      }
    }
    fetches.sort(SMALLEST_FIRST);
    return new CopyPlan(target, local, reuse, links, fetches);
  }

  /**
   * The plan for a manifest that takes over while {@code running} is in progress: files and parts
   * that have arrived are not fetched again.
   */
  public static CopyPlan carryOver(
      CopyPlan running,
      Collection<SegmentFile> arrived,
      Map<String, Long> partialBytes,
      Manifest newer) {
    return plan(newer, running.local().with(arrived, partialBytes));
  }

  private static long presentBytes(SegmentFile wanted, LocalFiles local) {
    long present = local.partialBytes().getOrDefault(tempName(wanted), 0L);
    // A longer temporary file can't be a prefix of the file.
    return present > wanted.lengthBytes() ? 0 : present;
  }
}
