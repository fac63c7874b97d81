package io.varve.replication.replica;

import io.varve.rpc.CopyStats;
import io.varve.store.SegmentSource;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

/** Counts the bytes received from a source, and the time spent waiting for them. */
final class SourceMeter {

  private final LongAdder bytes = new LongAdder();
  private final LongAdder nanos = new LongAdder();

  CopyStats.Downloads stats() {
    return new CopyStats.Downloads(bytes.sum(), TimeUnit.NANOSECONDS.toMillis(nanos.sum()));
  }

  long bytes() {
    return bytes.sum();
  }

  /** Adds the bytes received in one response. */
  void add(long arrived) {
    bytes.add(arrived);
  }

  SegmentSource counting(SegmentSource source) {
    return (file, fromByte, length) -> {
      long began = System.nanoTime();
      try {
        return new Counted(source.open(file, fromByte, length));
      } finally {
        nanos.add(System.nanoTime() - began);
      }
    };
  }

  private final class Counted extends FilterInputStream {

    Counted(InputStream in) {
      super(in);
    }

    @Override
    public int read() throws IOException {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
    }

    @Override
    public int read(byte[] buffer, int offset, int length) throws IOException {
      long began = System.nanoTime();
      int got = super.read(buffer, offset, length);
      nanos.add(System.nanoTime() - began);
      if (got > 0) {
        bytes.add(got);
      }
      return got;
    }
  }
}
