package io.varve.engine;

import java.io.IOException;
import java.util.function.BooleanSupplier;
import org.apache.lucene.index.MergePolicy;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FilterDirectory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexOutput;
import org.apache.lucene.store.RateLimitedIndexOutput;
import org.apache.lucene.store.RateLimiter;

/** Limits the total write rate, and aborts writing when it is stopped. */
final class RateLimitedDirectory extends FilterDirectory {

  private final RateLimiter limiter;

  RateLimitedDirectory(Directory in, long bytesPerSecond, BooleanSupplier stop) {
    super(in);
    limiter = new Stoppable(bytesPerSecond, stop);
  }

  @Override
  public IndexOutput createOutput(String name, IOContext context) throws IOException {
    return new RateLimitedIndexOutput(limiter, in.createOutput(name, context));
  }

  /**
   * Limits the rate and checks for a stop each time the bytes of a few milliseconds are written.
   */
  private static final class Stoppable extends RateLimiter {

    private static final double BYTES_PER_MEGABYTE = 1 << 20;

    private final SimpleRateLimiter rate;
    private final BooleanSupplier stop;

    Stoppable(long bytesPerSecond, BooleanSupplier stop) {
      this.rate = new SimpleRateLimiter(bytesPerSecond / BYTES_PER_MEGABYTE);
      this.stop = stop;
    }

    @Override
    public void setMBPerSec(double megabytes) {
      rate.setMBPerSec(megabytes);
    }

    @Override
    public double getMBPerSec() {
      return rate.getMBPerSec();
    }

    @Override
    public long getMinPauseCheckBytes() {
      return rate.getMinPauseCheckBytes();
    }

    @Override
    public long pause(long bytes) throws IOException {
      if (stop.getAsBoolean()) {
        throw new MergePolicy.MergeAbortedException("the request for this merge was cancelled");
      }
      return rate.pause(bytes);
    }
  }
}
