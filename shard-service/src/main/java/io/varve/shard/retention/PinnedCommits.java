package io.varve.shard.retention;

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
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
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
 *   pinned          each commit while a follower has a lease
 *   kept            as {@link Pins} decides
 *   without leases  nothing is kept
 * </pre>
 *
 * Files that merges have replaced since the commit use disk space until the pin is deleted. On a
 * node without the pins, the failback copies the promoted index's segments.
 */
public final class PinnedCommits {

  private static final Logger LOG = LoggerFactory.getLogger(PinnedCommits.class);
  private static final Pattern NAME = Pattern.compile("(\\d{1,18})-(-1|\\d{1,18})");

  private final Path folder;

  private PinnedCommits(Path folder) {
    this.folder = folder;
  }

  /** The pins in the folder of a shard. */
  public static PinnedCommits in(Path shardFolder) {
    return new PinnedCommits(shardFolder.resolve("pinned"));
  }

  private static List<Long> leases(CopyContext context) {
    return context
        .node()
        .cluster()
        .current()
        .index(context.shard().indexUuid())
        .map(index -> Pins.leases(index, context.shard().number()))
        .orElse(List.of());
  }

  /**
   * Pins the last commit if the shard has leases, and deletes the pins that no lease needs. No
   * other commit may run during this call. A failure is only logged, because pins only make a
   * failback faster.
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
    if (pins().has(nextOffset)) {
      delete(next);
    } else {
      Path pin = folderOf(new Pins.Pin(nextOffset, maxSeqNo));
      Files.move(next, pin, StandardCopyOption.ATOMIC_MOVE);
    }
    Pins all = pins();
    List<Pins.Pin> kept = all.kept(leases).pins();
    for (Pins.Pin pin : all.pins()) {
      if (!kept.contains(pin)) {
        delete(folderOf(pin));
      }
    }
  }

  /** The folder of a pinned commit. */
  public Path folderOf(Pins.Pin pin) {
    return folder.resolve(pin.nextOffset() + "-" + pin.maxSeqNo());
  }

  /** The commits that are pinned now. */
  public Pins pins() {
    if (!Files.isDirectory(folder)) {
      return new Pins(List.of());
    }
    try (Stream<Path> paths = Files.list(folder)) {
      return new Pins(paths.flatMap(path -> pin(path).stream()).toList());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Optional<Pins.Pin> pin(Path path) {
    Matcher name = NAME.matcher(path.getFileName().toString());
    return name.matches()
        ? Optional.of(new Pins.Pin(Long.parseLong(name.group(1)), Long.parseLong(name.group(2))))
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
