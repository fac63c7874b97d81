package io.varve.engine.source;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.lucene.util.BytesRef;
import org.apache.lucene.util.BytesRefBuilder;

/**
 * A source without its values, shared by similar documents. Encoded as the JSON in which each
 * removed value is replaced by control characters, which do not occur in JSON.
 *
 * <pre>
 *   1 rendering 2 rank 2 field 3    a value from doc values
 *   4                               the next stored value
 * </pre>
 */
final class SourceShape {

  /** A part of a source. */
  sealed interface Part {

    record Text(BytesRef json) implements Part {}

    record Value(Placeholder hole) implements Part {}

    record Stored() implements Part {}
  }

  private static final byte HOLE = 1;
  private static final byte BETWEEN = 2;
  private static final byte HOLE_END = 3;
  private static final byte STORED = 4;

  private static final int MOST_KNOWN = 256;
  private static final Map<BytesRef, SourceShape> KNOWN = new ConcurrentHashMap<>();

  private final List<Part> parts;

  private SourceShape(List<Part> parts) {
    this.parts = List.copyOf(parts);
  }

  List<Part> parts() {
    return parts;
  }

  static void appendHole(Placeholder hole, BytesRefBuilder to) {
    to.append(HOLE);
    to.append(new BytesRef(hole.rendering().code()));
    to.append(BETWEEN);
    to.append(new BytesRef(Integer.toString(hole.rank())));
    to.append(BETWEEN);
    to.append(new BytesRef(hole.field()));
    to.append(HOLE_END);
  }

  static void appendStored(BytesRefBuilder to) {
    to.append(STORED);
  }

  /** Decodes a shape; the bytes are not kept. */
  static SourceShape of(BytesRef bytes) {
    SourceShape known = KNOWN.get(bytes);
    if (known == null) {
      BytesRef own = BytesRef.deepCopyOf(bytes);
      known = parse(own);
      if (KNOWN.size() >= MOST_KNOWN) {
        KNOWN.clear();
      }
      KNOWN.put(own, known);
    }
    return known;
  }

  private static SourceShape parse(BytesRef shape) {
    List<Part> parts = new ArrayList<>();
    int from = 0;
    int at = 0;
    while (at < shape.length) {
      byte next = shape.bytes[at];
      if (next != HOLE && next != STORED) {
        at++;
        continue;
      }
      addText(shape, from, at, parts);
      if (next == STORED) {
        parts.add(new Part.Stored());
        at++;
      } else {
        int code = find(shape, BETWEEN, at);
        int rank = find(shape, BETWEEN, code + 1);
        int end = find(shape, HOLE_END, rank);
        parts.add(
            new Part.Value(
                new Placeholder(
                    Rendering.of(text(shape, at + 1, code)),
                    Integer.parseInt(text(shape, code + 1, rank)),
                    text(shape, rank + 1, end))));
        at = end + 1;
      }
      from = at;
    }
    addText(shape, from, at, parts);
    return new SourceShape(parts);
  }

  private static void addText(BytesRef shape, int from, int to, List<Part> parts) {
    if (to > from) {
      parts.add(new Part.Text(new BytesRef(shape.bytes, from, to - from)));
    }
  }

  private static int find(BytesRef shape, byte wanted, int from) {
    int at = from;
    while (shape.bytes[at] != wanted) {
      at++;
    }
    return at;
  }

  private static String text(BytesRef shape, int from, int to) {
    return new BytesRef(shape.bytes, from, to - from).utf8ToString();
  }
}
