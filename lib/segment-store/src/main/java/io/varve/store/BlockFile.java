package io.varve.store;

import io.varve.events.SegmentFile;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.BitSet;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A segment file that is read before it is here. A block that is asked for comes from a source and
 * stays in a file without a name, which is gone with this object or its process; who reads on gets
 * more blocks at a time. From the moment at which the whole, verified file stands in its place,
 * everything is read from there.
 *
 * <p>Blocks are as the source gives them: only the whole file has a checksum. Thread-safe.
 */
public final class BlockFile implements AutoCloseable {

  /** What is read for a few bytes: a request over a network costs as much as these. */
  static final int BLOCK_BYTES = 1 << 17;

  private static final int MOST_BLOCKS_AT_ONCE = 8;

  private final SegmentFile file;
  private final Path place;
  private final SegmentSource source;
  private final ReentrantLock lock = new ReentrantLock();
  private final BitSet present = new BitSet();
  private final Map<Integer, CompletableFuture<Void>> coming = new ConcurrentHashMap<>();
  private @Nullable RandomAccessFile bytes;
  private volatile boolean whole;
  private boolean closed;

  /**
   * @param folder where the whole file will stand under its name
   */
  public BlockFile(SegmentFile file, CopyFolder folder, SegmentSource source) throws IOException {
    this.file = file;
    this.place = folder.place(file);
    this.source = source;
    if (!takeWhole()) {
      bytes = withoutName(folder.directory());
    }
  }

  private static RandomAccessFile withoutName(Path folder) throws IOException {
    Path path = Files.createTempFile(folder, "blocks.", ".tmp");
    RandomAccessFile opened = new RandomAccessFile(path.toFile(), "rw");
    Files.delete(path);
    return opened;
  }

  /** Reads as many bytes as there is room for. */
  public void read(long position, ByteBuffer into) throws IOException {
    if (position < 0 || position + into.remaining() > file.lengthBytes()) {
      throw new EOFException("beyond the end of " + file.name() + ": " + position);
    }
    if (!into.hasRemaining()) {
      return;
    }
    int last = blockOf(position + into.remaining() - 1);
    for (int block = blockOf(position); block <= last && !whole; block++) {
      bring(block);
    }
    readHere(position, into);
  }

  /** Brings the ends of the file, where readers look first. */
  public void bringEnds() throws IOException {
    bring(0);
    bring(blockOf(file.lengthBytes() - 1));
  }

  private static int blockOf(long position) {
    return (int) (position / BLOCK_BYTES);
  }

  private void readHere(long position, ByteBuffer into) throws IOException {
    byte[] target = new byte[into.remaining()];
    lock.lock();
    try {
      RandomAccessFile here = open();
      here.seek(position);
      here.readFully(target);
    } finally {
      lock.unlock();
    }
    into.put(target);
  }

  /** One request for a block, whoever else wants it meanwhile. */
  private void bring(int block) throws IOException {
    if (isHere(block)) {
      return;
    }
    CompletableFuture<Void> mine = new CompletableFuture<>();
    CompletableFuture<Void> others = coming.putIfAbsent(block, mine);
    if (others != null) {
      await(others);
      return;
    }
    try {
      if (!isHere(block) && !takeWhole()) {
        fetch(block, blocksFrom(block));
      }
      mine.complete(null);
    } catch (IOException | RuntimeException | Error e) {
      mine.completeExceptionally(e);
      throw e;
    } finally {
      coming.remove(block);
    }
  }

  private static void await(CompletableFuture<Void> others) throws IOException {
    try {
      others.get();
    } catch (ExecutionException e) {
      throw new IOException(e.getCause().getMessage(), e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw (IOException) new InterruptedIOException("interrupted").initCause(e);
    }
  }

  private boolean isHere(int block) {
    lock.lock();
    try {
      return whole || present.get(block);
    } finally {
      lock.unlock();
    }
  }

  /** One; more where the one before is here: somebody reads on. */
  private int blocksFrom(int block) {
    lock.lock();
    try {
      if (block == 0 || !present.get(block - 1)) {
        return 1;
      }
      int next = present.nextSetBit(block);
      int free = (next < 0 ? blockOf(file.lengthBytes() - 1) + 1 : next) - block;
      return Math.min(free, MOST_BLOCKS_AT_ONCE);
    } finally {
      lock.unlock();
    }
  }

  private void fetch(int block, int count) throws IOException {
    long from = (long) block * BLOCK_BYTES;
    int length = (int) Math.min((long) count * BLOCK_BYTES, file.lengthBytes() - from);
    byte[] got;
    try (InputStream in = source.open(file, from, length)) {
      got = in.readNBytes(length);
    }
    if (got.length < length) {
      throw new EOFException(
          file.name() + " ended after " + got.length + " of " + length + " bytes at " + from);
    }
    lock.lock();
    try {
      RandomAccessFile here = open();
      if (!whole) {
        here.seek(from);
        here.write(got);
        present.set(block, block + count);
      }
    } finally {
      lock.unlock();
    }
  }

  /** Whether the whole file stands in its place; a name alone does not say which bytes it has. */
  private boolean takeWhole() throws IOException {
    if (!Files.exists(place)
        || Files.size(place) != file.lengthBytes()
        || !CodecFile.identify(place).sameContent(file)) {
      return false;
    }
    lock.lock();
    try {
      RandomAccessFile blocks = bytes;
      if (!whole && !closed) {
        bytes = new RandomAccessFile(place.toFile(), "r");
        whole = true;
        if (blocks != null) {
          blocks.close();
        }
      }
      return true;
    } finally {
      lock.unlock();
    }
  }

  private RandomAccessFile open() throws IOException {
    RandomAccessFile here = bytes;
    if (closed || here == null) {
      throw new IOException(file.name() + " is closed");
    }
    return here;
  }

  @Override
  public void close() throws IOException {
    lock.lock();
    try {
      closed = true;
      if (bytes != null) {
        bytes.close();
      }
    } finally {
      lock.unlock();
    }
  }
}
