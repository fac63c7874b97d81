package io.varve.engine;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.lucene.index.IndexFileNames;
import org.apache.lucene.store.ByteBuffersDataOutput;
import org.apache.lucene.store.ByteBuffersIndexInput;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FilterDirectory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.IndexOutput;
import org.apache.lucene.store.Lock;
import org.apache.lucene.store.MergeInfo;
import org.apache.lucene.store.ReadOnceHint;
import org.apache.lucene.util.IOUtils;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the small parts of a new segment in memory until they are copied to its compound file. A
 * flush writes some twenty parts, copies them and deletes them: for a small segment, creating and
 * deleting these files costs more than everything else that a refresh does.
 *
 * <p>A part is a file without a generation of a segment that will have a compound file: of a flush,
 * or of a merge of at most {@link #SMALL_MERGE_BYTES}. It is written to the disk when it exceeds
 * {@link #PART_BYTES}.
 *
 * <p>INVARIANT: other files, including compound files, are written to the disk immediately, so that
 * a refresh on a full disk fails. That is why this is not Lucene's {@code NRTCachingDirectory},
 * which also keeps compound files in memory until they are synced. A part that is not copied to a
 * compound file is written to the disk before others get its name: {@link #toDisk} is called before
 * that, and {@link #sync}.
 */
final class FlushDirectory extends FilterDirectory {

  /**
   * The size up to which a part is kept in memory. Creating and deleting a file costs about as much
   * as writing this many bytes to it, and a flush of twenty such parts uses less memory than the
   * documents of which it is made.
   */
  static final int PART_BYTES = 32 << 10;

  /**
   * The size of a merged segment up to which it always has a compound file, see {@link
   * TieredMerges}. Copying so few bytes once more costs less than twenty files do.
   */
  static final long SMALL_MERGE_BYTES = 1 << 20;

  /** Extensions of files that are not copied to the compound file. */
  private static final Set<String> OUTLIVING = Set.of("cfs", "cfe", "si", "liv");

  private final Directory once;
  private final Map<String, ByteBuffersDataOutput> parts = new ConcurrentHashMap<>();
  private final AtomicLong temporaries = new AtomicLong();
  private volatile @Nullable Lock held;

  /**
   * @param once the same folder, for files that are read once and then closed: mapping such a file
   *     to memory costs more than reading it does
   */
  FlushDirectory(Directory in, Directory once) {
    super(in);
    this.once = once;
  }

  /**
   * The writer validates its lock before it creates or deletes a file, with a system call. For
   * parts, this directory leaves that out: it validates the lock before it changes the disk.
   */
  @Override
  public Lock obtainLock(String name) throws IOException {
    Lock lock = in.obtainLock(name);
    held = lock;
    return new Lock() {
      @Override
      public void ensureValid() {
        // See validateLock.
      }

      @Override
      public void close() throws IOException {
        lock.close();
      }
    };
  }

  private void validateLock() throws IOException {
    Lock lock = held;
    if (lock != null) {
      lock.ensureValid();
    }
  }

  /** Whether the file is expected to be copied to the compound file and then deleted. */
  private static boolean isPart(String name, IOContext context) {
    return name.startsWith("_")
        && !OUTLIVING.contains(String.valueOf(IndexFileNames.getExtension(name)))
        // Files with a generation are updates of a segment that has its compound file.
        && IndexFileNames.parseGeneration(name) == 0
        && isOfSmallSegment(context);
  }

  private static boolean isOfSmallSegment(IOContext context) {
    MergeInfo merge = context.mergeInfo();
    return context.context() != IOContext.Context.MERGE
        || (merge != null && merge.estimatedMergeBytes() <= SMALL_MERGE_BYTES);
  }

  @Override
  public IndexOutput createOutput(String name, IOContext context) throws IOException {
    return isPart(name, context) ? createPart(name, context) : createOnDisk(name, context);
  }

  private IndexOutput createOnDisk(String name, IOContext context) throws IOException {
    validateLock();
    return in.createOutput(name, context);
  }

  /** Lucene deletes temporary files when it has read them back. */
  @Override
  public IndexOutput createTempOutput(String prefix, String suffix, IOContext context)
      throws IOException {
    String name = getTempFileName(prefix, suffix, temporaries.getAndIncrement());
    return createPart(name, context);
  }

  private IndexOutput createPart(String name, IOContext context) throws IOException {
    ByteBuffersDataOutput bytes = new ByteBuffersDataOutput();
    if (parts.putIfAbsent(name, bytes) != null) {
      throw new FileAlreadyExistsException(name);
    }
    return new PartOutput(
        name,
        bytes,
        PART_BYTES,
        () -> {
          IndexOutput out = copied(name, bytes, context);
          parts.remove(name);
          return out;
        });
  }

  /** Creates a file with these bytes, to which more may be written. */
  private IndexOutput copied(String name, ByteBuffersDataOutput bytes, IOContext context)
      throws IOException {
    IndexOutput out = createOnDisk(name, context);
    try {
      bytes.copyTo(out);
      return out;
    } catch (IOException | RuntimeException e) {
      IOUtils.closeWhileHandlingException(out);
      IOUtils.deleteFilesIgnoringExceptions(in, name);
      throw e;
    }
  }

  /** Writes those of the files to the disk that are in memory. They must be complete. */
  synchronized void toDisk(Collection<String> names) throws IOException {
    for (String name : names) {
      ByteBuffersDataOutput bytes = parts.get(name);
      if (bytes != null) {
        complete(name, bytes);
        parts.remove(name);
      }
    }
  }

  private void complete(String name, ByteBuffersDataOutput bytes) throws IOException {
    try {
      copied(name, bytes, IOContext.DEFAULT).close();
    } catch (IOException | RuntimeException e) {
      // Closing writes the last bytes. The part remains in memory and can be written again.
      IOUtils.deleteFilesIgnoringExceptions(in, name);
      throw e;
    }
  }

  @Override
  public IndexInput openInput(String name, IOContext context) throws IOException {
    ByteBuffersDataOutput bytes = parts.get(name);
    if (bytes != null) {
      return new ByteBuffersIndexInput(bytes.toDataInput(), name);
    }
    boolean isReadOnce = context.hints().contains(ReadOnceHint.INSTANCE);
    return (isReadOnce ? once : in).openInput(name, context);
  }

  @Override
  public long fileLength(String name) throws IOException {
    ByteBuffersDataOutput bytes = parts.get(name);
    return bytes == null ? in.fileLength(name) : bytes.size();
  }

  @Override
  public String[] listAll() throws IOException {
    Set<String> names = new TreeSet<>(parts.keySet());
    names.addAll(List.of(in.listAll()));
    return names.toArray(String[]::new);
  }

  @Override
  public void deleteFile(String name) throws IOException {
    if (parts.remove(name) == null) {
      validateLock();
      in.deleteFile(name);
    }
  }

  @Override
  public void sync(Collection<String> names) throws IOException {
    toDisk(names);
    validateLock();
    in.sync(names);
  }

  @Override
  public void rename(String source, String dest) throws IOException {
    toDisk(List.of(source));
    validateLock();
    in.rename(source, dest);
  }

  @Override
  public void syncMetaData() throws IOException {
    validateLock();
    in.syncMetaData();
  }

  @Override
  public void close() throws IOException {
    parts.clear();
    IOUtils.close(in, once);
  }
}
