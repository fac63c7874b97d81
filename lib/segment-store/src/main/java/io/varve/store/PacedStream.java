package io.varve.store;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;

/** Limits the bytes sent to the store to the rate of the lane's budget. */
final class PacedStream extends FilterInputStream {

  private final TransferBudget budget;

  PacedStream(InputStream in, TransferBudget budget) {
    super(in);
    this.budget = budget;
  }

  @Override
  public int read() throws IOException {
    int value = super.read();
    if (value >= 0) {
      pay(1);
    }
    return value;
  }

  @Override
  public int read(byte[] buffer, int offset, int length) throws IOException {
    int got = super.read(buffer, offset, length);
    if (got > 0) {
      pay(got);
    }
    return got;
  }

  private void pay(long bytes) throws IOException {
    try {
      budget.await(TransferLane.UPLOAD, bytes);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw (IOException) new InterruptedIOException("interrupted").initCause(e);
    }
  }
}
