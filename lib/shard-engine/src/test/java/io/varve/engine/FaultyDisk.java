package io.varve.engine;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.FilterDirectory;
import org.apache.lucene.store.FilterIndexOutput;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexOutput;
import org.apache.lucene.store.Lock;

/**
 * A folder in memory that records the files that were created. It can be full, and another process
 * can take its lock.
 */
final class FaultyDisk extends FilterDirectory {

  /** The message of the failure when the lock is lost. */
  static final String LOST = "the lock is lost";

  final List<String> created = new ArrayList<>();
  boolean full;

  /** Whether the last bytes of a file, which closing it writes, no longer fit. */
  boolean fullAtTheEnd;

  /** Whether another process has taken the folder's lock. */
  boolean lockIsLost;

  int validations;

  FaultyDisk() {
    super(new ByteBuffersDirectory());
  }

  private static IOException noSpace() {
    return new IOException("No space left on device");
  }

  @Override
  public Lock obtainLock(String name) throws IOException {
    Lock lock = in.obtainLock(name);
    return new Lock() {
      @Override
      public void ensureValid() throws IOException {
        validations++;
        if (lockIsLost) {
          throw new IOException(LOST);
        }
        lock.ensureValid();
      }

      @Override
      public void close() throws IOException {
        lock.close();
      }
    };
  }

  @Override
  public IndexOutput createOutput(String name, IOContext context) throws IOException {
    if (full) {
      throw noSpace();
    }
    created.add(name);
    return new FilterIndexOutput("output", name, in.createOutput(name, context)) {
      @Override
      public void close() throws IOException {
        super.close();
        if (fullAtTheEnd) {
          throw noSpace();
        }
      }
    };
  }
}
