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
 * A segment file that can be read before it has been fetched completely. Missing blocks are fetched
 * from a source on demand and kept in an unnamed file that disappears with this object or its
 * process; sequential reads fetch more blocks at a time. Once the complete, verified file is in the
 * folder, all reads use that file.
 *
 * <p>Blocks are not verified: only the complete file has a checksum. Thread-safe.
 */
public final class BlockFile implements AutoCloseable {

  /**
   * Block size. Over a network, a request for a few bytes costs as much as a request for a block.
   */
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
   * @param folder where the complete file will appear under its name
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

  /** Reads as many bytes as the buffer has room for. */
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

  /** Fetches both ends of the file, which readers access first. */
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

  /** Fetches a block once, however many readers wait for it. */
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

  /**
   * The number of blocks to fetch: one, or more if the previous block is present, which indicates a
   * sequential read.
   */
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

  /**
   * Switches to the complete file if it is present; its name alone does not identify its content.
   */
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
