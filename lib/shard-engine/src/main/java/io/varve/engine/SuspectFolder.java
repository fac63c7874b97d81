package io.varve.engine;

import io.varve.events.MalformedRecordException;
import io.varve.events.Manifest;
import io.varve.events.SegmentFile;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.lucene.index.CorruptIndexException;
import org.apache.lucene.index.IndexFormatTooNewException;
import org.apache.lucene.index.IndexFormatTooOldException;
import org.apache.lucene.index.SegmentInfos;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.apache.lucene.util.IOUtils;
import org.jspecify.annotations.Nullable;

/**
 * Handles a folder in which a read found corruption: the folder is marked, and the next open first
 * verifies every file that its last commit or kept manifest names, including files that were
 * synced. Files that nothing references, such as those of an aborted merge, are not verified.
 *
 * <p>A copy that receives its segments only loses the damaged files, which are deleted together
 * with commits that may name them. A writer can't work without one of its files: its folder is
 * moved aside as a whole for inspection, and the copy starts empty.
 *
 * <p>A folder is also suspected because its copy contradicts the log: then the files are intact,
 * but wrong, and all of them are moved aside.
 *
 * <p>If every file is intact, the data was already wrong when it was written, or reading it is
 * faulty. The reason is then recorded, so that the same failure does not cause the copy to verify
 * and reopen the folder repeatedly. A writer continues but does not merge.
 *
 * <p>INVARIANT: corruption means that bytes were read and found wrong, never that a read failed. A
 * mark is removed only after its consequences are on disk.
 */
public final class SuspectFolder {

  private static final String MARK = "suspect";
  private static final String VERIFIED = "verified";
  private static final String ASIDE = ".damaged";
  private static final String CONTRADICTION = "contradicts the log: ";

  private SuspectFolder() {}

  /** Describes the corruption if the failure is one. */
  public static Optional<String> damage(Throwable failure) {
    Throwable cause = failure;
    for (int depth = 0; cause != null && depth < 20; depth++, cause = cause.getCause()) {
      if (cause instanceof CorruptIndexException) {
        return Optional.of(String.valueOf(cause.getMessage()));
      }
    }
    return Optional.empty();
  }

  /** The reason of a suspicion that no file can disprove. */
  public static String contradiction(String reason) {
    return CONTRADICTION + reason;
  }

  /** The mark is durable when this returns; a folder that does not exist needs none. */
  public static void mark(Path folder, String reason) throws IOException {
    if (Files.isDirectory(folder)) {
      write(folder, MARK, reason);
    }
  }

  /** Whether every file was verified intact after corruption was reported for this reason. */
  public static boolean wasVerified(Path folder, String reason) throws IOException {
    return notes(folder).contains(line(reason));
  }

  /** Why the segments must not be merged: a merge would read the unreadable data again. */
  static Optional<String> unmergeable(Path folder) throws IOException {
    List<String> notes = notes(folder);
    return notes.isEmpty() ? Optional.empty() : Optional.of(notes.getLast());
  }

  /**
   * As {@link #clear(Path, boolean, String)}, for a folder that is only suspected because of its
   * mark.
   */
  public static List<String> clear(Path folder, boolean writes) throws IOException {
    return clear(folder, writes, null);
  }

  /**
   * Verifies a folder that is marked or otherwise suspected, and removes what is damaged.
   *
   * @param writes whether the copy writes its own segments
   * @param suspicion the reason if the folder could not be marked
   * @return the names of damaged files
   * @throws IOException if a file could not be read: nothing is known, and the mark remains
   */
  public static List<String> clear(Path folder, boolean writes, @Nullable String suspicion)
      throws IOException {
    Path mark = folder.resolve(MARK);
    boolean marked = Files.exists(mark);
    if (!Files.isDirectory(folder) || (!marked && suspicion == null)) {
      return List.of();
    }
    String reason = marked ? text(mark) : String.valueOf(suspicion);
    if (reason.startsWith(CONTRADICTION)) {
      List<String> all = names(folder);
      putAside(folder);
      return all;
    }
    List<String> damaged = damagedFiles(folder);
    if (damaged.isEmpty()) {
      note(folder, reason);
    } else if (writes) {
      putAside(folder);
      return damaged;
    } else {
      delete(folder, damaged);
    }
    Files.deleteIfExists(mark);
    return damaged;
  }

  private static List<String> damagedFiles(Path folder) throws IOException {
    try (Directory directory = FSDirectory.open(folder)) {
      Manifest kept = LocalSegments.keptIn(folder);
      return kept == null ? damagedOfCommit(directory) : damagedOf(kept, folder, directory);
    } catch (MalformedRecordException e) {
      // Neither that manifest nor the commits that it superseded are used again.
      return List.of();
    }
  }

  private static List<String> damagedOf(Manifest kept, Path folder, Directory directory)
      throws IOException {
    List<String> here =
        kept.files().stream()
            .map(SegmentFile::name)
            .filter(name -> Files.exists(folder.resolve(name)))
            .toList();
    return damaged(here, directory);
  }

  private static List<String> damagedOfCommit(Directory directory) throws IOException {
    String commit = SegmentInfos.getLastCommitSegmentsFileName(directory);
    if (commit == null) {
      return List.of();
    }
    List<String> damaged = damaged(List.of(commit), directory);
    if (!damaged.isEmpty()) {
      return damaged;
    }
    try {
      return damaged(SegmentInfos.readCommit(directory, commit).files(false), directory);
    } catch (IOException e) {
      if (isDamage(e)) {
        return List.of(commit);
      }
      throw e;
    }
  }

  private static List<String> damaged(Collection<String> names, Directory directory)
      throws IOException {
    List<String> damaged = new ArrayList<>();
    for (String name : names) {
      try {
        SegmentFiles.readAndVerify(directory, name);
      } catch (IOException e) {
        if (!isDamage(e)) {
          throw e;
        }
        damaged.add(name);
      }
    }
    return damaged;
  }

  private static boolean isDamage(IOException e) {
    return e instanceof CorruptIndexException
        || e instanceof IndexFormatTooNewException
        || e instanceof IndexFormatTooOldException
        || e instanceof NoSuchFileException
        || e instanceof EOFException;
  }

  private static void delete(Path folder, List<String> damaged) throws IOException {
    for (String name : damaged) {
      Files.deleteIfExists(folder.resolve(name));
    }
    try (Stream<Path> paths = Files.list(folder)) {
      for (Path path : paths.toList()) {
        // A writer would open a commit whose files are gone.
        if (path.getFileName().toString().startsWith("segments_")) {
          Files.delete(path);
        }
      }
    }
    Files.deleteIfExists(folder.resolve(VERIFIED));
    IOUtils.fsync(folder, true);
  }

  private static List<String> names(Path folder) throws IOException {
    try (Stream<Path> paths = Files.list(folder)) {
      return paths.map(path -> path.getFileName().toString()).sorted().toList();
    }
  }

  private static void putAside(Path folder) throws IOException {
    String name = folder.getFileName() + ASIDE;
    Path aside = folder.resolveSibling(name);
    for (int number = 1; Files.exists(aside); number++) {
      aside = folder.resolveSibling(name + "." + number);
    }
    Files.move(folder, aside, StandardCopyOption.ATOMIC_MOVE);
  }

  private static void note(Path folder, String reason) throws IOException {
    List<String> notes = new ArrayList<>(notes(folder));
    if (!notes.contains(line(reason))) {
      notes.add(line(reason));
      write(folder, VERIFIED, String.join("\n", notes));
    }
  }

  private static List<String> notes(Path folder) throws IOException {
    Path path = folder.resolve(VERIFIED);
    return Files.exists(path) ? text(path).lines().toList() : List.of();
  }

  private static String line(String reason) {
    return reason.lines().collect(Collectors.joining(" "));
  }

  private static String text(Path path) throws IOException {
    return new String(Files.readAllBytes(path), StandardCharsets.UTF_8);
  }

  private static void write(Path folder, String name, String text) throws IOException {
    try (FileChannel channel =
        FileChannel.open(
            folder.resolve(name),
            StandardOpenOption.CREATE,
            StandardOpenOption.TRUNCATE_EXISTING,
            StandardOpenOption.WRITE)) {
      ByteBuffer bytes = ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
      while (bytes.hasRemaining()) {
        channel.write(bytes);
      }
      channel.force(true);
    }
    IOUtils.fsync(folder, true);
  }
}
