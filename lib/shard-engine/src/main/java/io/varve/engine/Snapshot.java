package io.varve.engine;

import io.varve.codec.SegmentCodecs;
import io.varve.events.Manifest;
import io.varve.events.ReaderVersion;
import io.varve.events.SegmentFile;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.StandardDirectoryReader;

/**
 * The files of a refresh, kept until the last holder closes the snapshot.
 *
 * <p>Reference counted: created with one holder, the refreshing thread; {@link #acquire} adds one,
 * {@link #close} removes one.
 */
public final class Snapshot implements AutoCloseable {

  /** Key of a manifest's commit data for the codecs needed to read its segments. */
  static final String CODECS = "segment_codecs";

  private final Path directory;
  private final DirectoryReader reader;
  private final List<SegmentFile> files;
  private final byte[] segmentInfos;
  private final Point point;
  private final AtomicInteger holders = new AtomicInteger(1);

  /**
   * @param checkpoint captured before the refresh; the files contain at least everything before it
   * @param maxSeqNo an upper bound of the seq_nos in the files
   */
  record Point(Checkpoint checkpoint, long generation, long maxSeqNo) {}

  /** Takes ownership of one reference to {@code reader}. */
  Snapshot(
      Path directory,
      DirectoryReader reader,
      List<SegmentFile> files,
      byte[] segmentInfos,
      Point point) {
    this.directory = directory;
    this.reader = reader;
    this.files = List.copyOf(files);
    this.segmentInfos = segmentInfos;
    this.point = point;
  }

  /** The files with their identities; complete and immutable. */
  public List<SegmentFile> files() {
    return files;
  }

  /** Lucene's segment infos, as contained in the manifest. */
  public byte[] segmentInfos() {
    return segmentInfos.clone();
  }

  /**
   * The user data of the commit: the caller's data, and the facts that a copy needs before it
   * fetches these segments.
   */
  public Map<String, String> commitData(Map<String, String> more) {
    Map<String, String> data = new HashMap<>(more);
    data.putAll(point.checkpoint().lastRecord());
    data.put(Manifest.MAX_SEQ_NO, Long.toString(point.maxSeqNo()));
    data.put(CODECS, SegmentCodecs.names(((StandardDirectoryReader) reader).getSegmentInfos()));
    return data;
  }

  /** The oldest version whose processes can read the files. */
  public ReaderVersion minReaderVersion() {
    return ReadableSegments.ownVersion();
  }

  /**
   * The caller's checkpoint, captured before the refresh; the files contain at least everything
   * before it.
   */
  public Checkpoint checkpoint() {
    return point.checkpoint();
  }

  /** Numbers the snapshots of this engine, from 1. */
  public long generation() {
    return point.generation();
  }

  /** The path of a file; valid only while the snapshot is held. */
  public Path path(SegmentFile file) {
    return directory.resolve(file.name());
  }

  /** Adds a holder. */
  public Snapshot acquire() {
    int before = holders.getAndUpdate(count -> count == 0 ? 0 : count + 1);
    if (before == 0) {
      throw new IllegalStateException("snapshot " + generation() + " is closed");
    }
    return this;
  }

  @Override
  public void close() {
    int left = holders.decrementAndGet();
    if (left < 0) {
      throw new IllegalStateException(
          "snapshot " + generation() + " was closed more often than acquired");
    }
    if (left == 0) {
      Closing.release(reader);
    }
  }
}
