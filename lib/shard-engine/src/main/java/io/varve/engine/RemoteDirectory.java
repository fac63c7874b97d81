package io.varve.engine;

import io.varve.events.SegmentFile;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.NoSuchFileException;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.lucene.store.BaseDirectory;
import org.apache.lucene.store.BufferedIndexInput;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.IndexOutput;
import org.apache.lucene.store.NoLockFactory;

/**
 * A read-only directory over files of manifests that may be remote, read through {@link
 * RemoteFiles}. If two manifests have different files with the same name, an input opens the one
 * added last.
 */
final class RemoteDirectory extends BaseDirectory {

  private static final int BUFFER_BYTES = 4096;

  private final Map<String, SegmentFile> files = new ConcurrentHashMap<>();
  private final RemoteFiles distant;

  RemoteDirectory(RemoteFiles distant) {
    super(NoLockFactory.INSTANCE);
    this.distant = distant;
  }

  @SuppressWarnings("ReferenceEquality")
  boolean reads(RemoteFiles from) {
    return distant == from;
  }

  void add(List<SegmentFile> more) {
    more.forEach(file -> files.put(file.name(), file));
  }

  private SegmentFile file(String name) throws NoSuchFileException {
    SegmentFile file = files.get(name);
    if (file == null) {
      throw new NoSuchFileException(name);
    }
    return file;
  }

  @Override
  public String[] listAll() {
    return files.keySet().stream().sorted().toArray(String[]::new);
  }

  @Override
  public long fileLength(String name) throws IOException {
    return file(name).lengthBytes();
  }

  @Override
  public IndexInput openInput(String name, IOContext context) throws IOException {
    return new Input(file(name));
  }

  /** An input has no state besides its position and buffer, so it can be cloned. */
  private final class Input extends BufferedIndexInput {

    private final SegmentFile file;

    Input(SegmentFile file) {
      super(file.toString(), BUFFER_BYTES);
      this.file = file;
    }

    @Override
    protected void readInternal(ByteBuffer into) throws IOException {
      distant.read(file, getFilePointer(), into);
    }

    @Override
    protected void seekInternal(long position) throws IOException {
      if (position > length()) {
        throw new EOFException("beyond the end of " + file.name() + ": " + position);
      }
    }

    @Override
    public long length() {
      return file.lengthBytes();
    }

    @Override
    public void close() {}
  }

  private static UnsupportedOperationException readOnly() {
    return new UnsupportedOperationException("remote files are read-only");
  }

  @Override
  public void deleteFile(String name) {
    throw readOnly();
  }

  @Override
  public IndexOutput createOutput(String name, IOContext context) {
    throw readOnly();
  }

  @Override
  public IndexOutput createTempOutput(String prefix, String suffix, IOContext context) {
    throw readOnly();
  }

  @Override
  public void sync(Collection<String> names) {
    throw readOnly();
  }

  @Override
  public void syncMetaData() {
    throw readOnly();
  }

  @Override
  public void rename(String source, String dest) {
    throw readOnly();
  }

  @Override
  public Set<String> getPendingDeletions() {
    return Set.of();
  }

  @Override
  public void close() {}
}
