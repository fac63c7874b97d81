package io.varve.engine;

import io.varve.events.Manifest;
import io.varve.events.SegmentFile;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.lucene.store.Directory;

/** Keeps the files of a manifest from being deleted until it is closed. */
public final class FileReference implements AutoCloseable {

  private final Manifest manifest;
  private final Directory directory;
  private final Runnable release;
  private final AtomicBoolean closed = new AtomicBoolean();

  /**
   * @param directory of the files
   */
  FileReference(Manifest manifest, Directory directory, Runnable release) {
    this.manifest = manifest;
    this.directory = directory;
    this.release = release;
  }

  public Manifest manifest() {
    return manifest;
  }

  /**
   * Reads all files from the disk, and returns the names of those whose content is not that of the
   * manifest.
   *
   * @throws IOException if a file can't be read, or contradicts its own checksum
   */
  public List<String> differing() throws IOException {
    List<String> differing = new ArrayList<>();
    for (SegmentFile file : manifest.files()) {
      if (!SegmentFiles.readAndVerify(directory, file.name()).sameContent(file)) {
        differing.add(file.name());
      }
    }
    return differing;
  }

  /** Idempotent. */
  @Override
  public void close() {
    if (closed.compareAndSet(false, true)) {
      release.run();
    }
  }
}
