package io.varve.engine;

import java.io.IOException;
import org.apache.lucene.store.ByteBuffersDataOutput;
import org.apache.lucene.store.ByteBuffersIndexOutput;
import org.apache.lucene.store.IndexOutput;

/**
 * Writes to memory until a file exceeds a size, and to the disk from then on. The checksum covers
 * all bytes in both cases. Not thread-safe.
 */
final class PartOutput extends IndexOutput {

  /** Copies the bytes in memory to a file and returns it. */
  @FunctionalInterface
  interface ToDisk {
    IndexOutput copied() throws IOException;
  }

  private final ToDisk toDisk;
  private IndexOutput out;

  /** The number of bytes that may still be written to memory; unlimited on the disk. */
  private long room;

  PartOutput(String name, ByteBuffersDataOutput bytes, int limit, ToDisk toDisk) {
    super("PartOutput(name=\"" + name + "\")", name);
    this.toDisk = toDisk;
    this.out = new ByteBuffersIndexOutput(bytes, "part", name);
    this.room = limit;
  }

  /** Called before each write. */
  private void writing(long bytes) throws IOException {
    if (bytes > room) {
      out = toDisk.copied();
      room = Long.MAX_VALUE;
    }
    room -= bytes;
  }

  @Override
  public void writeByte(byte b) throws IOException {
    writing(Byte.BYTES);
    out.writeByte(b);
  }

  @Override
  public void writeBytes(byte[] bytes, int offset, int length) throws IOException {
    writing(length);
    out.writeBytes(bytes, offset, length);
  }

  @Override
  public void writeShort(short value) throws IOException {
    writing(Short.BYTES);
    out.writeShort(value);
  }

  @Override
  public void writeInt(int value) throws IOException {
    writing(Integer.BYTES);
    out.writeInt(value);
  }

  @Override
  public void writeLong(long value) throws IOException {
    writing(Long.BYTES);
    out.writeLong(value);
  }

  @Override
  public long getFilePointer() {
    return out.getFilePointer();
  }

  @Override
  public long getChecksum() throws IOException {
    return out.getChecksum();
  }

  @Override
  public void close() throws IOException {
    out.close();
  }
}
