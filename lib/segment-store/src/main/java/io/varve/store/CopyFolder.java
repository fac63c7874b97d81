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

/**
 * The folder that receives a copy's files: access to its segment files and unfinished transfers.
 */
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
        LOG.log(System.Logger.Level.DEBUG, "the transfer completed after it was listed", e);
      }
    }
    return found;
  }

  /**
   * Deletes unfinished transfers of files that are not {@code wanted}. The supplier is called after
   * the folder was listed, so a transfer that begins in the meantime is not deleted.
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

  /** The length of the unfinished transfer of a file, at most the file's length. */
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

  /** Hard-links an existing file under another name. */
  public void link(CopyPlan.Link link) throws IOException {
    Path temporary = temporary(link.wanted());
    Files.deleteIfExists(temporary);
    Files.createLink(temporary, place(link.existing()));
    moveInPlace(link.wanted());
  }

  /**
   * Hard-links a file of another folder. Returns false if its content differs, it is on another
   * disk, or a file of this folder has its name. The linked file is never written to: no transfer
   * resumes under its temporary name.
   */
  public boolean linkFrom(Path other, SegmentFile file) throws IOException {
    Path standing = other.resolve(file.name());
    if (Files.exists(place(file))
        || !Files.exists(standing)
        || Files.size(standing) != file.lengthBytes()) {
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

  /** Gives a complete file its name, unless a file of other content has that name. */
  public void nameIfFree(SegmentFile file) throws IOException {
    if (!Files.exists(place(file))) {
      moveInPlace(file);
    }
  }

  /** Whether the file is complete and has its temporary name. */
  public boolean isUnnamed(SegmentFile file) throws IOException {
    return partialBytes(file) == file.lengthBytes();
  }

  /** Gives a complete file its name, even if another file has it. */
  public void name(SegmentFile file) throws IOException {
    if (isUnnamed(file)) {
      moveInPlace(file);
    }
  }

  /** Renames the temporary file to the segment file atomically. */
  void moveInPlace(SegmentFile file) throws IOException {
    Files.move(temporary(file), place(file), StandardCopyOption.ATOMIC_MOVE);
  }
}
