package io.varve.host.http;

import io.varve.host.SnapshotSource;
import io.varve.store.WireCompression;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.Comparator;
import java.util.List;
import java.util.Set;

/**
 * Sends parts of segment files as a response, in sequence, compressed with zstd if the caller
 * accepts it and the longest part compresses well.
 */
public final class Wire {

  private static final int BUFFER_BYTES = 1 << 18;

  /** A part of a file. */
  public record Part(FileChannel channel, long from, long length) {}

  private final SnapshotSource.Sent sent;
  private final boolean zstd;
  private final HttpServletResponse response;

  public Wire(SnapshotSource.Sent sent, HttpServletRequest request, HttpServletResponse response) {
    String accepted = request.getHeader("Accept-Encoding");
    this.sent = sent;
    this.zstd =
        accepted != null && Set.of(accepted.split("[,\\s]+")).contains(WireCompression.NAME);
    this.response = response;
  }

  /** Returns how many bytes of files were sent. */
  public long send(List<Part> parts) throws IOException {
    long length = parts.stream().mapToLong(Part::length).sum();
    Counted out = new Counted(response.getOutputStream());
    if (zstd && gains(parts)) {
      response.setHeader("Content-Encoding", WireCompression.NAME);
      try (OutputStream compressing = WireCompression.compressing(out)) {
        copy(parts, compressing);
      }
    } else {
      response.setContentLengthLong(length);
      copy(parts, out);
    }
    sent.add(length, out.count);
    return length;
  }

  private static boolean gains(List<Part> parts) throws IOException {
    Part longest = parts.stream().max(Comparator.comparingLong(Part::length)).orElseThrow();
    if (longest.length() < WireCompression.LEAST_BYTES) {
      return false;
    }
    int sampled = (int) Math.min(WireCompression.SAMPLE_BYTES, longest.length());
    ByteBuffer sample = ByteBuffer.allocate(sampled);
    long position = longest.from() + WireCompression.sampleFrom(longest.length());
    while (sample.hasRemaining()) {
      int got = longest.channel().read(sample, position);
      if (got < 0) {
        return false;
      }
      position += got;
    }
    return WireCompression.gains(sample.array());
  }

  private static void copy(List<Part> parts, OutputStream out) throws IOException {
    ByteBuffer buffer = ByteBuffer.allocate(BUFFER_BYTES);
    for (Part part : parts) {
      long position = part.from();
      long end = part.from() + part.length();
      while (position < end) {
        buffer.clear().limit((int) Math.min(buffer.capacity(), end - position));
        int got = part.channel().read(buffer, position);
        if (got < 0) {
          throw new IOException("the file ended at byte " + position + " of " + end);
        }
        out.write(buffer.array(), 0, got);
        position += got;
      }
    }
  }

  /** Closing this stream does not close the response, which the container ends. */
  private static final class Counted extends FilterOutputStream {
    private long count;

    Counted(OutputStream out) {
      super(out);
    }

    @Override
    public void write(int one) throws IOException {
      out.write(one);
      count++;
    }

    @Override
    public void write(byte[] bytes, int from, int length) throws IOException {
      out.write(bytes, from, length);
      count += length;
    }

    @Override
    public void close() throws IOException {
      flush();
    }
  }
}
