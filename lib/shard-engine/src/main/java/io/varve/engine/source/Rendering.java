package io.varve.engine.source;

import org.apache.lucene.util.BytesRef;
import org.apache.lucene.util.BytesRefBuilder;

/** How a value that doc values have was written in JSON. */
sealed interface Rendering {

  /** From which {@link #of} makes an equal one; without control characters. */
  String code();

  /** Of a number, or of what is kept as one. */
  sealed interface OfNumber extends Rendering
      permits NumberRendering, DateRendering, PatternRendering {

    String text(long value);
  }

  /** Of a term. */
  sealed interface OfTerm extends Rendering permits TermRendering {

    void append(BytesRef term, BytesRefBuilder to);
  }

  /** A rendering by its {@link #code}. */
  static Rendering of(String code) {
    return switch (code.charAt(0)) {
      case NumberRendering.MARK -> NumberRendering.of(code);
      case DateRendering.MARK -> DateRendering.of(code);
      case PatternRendering.MARK -> PatternRendering.of(code);
      case TermRendering.MARK -> TermRendering.of(code);
      default -> throw new IllegalArgumentException("no rendering has the code [" + code + "]");
    };
  }
}
