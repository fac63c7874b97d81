package io.varve.store;

import io.varve.events.Manifest;
import io.varve.events.SegmentFile;
import io.varve.events.StoredManifest;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The uploads needed until the store holds a manifest.
 *
 * <p>Files that are already stored stay where they are. A refresh creates about ten small files,
 * and each request to a store has a price and a latency, so files up to a limit share an object.
 *
 * @param present locations of files already stored
 * @param alone files large enough for their own object
 * @param bundles files that share an object, in order
 */
public record UploadPlan(
    Map<String, StoredManifest.Place> present,
    List<SegmentFile> alone,
    List<List<SegmentFile>> bundles) {

  /**
   * @param fileBytes files up to this length share an object
   * @param bundleBytes maximum length of a shared object
   */
  public record Limits(long fileBytes, long bundleBytes) {

    public static final Limits DEFAULT = new Limits(1 << 20, 8 << 20);

    public Limits {
      if (fileBytes < 0 || bundleBytes < fileBytes) {
        throw new IllegalArgumentException(
            "0 <= bytes of a file <= bytes of a bundle, was " + fileBytes + ", " + bundleBytes);
      }
    }
  }

  public static UploadPlan of(Manifest manifest, @Nullable StoredManifest stored, Limits limits) {
    Map<String, StoredManifest.Place> present = new HashMap<>();
    List<SegmentFile> alone = new ArrayList<>();
    List<SegmentFile> small = new ArrayList<>();
    for (SegmentFile file : manifest.files()) {
      StoredManifest.Place place = stored == null ? null : stored.placeOf(file);
      if (place != null) {
        present.put(file.name(), place);
      } else if (file.lengthBytes() > limits.fileBytes()) {
        alone.add(file);
      } else {
        small.add(file);
      }
    }
    List<List<SegmentFile>> bundles = bundles(small, limits.bundleBytes());
    bundles.stream().filter(bundle -> bundle.size() == 1).forEach(alone::addAll);
    bundles.removeIf(bundle -> bundle.size() == 1);
    return new UploadPlan(present, alone, bundles);
  }

  private static List<List<SegmentFile>> bundles(List<SegmentFile> files, long bundleBytes) {
    List<List<SegmentFile>> bundles = new ArrayList<>();
    long open = Long.MAX_VALUE;
    files.sort(Comparator.comparing(SegmentFile::name));
    for (SegmentFile file : files) {
      if (bundles.isEmpty() || open + file.lengthBytes() > bundleBytes) {
        bundles.add(new ArrayList<>());
        open = 0;
      }
      bundles.getLast().add(file);
      open += file.lengthBytes();
    }
    return bundles;
  }

  /** The bytes to upload. */
  public long bytes() {
    long bytes = alone.stream().mapToLong(SegmentFile::lengthBytes).sum();
    for (List<SegmentFile> bundle : bundles) {
      bytes += bundle.stream().mapToLong(SegmentFile::lengthBytes).sum();
    }
    return bytes;
  }
}
