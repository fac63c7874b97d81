package io.varve.engine.source;

import java.nio.charset.StandardCharsets;
import org.apache.lucene.util.BytesRef;
import org.apache.lucene.util.BytesRefBuilder;
import org.jspecify.annotations.Nullable;

/**
 * Splits a source into its shape, the values that are in doc values, and the values to be stored as
 * a JSON list.
 *
 * <pre>
 *   null, names, brackets, white space         shape
 *   a value that doc values reproduce          a hole in the shape
 *   any other value                            stored
 *   an object without a mapped value           stored as a whole
 *   a list of more than a few elements         stored as a whole: each length would need a shape
 * </pre>
 */
final class SourceSplitter {

  private static final int MOST_ELEMENTS = 8;

  private final byte[] json;
  private final DocumentValues values;
  private final BytesRefBuilder shape = new BytesRefBuilder();
  private final BytesRefBuilder stored = new BytesRefBuilder();
  private int at;
  private int holes;

  /** Everything before this position is in the shape. */
  private int shaped;

  SourceSplitter(byte[] json, DocumentValues values) {
    this.json = json;
    this.values = values;
  }

  /** Splits the source by the tree of its mapping; {@code false} if no value is in doc values. */
  boolean split(SourceNode root) {
    at = JsonText.skipSpace(json, 0);
    object(root);
    shape.append(json, shaped, json.length - shaped);
    return holes > 0;
  }

  BytesRef shape() {
    return shape.get();
  }

  /** {@code null} if nothing needs to be stored. */
  byte @Nullable [] stored() {
    if (stored.length() == 0) {
      return null;
    }
    stored.append((byte) ']');
    return stored.toBytesRef().bytes;
  }

  private void value(@Nullable SourceNode place) {
    byte first = json[at];
    if (first == '{') {
      if (place == null || place.children().isEmpty()) {
        store(at);
      } else {
        object(place);
      }
    } else if (first == '[') {
      if (place == null) {
        store(at);
      } else {
        list(place);
      }
    } else if (first == 'n' || (place != null && place.kind() == SourceNode.Kind.CONSTANT)) {
      at = JsonText.endOfValue(json, at);
    } else {
      scalar(place);
    }
  }

  private void scalar(@Nullable SourceNode place) {
    int end = JsonText.endOfValue(json, at);
    if (place != null) {
      for (Derivation derivation : place.derivations()) {
        Placeholder hole = derivation.of(json, at, end, values);
        if (hole != null) {
          shape.append(json, shaped, at - shaped);
          SourceShape.appendHole(hole, shape);
          holes++;
          at = end;
          shaped = end;
          return;
        }
      }
    }
    store(at);
  }

  /** Adds the value that starts at {@code from} to the stored values, and continues after it. */
  private void store(int from) {
    int end = JsonText.endOfValue(json, from);
    shape.append(json, shaped, from - shaped);
    SourceShape.appendStored(shape);
    stored.append((byte) (stored.length() == 0 ? '[' : ','));
    stored.append(json, from, end - from);
    at = end;
    shaped = end;
  }

  private void object(SourceNode place) {
    at = JsonText.skipSpace(json, at + 1);
    while (json[at] != '}') {
      int end = JsonText.endOfString(json, at);
      SourceNode child = child(place, at + 1, end - 1);
      at = JsonText.skipSpace(json, JsonText.skipSpace(json, end) + 1);
      value(child);
      toNext();
    }
    at++;
  }

  /** Names with escapes are not looked up. */
  private @Nullable SourceNode child(SourceNode place, int from, int to) {
    for (int i = from; i < to; i++) {
      if (json[i] == '\\') {
        return null;
      }
    }
    return place.child(new String(json, from, to - from, StandardCharsets.UTF_8));
  }

  private void toNext() {
    at = JsonText.skipSpace(json, at);
    if (json[at] == ',') {
      at = JsonText.skipSpace(json, at + 1);
    }
  }

  private void list(SourceNode place) {
    int begin = at;
    int shapeLength = shape.length();
    int storedLength = stored.length();
    int shapedBefore = shaped;
    int holesBefore = holes;
    at = JsonText.skipSpace(json, at + 1);
    for (int element = 0; json[at] != ']'; element++) {
      if (element == MOST_ELEMENTS) {
        shape.setLength(shapeLength);
        stored.setLength(storedLength);
        shaped = shapedBefore;
        holes = holesBefore;
        store(begin);
        return;
      }
      value(element(place, element));
      toNext();
    }
    at++;
  }

  /** A point may be a list of longitude and latitude. */
  private @Nullable SourceNode element(SourceNode list, int element) {
    boolean number = json[at] == '-' || (json[at] >= '0' && json[at] <= '9');
    if (list.kind() != SourceNode.Kind.POINT || !number) {
      return list;
    }
    return switch (element) {
      case 0 -> list.children().get(SourceNode.LONGITUDE);
      case 1 -> list.children().get(SourceNode.LATITUDE);
      default -> null;
    };
  }
}
