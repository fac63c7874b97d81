package io.varve.codec;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.lucene.codecs.StoredFieldsWriter;
import org.apache.lucene.index.FieldInfo;
import org.apache.lucene.index.StoredFieldVisitor;
import org.apache.lucene.store.ByteArrayDataInput;
import org.apache.lucene.store.ByteBuffersDataOutput;
import org.apache.lucene.store.DataInput;
import org.apache.lucene.util.BytesRef;

/**
 * Buffers documents until a dictionary has been trained from them. Text and bytes have the layout
 * of a Lucene chunk, so that ranges of the buffer are samples of blocks.
 */
final class RecordedDocuments extends StoredFieldVisitor {

  private static final int TYPE_BITS = 3;
  private static final int TYPE_MASK = (1 << TYPE_BITS) - 1;
  private static final int TEXT = 0;
  private static final int BYTES = 1;
  private static final int INT = 2;
  private static final int FLOAT = 3;
  private static final int LONG = 4;
  private static final int DOUBLE = 5;

  private final Map<Integer, FieldInfo> fields = new HashMap<>();
  private final ByteBuffersDataOutput bytes = new ByteBuffersDataOutput();
  private int[] ends = new int[64];
  private int documents;

  long size() {
    return bytes.size();
  }

  void finishDocument() {
    if (documents == ends.length) {
      ends = Arrays.copyOf(ends, documents * 2);
    }
    ends[documents++] = Math.toIntExact(bytes.size());
  }

  private void head(FieldInfo field, int type) throws IOException {
    fields.put(field.number, field);
    bytes.writeVLong(((long) field.number << TYPE_BITS) | type);
  }

  @Override
  public Status needsField(FieldInfo field) {
    return Status.YES;
  }

  @Override
  public void stringField(FieldInfo field, String value) throws IOException {
    head(field, TEXT);
    bytes.writeString(value);
  }

  @Override
  public void binaryField(FieldInfo field, byte[] value) throws IOException {
    bytesField(field, new BytesRef(value));
  }

  void bytesField(FieldInfo field, BytesRef value) throws IOException {
    head(field, BYTES);
    bytes.writeVInt(value.length);
    bytes.writeBytes(value.bytes, value.offset, value.length);
  }

  @Override
  public void intField(FieldInfo field, int value) throws IOException {
    head(field, INT);
    bytes.writeZInt(value);
  }

  @Override
  public void floatField(FieldInfo field, float value) throws IOException {
    head(field, FLOAT);
    bytes.writeInt(Float.floatToRawIntBits(value));
  }

  @Override
  public void longField(FieldInfo field, long value) throws IOException {
    head(field, LONG);
    bytes.writeLong(value);
  }

  @Override
  public void doubleField(FieldInfo field, double value) throws IOException {
    head(field, DOUBLE);
    bytes.writeLong(Double.doubleToRawLongBits(value));
  }

  void replay(StoredFieldsWriter writer) throws IOException {
    byte[] content = bytes.toArrayCopy();
    ByteArrayDataInput in = new ByteArrayDataInput(content);
    for (int i = 0; i < documents; i++) {
      writer.startDocument();
      while (in.getPosition() < ends[i]) {
        replayField(in, content, writer);
      }
      writer.finishDocument();
    }
  }

  private void replayField(ByteArrayDataInput in, byte[] content, StoredFieldsWriter writer)
      throws IOException {
    long head = in.readVLong();
    FieldInfo field = fields.get((int) (head >>> TYPE_BITS));
    switch ((int) (head & TYPE_MASK)) {
      case TEXT -> writer.writeField(field, in.readString());
      case BYTES -> writer.writeField(field, slice(in, content));
      case INT -> writer.writeField(field, in.readZInt());
      case FLOAT -> writer.writeField(field, Float.intBitsToFloat(in.readInt()));
      case LONG -> writer.writeField(field, in.readLong());
      case DOUBLE -> writer.writeField(field, Double.longBitsToDouble(in.readLong()));
      default -> throw new IllegalStateException("unknown type of field: " + head);
    }
  }

  private static BytesRef slice(ByteArrayDataInput in, byte[] content) throws IOException {
    int length = ((DataInput) in).readVInt();
    BytesRef value = new BytesRef(content, in.getPosition(), length);
    in.skipBytes(length);
    return value;
  }

  /** The documents in blocks of at least that many bytes. */
  List<byte[]> blocks(int blockBytes) {
    byte[] content = bytes.toArrayCopy();
    List<byte[]> blocks = new ArrayList<>();
    int from = 0;
    for (int i = 0; i < documents; i++) {
      if (ends[i] - from >= blockBytes) {
        blocks.add(Arrays.copyOfRange(content, from, ends[i]));
        from = ends[i];
      }
    }
    return blocks;
  }
}
