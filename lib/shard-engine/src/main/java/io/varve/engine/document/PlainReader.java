package io.varve.engine.document;

import io.varve.engine.document.MappingPlan.Node;
import io.varve.engine.fields.PlainValues;
import io.varve.search.mapping.ValueException;
import org.jspecify.annotations.Nullable;

/**
 * Converts a document of plain notation from its bytes to Lucene fields in one pass, without
 * tokens, names or numbers as objects.
 *
 * <p>It reads objects and lists of values of mapped fields, in the notation of {@link PlainTokens}.
 * It leaves everything else to {@link DocumentReader}: fields that the mapping lacks, nested
 * objects, copies to other fields, shapes and ranges, and every error. It therefore has no rules or
 * messages of its own.
 *
 * <p>INVARIANT: a document that it reads gets the same Lucene fields as from {@link
 * DocumentReader}, in the same order.
 */
public final class PlainReader {

  private static final int MAX_DEPTH = 32;
  private static final int MAX_BYTES = 1 << 20;

  private final PlainTokens tokens;
  private final DocumentBlock block;

  private PlainReader(byte[] source, DocumentBlock block) {
    this.tokens = new PlainTokens(source);
    this.block = block;
  }

  /** The document's Lucene documents; {@code null} if it must be read by {@link DocumentReader}. */
  public static @Nullable DocumentBlock read(String id, byte[] source, MappingPlan plan) {
    if (source.length > MAX_BYTES || !plan.root().field().enabled()) {
      return null;
    }
    DocumentBlock block = new DocumentBlock(id, plan.mapping());
    return new PlainReader(source, block).readAll(plan.root(), source) ? block : null;
  }

  private boolean readAll(Node.Branch root, byte[] source) {
    return tokens.take('{')
        && readObject(root, 0)
        && tokens.atEnd()
        && (tokens.isAscii() || Utf8.firstInvalid(source) < 0);
  }

  /** Reads an object after its opening brace. */
  private boolean readObject(Node.Branch object, int depth) {
    if (depth > MAX_DEPTH) {
      return false;
    }
    if (tokens.take('}')) {
      return true;
    }
    NameTable names = object.names();
    long[] seen = new long[(names.size() + Long.SIZE - 1) / Long.SIZE];
    int name = -1;
    do {
      if (tokens.peek() != '"') {
        return false;
      }
      name = tokens.name(names, name);
      if (name < 0 || isSeen(seen, name) || !tokens.take(':')) {
        return false;
      }
      if (!readValue(object.numbered(name), depth)) {
        return false;
      }
    } while (tokens.take(','));
    return tokens.take('}');
  }

  /** Whether the name was there before; duplicates are refused by the general reader. */
  private static boolean isSeen(long[] seen, int name) {
    long before = seen[name / Long.SIZE];
    long now = before | (1L << name);
    seen[name / Long.SIZE] = now;
    return now == before;
  }

  private boolean readValue(Node node, int depth) {
    return switch (node) {
      case Node.Leaf leaf -> {
        PlainValues plain = leaf.plain();
        yield plain != null && readLeaf(leaf, plain, depth);
      }
      case Node.Branch branch -> readBranch(branch, depth);
      case Node.Alias _ -> false;
    };
  }

  private boolean readBranch(Node.Branch branch, int depth) {
    if (!branch.field().enabled() || branch.field().isNested() || depth > MAX_DEPTH) {
      return false;
    }
    return switch (tokens.peek()) {
      case '{' -> {
        tokens.advance();
        yield readObject(branch, depth + 1);
      }
      case '[' -> readObjects(branch, depth);
      case 'n' -> tokens.literal("null");
      default -> false;
    };
  }

  private boolean readObjects(Node.Branch branch, int depth) {
    tokens.advance();
    if (tokens.take(']')) {
      return true;
    }
    do {
      if (!readBranch(branch, depth + 1)) {
        return false;
      }
    } while (tokens.take(','));
    return tokens.take(']');
  }

  private boolean readLeaf(Node.Leaf leaf, PlainValues plain, int depth) {
    int first = tokens.peek();
    return switch (first) {
      case '"' -> readText(leaf, plain);
      case '[' -> plain.isPoint() ? readPoint(plain) : readList(leaf, plain, depth);
      case 't' -> tokens.literal("true") && addTruth(leaf, plain, true);
      case 'f' -> tokens.literal("false") && addTruth(leaf, plain, false);
      case 'n' -> tokens.literal("null") && add(leaf, null);
      default -> (first == '-' || (first >= '0' && first <= '9')) && readNumber(leaf, plain);
    };
  }

  private boolean readList(Node.Leaf leaf, PlainValues plain, int depth) {
    tokens.advance();
    if (depth > MAX_DEPTH) {
      return false;
    }
    if (tokens.take(']')) {
      return true;
    }
    do {
      if (!readLeaf(leaf, plain, depth + 1)) {
        return false;
      }
    } while (tokens.take(','));
    return tokens.take(']');
  }

  /** Reads a point as {@code [lon, lat]}. */
  private boolean readPoint(PlainValues plain) {
    tokens.advance();
    if (!readCoordinate()) {
      return false;
    }
    double lon = tokens.decimal();
    if (!tokens.take(',') || !readCoordinate()) {
      return false;
    }
    return tokens.take(']') && plain.addPoint(tokens.decimal(), lon, block);
  }

  private boolean readCoordinate() {
    int first = tokens.peek();
    return (first == '-' || (first >= '0' && first <= '9')) && tokens.number();
  }

  private boolean readText(Node.Leaf leaf, PlainValues plain) {
    if (!tokens.string()) {
      return false;
    }
    if (tokens.isPlainText()
        && plain.addText(tokens.bytes(), tokens.from(), tokens.length(), block)) {
      return true;
    }
    String text = tokens.text();
    return text != null && add(leaf, text);
  }

  private boolean readNumber(Node.Leaf leaf, PlainValues plain) {
    if (plain.isPoint() || !tokens.number()) {
      return false;
    }
    if (leaf.wantsText()) {
      return add(leaf, tokens.text());
    }
    if (tokens.isWhole()) {
      long number = tokens.wholeNumber();
      return plain.addWhole(number, block)
          || add(leaf, number == (int) number ? (Object) (int) number : (Object) number);
    }
    return plain.addDecimal(tokens.decimal(), block) || add(leaf, tokens.decimal());
  }

  private boolean addTruth(Node.Leaf leaf, PlainValues plain, boolean value) {
    if (plain.isPoint()) {
      return false;
    }
    return leaf.wantsText() ? add(leaf, Boolean.toString(value)) : add(leaf, value);
  }

  /** Adds a value as the general reader does; false if the value is malformed. */
  private boolean add(Node.Leaf leaf, @Nullable Object value) {
    try {
      leaf.writer().add(value, block);
      return true;
    } catch (ValueException e) {
      // The general reader describes the error.
      return false;
    }
  }
}
