package io.varve.search.aggregation.partial;

import io.varve.events.MalformedRecordException;
import io.varve.events.PackedReader;
import io.varve.events.PackedWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;

/** Results of the collected aggregations of a tree, in the tree's order. */
public record Partials(List<Partial> list) {

  public static final Partials NONE = new Partials(List.of());

  private static final int FORMAT = 1;

  public Partials {
    list = List.copyOf(list);
  }

  public Partials merge(Partials other) {
    if (list.isEmpty()) {
      return other;
    }
    List<Partial> merged = new ArrayList<>(list.size());
    for (int i = 0; i < list.size(); i++) {
      merged.add(list.get(i).merge(other.list.get(i)));
    }
    return new Partials(merged);
  }

  public byte[] toBytes() {
    return toBytes(byte[]::new);
  }

  /**
   * @param largeArrays as in {@link PackedWriter}
   */
  public byte[] toBytes(IntFunction<byte[]> largeArrays) {
    PackedWriter writer = new PackedWriter(256, largeArrays);
    writer.writeByte(FORMAT);
    write(new PartialWriter(writer));
    return writer.toByteArray();
  }

  public static Partials fromBytes(byte[] bytes) {
    PackedReader reader = new PackedReader(bytes);
    int format = reader.readByte();
    if (format != FORMAT) {
      throw new MalformedRecordException("unknown format of aggregation results " + format);
    }
    return read(new PartialReader(reader));
  }

  void write(PartialWriter out) {
    out.count(list.size());
    for (Partial partial : list) {
      out.code(PartialKind.of(partial).code());
      partial.write(out);
    }
  }

  static Partials read(PartialReader in) {
    int size = in.size();
    if (size == 0) {
      return NONE;
    }
    List<Partial> list = new ArrayList<>(Math.min(size, 64));
    for (int i = 0; i < size; i++) {
      list.add(PartialKind.ofCode(in.code()).read(in));
    }
    return new Partials(list);
  }
}
