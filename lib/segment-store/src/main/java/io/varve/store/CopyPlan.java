package io.varve.store;

import io.varve.events.Manifest;
import io.varve.events.SegmentFile;
import java.util.List;

/**
 * The steps from a copy's local files to those of a manifest. Each file of the manifest is in
 * exactly one of the three lists.
 *
 * @param local the local files when the plan was made
 * @param reuse files present under their own name
 * @param links files present under another name
 * @param fetches files to fetch, fewest missing bytes first
 */
public record CopyPlan(
    Manifest target,
    LocalFiles local,
    List<SegmentFile> reuse,
    List<Link> links,
    List<Fetch> fetches) {

  /** The content of {@code wanted} is present as {@code existing}. */
  public record Link(SegmentFile existing, SegmentFile wanted) {}

  /** A file to fetch; its first {@code presentBytes} were transferred earlier. */
  public record Fetch(SegmentFile file, long presentBytes) {
    public Fetch {
      if (presentBytes < 0 || presentBytes > file.lengthBytes()) {
        throw new IllegalArgumentException(
            "present bytes of "
                + file.name()
                + " must be 0 to "
                + file.lengthBytes()
                + ", was "
                + presentBytes);
      }
    }

    public long missingBytes() {
      return file.lengthBytes() - presentBytes;
    }
  }

  public CopyPlan {
    reuse = List.copyOf(reuse);
    links = List.copyOf(links);
    fetches = List.copyOf(fetches);
  }

  /** The bytes to transfer. */
  public long missingBytes() {
    return fetches.stream().mapToLong(Fetch::missingBytes).sum();
  }
}
