package io.varve.engine.source;

import io.varve.engine.source.Rendering.OfNumber;
import io.varve.search.mapping.DateFormat;
import io.varve.search.mapping.FieldMapping.LeafField;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.apache.lucene.util.BytesRef;
import org.apache.lucene.util.BytesRefBuilder;
import org.jspecify.annotations.Nullable;

/**
 * Finds the doc value and the rendering from which a piece of JSON can be reproduced. The rendering
 * of the last value is tried first, because a client usually formats all its values alike, and one
 * value may not determine the format: from 12.5 it is unknown whether the client writes 12 as 12,
 * 12.0 or 12.00.
 *
 * <p>INVARIANT: expanding a returned placeholder yields the replaced part of the source byte for
 * byte.
 */
abstract sealed class Derivation {

  final String field;

  private Derivation(String field) {
    this.field = field;
  }

  abstract @Nullable Placeholder of(byte[] json, int from, int to, DocumentValues values);

  /** Numbers, and dates and points, which are stored as numbers. */
  static final class OfNumbers extends Derivation {

    /** The possible conversions of doc values, see {@link NumberRendering}. */
    private final String reads;

    private final LeafField leaf;
    private final List<PatternRendering> patterns;
    private volatile @Nullable OfNumber usual;

    OfNumbers(LeafField leaf, String reads) {
      super(leaf.path());
      this.leaf = leaf;
      this.reads = reads;
      this.patterns = leaf.type().isDate() ? patterns(leaf, reads.startsWith("m")) : List.of();
    }

    private static List<PatternRendering> patterns(LeafField leaf, boolean nanos) {
      return Stream.of(leaf.dateFormat().toString().split("\\|\\|"))
          .filter(pattern -> !pattern.startsWith("epoch_"))
          .map(DateFormat::of)
          .filter(DateFormat::writesNumbersAlone)
          .map(format -> new PatternRendering(nanos, format))
          .toList();
    }

    @Override
    @Nullable Placeholder of(byte[] json, int from, int to, DocumentValues values) {
      long[] numbers = values.numbers(field);
      if (numbers.length == 0) {
        return null;
      }
      String text = new String(json, from, to - from, StandardCharsets.UTF_8);
      OfNumber last = usual;
      Placeholder hole = last == null ? null : hole(text, last, numbers);
      if (hole != null) {
        return hole;
      }
      for (OfNumber candidate : candidates(text)) {
        hole = hole(text, candidate, numbers);
        if (hole != null) {
          usual = candidate;
          return hole;
        }
      }
      return null;
    }

    private @Nullable Placeholder hole(String text, OfNumber rendering, long[] numbers) {
      for (int rank = 0; rank < numbers.length; rank++) {
        if (gives(rendering, numbers[rank], text)) {
          return new Placeholder(rendering, rank, field);
        }
      }
      return null;
    }

    /** A format may be unable to write values that another of its alternatives parsed. */
    private static boolean gives(OfNumber rendering, long number, String text) {
      try {
        return rendering.text(number).equals(text);
      } catch (DateTimeException e) {
        return false;
      }
    }

    private List<OfNumber> candidates(String text) {
      List<OfNumber> candidates = new ArrayList<>();
      boolean quoted = text.charAt(0) == '"';
      if (leaf.type().isDate() && quoted) {
        addDates(text, candidates);
      }
      int point = text.indexOf('.');
      int decimals = point < 0 ? 0 : text.length() - (quoted ? 1 : 0) - point - 1;
      double factor = leaf.scalingFactor();
      for (int i = 0; i < reads.length(); i++) {
        char read = reads.charAt(i);
        candidates.add(new NumberRendering(read, factor, 'i', 0, quoted));
        candidates.add(new NumberRendering(read, factor, 'p', 0, quoted));
        candidates.add(new NumberRendering(read, factor, 'd', 0, quoted));
        candidates.add(new NumberRendering(read, factor, 'f', decimals, quoted));
      }
      return candidates;
    }

    private void addDates(String text, List<OfNumber> candidates) {
      OfNumber like = DateRendering.like(text, reads.startsWith("m"));
      if (like != null) {
        candidates.add(like);
      }
      candidates.addAll(patterns);
    }
  }

  /** Strings, addresses and binary values. */
  static final class OfTerms extends Derivation {

    private final List<TermRendering> candidates;
    private volatile TermRendering usual;

    OfTerms(LeafField leaf, String styles) {
      super(leaf.path());
      this.candidates = styles.chars().mapToObj(style -> new TermRendering((char) style)).toList();
      this.usual = candidates.getFirst();
    }

    @Override
    @Nullable Placeholder of(byte[] json, int from, int to, DocumentValues values) {
      List<BytesRef> terms = values.terms(field);
      if (terms.isEmpty()) {
        return null;
      }
      BytesRef text = new BytesRef(json, from, to - from);
      TermRendering last = usual;
      Placeholder hole = hole(text, last, terms);
      for (int i = 0; hole == null && i < candidates.size(); i++) {
        hole = hole(text, candidates.get(i), terms);
        if (hole != null) {
          usual = candidates.get(i);
        }
      }
      return hole;
    }

    private @Nullable Placeholder hole(
        BytesRef text, TermRendering rendering, List<BytesRef> terms) {
      BytesRefBuilder written = new BytesRefBuilder();
      for (int rank = 0; rank < terms.size(); rank++) {
        written.clear();
        rendering.append(terms.get(rank), written);
        if (written.get().bytesEquals(text)) {
          return new Placeholder(rendering, rank, field);
        }
      }
      return null;
    }
  }
}
