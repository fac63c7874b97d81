package io.varve.store;

import io.varve.events.SegmentFile;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** The folder into which a copy's files come, and what of it is not yet a segment file. */
public record CopyFolder(Path directory) {

  private static final System.Logger LOG = System.getLogger(CopyFolder.class.getName());

  Path place(SegmentFile file) {
    return directory.resolve(file.name());
  }

  Path temporary(SegmentFile file) {
    return directory.resolve(CopyPlanner.tempName(file));
  }

  /** Unfinished transfers and their lengths. */
  public Map<String, Long> partialBytes() throws IOException {
    Map<String, Long> found = new HashMap<>();
    for (Path path : temporaries()) {
      try {
        found.put(path.getFileName().toString(), Files.size(path));
      } catch (NoSuchFileException e) {
        LOG.log(System.Logger.Level.DEBUG, "it was finished after it was listed", e);
      }
    }
    return found;
  }

  /**
   * Deletes unfinished transfers of files that are not among {@code wanted}, which is asked after
   * the folder was read: a transfer that begins meanwhile is not among those found.
   */
  public void deletePartialsExcept(Supplier<List<SegmentFile>> wanted) throws IOException {
    List<Path> found = temporaries();
    Set<String> keep = new HashSet<>();
    wanted.get().forEach(file -> keep.add(CopyPlanner.tempName(file)));
    for (Path path : found) {
      if (!keep.contains(path.getFileName().toString())) {
        Files.deleteIfExists(path);
      }
    }
  }

  /** What an unfinished transfer of that file left, no more than the file is long. */
  public long partialBytes(SegmentFile file) throws IOException {
    try {
      return Math.min(Files.size(temporary(file)), file.lengthBytes());
    } catch (NoSuchFileException e) {
      return 0;
    }
  }

  public void deletePartial(SegmentFile file) throws IOException {
    Files.deleteIfExists(temporary(file));
  }

  private List<Path> temporaries() throws IOException {
    try (Stream<Path> paths = Files.list(directory)) {
      return paths.filter(path -> CopyPlanner.isTempName(path.getFileName().toString())).toList();
    }
  }

  /** Gives a file's bytes a second name; the first may be deleted later. */
  public void link(CopyPlan.Link link) throws IOException {
    Path temporary = temporary(link.wanted());
    Files.deleteIfExists(temporary);
    Files.createLink(temporary, place(link.existing()));
    moveInPlace(link.wanted());
  }

  /**
   * Gives a file in another folder a second name here; false where that is not these very bytes, or
   * not on the same disk. What is there is never written to: no transfer takes up the name that it
   * has meanwhile.
   */
  public boolean linkFrom(Path other, SegmentFile file) throws IOException {
    Path standing = other.resolve(file.name());
    if (!Files.exists(standing) || Files.size(standing) != file.lengthBytes()) {
      return false;
    }
    Path second = directory.resolve(CopyPlanner.linkName(file));
    try {
      Files.deleteIfExists(second);
      Files.createLink(second, standing);
    } catch (FileSystemException | UnsupportedOperationException e) {
      LOG.log(System.Logger.Level.DEBUG, "no link to " + standing, e);
      return false;
    }
    if (!CodecFile.identify(second).sameContent(file)) {
      Files.delete(second);
      return false;
    }
    Files.move(second, place(file), StandardCopyOption.ATOMIC_MOVE);
    return true;
  }

  /** The temporary file becomes the segment file, in one step. */
  void moveInPlace(SegmentFile file) throws IOException {
    Files.move(temporary(file), place(file), StandardCopyOption.ATOMIC_MOVE);
  }
}
