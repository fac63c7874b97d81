package io.varve.store;

import io.varve.events.Manifest;
import io.varve.events.SegmentFile;
import java.util.List;

/**
 * How a copy gets from its local files to those of one manifest. Every file of the manifest stands
 * in exactly one of the three lists.
 *
 * @param local what the plan was made from
 * @param reuse files that are here under their name
 * @param links files that are here under another name
 * @param fetches files that must come from elsewhere, fewest missing bytes first
 */
public record CopyPlan(
    Manifest target,
    LocalFiles local,
    List<SegmentFile> reuse,
    List<Link> links,
    List<Fetch> fetches) {

  /** The bytes of {@code wanted} are here as {@code existing}. */
  public record Link(SegmentFile existing, SegmentFile wanted) {}

  /** A file of which the first {@code presentBytes} were transferred before. */
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

  /** What the transfer will cost. */
  public long missingBytes() {
    return fetches.stream().mapToLong(Fetch::missingBytes).sum();
  }
}
