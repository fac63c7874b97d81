package io.varve.shard.retention;

import io.varve.cluster.IndexMetadata;
import io.varve.cluster.RetentionLease;
import io.varve.engine.ClosedSegments;
import io.varve.host.CopyContext;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The commits of a primary that are kept for its followers after later ones have replaced them. If
 * a follower is promoted, a failback continues from such a commit and replays the log from there,
 * so the log may be truncated before it.
 *
 * <pre>
 *   folder          {@code <shard folder>/pinned/<next offset>-<highest seq_no>}, with hard links
 *                   to the files of the commit
 *   pinned          each commit while a follower has a lease; its content is a prefix of the log
 *                   up to at most that seq_no, with all operations before that offset
 *   kept, by lease  the newest one that is not past the lease's offset, and the next one, which
 *                   replaces it when the lease has advanced
 *   kept also       the newest one
 *   without leases  nothing is kept
 * </pre>
 *
 * Files that merges have replaced since the commit use disk space until the pin is deleted. A node
 * without the pins can't use them: then the failback copies the promoted index's segments.
 */
public final class PinnedCommits {

  private static final Logger LOG = LoggerFactory.getLogger(PinnedCommits.class);
  private static final Pattern NAME = Pattern.compile("(\\d{1,18})-(-1|\\d{1,18})");

  /**
   * A pinned commit.
   *
   * @param maxSeqNo upper bound of the seq_nos in the commit
   */
  public record Pin(Path folder, long nextOffset, long maxSeqNo) {}

  private final Path folder;

  private PinnedCommits(Path folder) {
    this.folder = folder;
  }

  /** The pins in the folder of a shard. */
  public static PinnedCommits in(Path shardFolder) {
    return new PinnedCommits(shardFolder.resolve("pinned"));
  }

  /** The offsets from which leases in force retain the shard's log. */
  static List<Long> leases(CopyContext context) {
    return context
        .node()
        .cluster()
        .current()
        .index(context.shard().indexUuid())
        .map(IndexMetadata::leases)
        .map(leases ->
            leases.values().stream()
                .filter(RetentionLease::isActive)
                .map(lease -> lease.retainedFrom(context.shard().number()))
                .filter(offset -> offset >= 0)
                .toList())
        .orElse(List.of());
  }

  /**
   * Pins the last commit if the shard has leases, and deletes the pins that no lease needs. No
   * other commit may run meanwhile. A failure is logged: pins only shorten a failback.
   *
   * @param maxSeqNo upper bound of the seq_nos in the commit
   */
  public static void committed(CopyContext context, long maxSeqNo) {
    try {
      in(context.folder()).committed(context.folder().resolve("index"), maxSeqNo, leases(context));
    } catch (IOException | UncheckedIOException e) {
      LOG.warn("{} could not pin its commit for followers", context.shard(), e);
    }
  }

  void committed(Path index, long maxSeqNo, Collection<Long> leases) throws IOException {
    if (leases.isEmpty()) {
      delete(folder);
      return;
    }
    Path next = folder.resolve("next");
    delete(next);
    long nextOffset = ClosedSegments.linkLastCommit(index, next).nextOffset();
    if (offsets().contains(nextOffset)) {
      delete(next);
    } else {
      Path pin = folder.resolve(nextOffset + "-" + maxSeqNo);
      Files.move(next, pin, StandardCopyOption.ATOMIC_MOVE);
    }
    Set<Long> kept = kept(offsets(), leases);
    for (Pin pin : pins()) {
      if (!kept.contains(pin.nextOffset())) {
        delete(pin.folder());
      }
    }
  }

  /** The pins to keep. */
  static Set<Long> kept(NavigableSet<Long> pins, Collection<Long> leases) {
    Set<Long> kept = new TreeSet<>();
    if (pins.isEmpty() || leases.isEmpty()) {
      return kept;
    }
    kept.add(pins.last());
    for (long lease : leases) {
      Long pinned = pins.floor(lease);
      Long next = pins.higher(lease);
      if (pinned != null) {
        kept.add(pinned);
      }
      if (next != null) {
        kept.add(next);
      }
    }
    return kept;
  }

  /** The offset from which the log is needed for a lease at that offset. */
  long neededFrom(long leaseOffset) {
    Long pinned = leaseOffset < 0 ? null : offsets().floor(leaseOffset);
    return pinned == null ? leaseOffset : pinned;
  }

  /**
   * The newest pin with no operation after a position.
   *
   * @param mostOffset the pin has all operations before at most this offset
   */
  public Optional<Pin> newest(long mostOffset, long mostSeqNo) {
    return pins().stream()
        .filter(pin -> pin.nextOffset() <= mostOffset && pin.maxSeqNo() <= mostSeqNo)
        .max(Comparator.comparingLong(Pin::nextOffset));
  }

  private NavigableSet<Long> offsets() {
    return pins().stream().map(Pin::nextOffset).collect(Collectors.toCollection(TreeSet::new));
  }

  private List<Pin> pins() {
    if (!Files.isDirectory(folder)) {
      return List.of();
    }
    try (Stream<Path> paths = Files.list(folder)) {
      return paths.flatMap(path -> pin(path).stream()).toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Optional<Pin> pin(Path path) {
    Matcher name = NAME.matcher(path.getFileName().toString());
    return name.matches()
        ? Optional.of(new Pin(path, Long.parseLong(name.group(1)), Long.parseLong(name.group(2))))
        : Optional.empty();
  }

  /** Deletes a folder with its files; does nothing if there is none. */
  public static void delete(Path folder) throws IOException {
    if (Files.exists(folder)) {
      try (Stream<Path> paths = Files.walk(folder)) {
        for (Path path : paths.sorted(Comparator.reverseOrder()).toList()) {
          Files.deleteIfExists(path);
        }
      }
    }
  }
}
