package io.varve.engine;

import io.varve.codec.SegmentCodecs;
import io.varve.events.SegmentFile;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.StandardDirectoryReader;

/**
 * What a refresh made: a set of files that stay where they are until the last holder closes.
 *
 * <p>It is born with one holder, whoever refreshed. Each {@link #acquire} adds one, each {@link
 * #close} takes one away.
 */
public final class Snapshot implements AutoCloseable {

  /** Under which a manifest's commit data name what its segments need to be read. */
  static final String CODECS = "segment_codecs";

  private final Path directory;
  private final DirectoryReader reader;
  private final List<SegmentFile> files;
  private final byte[] segmentInfos;
  private final Checkpoint checkpoint;
  private final long generation;
  private final AtomicInteger holders = new AtomicInteger(1);

  /** Takes over one reference to {@code reader}. */
  Snapshot(
      Path directory,
      DirectoryReader reader,
      List<SegmentFile> files,
      byte[] segmentInfos,
      Checkpoint checkpoint,
      long generation) {
    this.directory = directory;
    this.reader = reader;
    this.files = List.copyOf(files);
    this.segmentInfos = segmentInfos;
    this.checkpoint = checkpoint;
    this.generation = generation;
  }

  /** The files with their identities; complete and never changed. */
  public List<SegmentFile> files() {
    return files;
  }

  /** Lucene's segment infos, as the manifest carries them. */
  public byte[] segmentInfos() {
    return segmentInfos.clone();
  }

  /** What a copy must know about these segments before it takes them, beside the caller's data. */
  public Map<String, String> commitData(Map<String, String> more) {
    Map<String, String> data = new HashMap<>(more);
    data.putAll(checkpoint.lastRecord());
    data.put(CODECS, SegmentCodecs.names(((StandardDirectoryReader) reader).getSegmentInfos()));
    return data;
  }

  /** What the caller captured before the refresh; the files hold at least that. */
  public Checkpoint checkpoint() {
    return checkpoint;
  }

  /** Counts the snapshots of this engine, from 1. */
  public long generation() {
    return generation;
  }

  /** Where a file of this snapshot is; only while it is held. */
  public Path path(SegmentFile file) {
    return directory.resolve(file.name());
  }

  /** Adds a holder. */
  public Snapshot acquire() {
    int before = holders.getAndUpdate(count -> count == 0 ? 0 : count + 1);
    if (before == 0) {
      throw new IllegalStateException("snapshot " + generation + " is closed");
    }
    return this;
  }

  @Override
  public void close() {
    int left = holders.decrementAndGet();
    if (left < 0) {
      throw new IllegalStateException("snapshot " + generation + " was closed too often");
    }
    if (left == 0) {
      Closing.release(reader);
    }
  }
}
