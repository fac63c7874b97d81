package io.varve.engine.source;

import org.apache.lucene.util.BytesRef;
import org.apache.lucene.util.BytesRefBuilder;

/** The format in which a value from doc values was written in JSON. */
sealed interface Rendering {

  /** The code from which {@link #of} creates an equal rendering; contains no control characters. */
  String code();

  /** Renders numbers and values stored as numbers. */
  sealed interface OfNumber extends Rendering
      permits NumberRendering, DateRendering, PatternRendering {

    String text(long value);
  }

  /** Renders terms. */
  sealed interface OfTerm extends Rendering permits TermRendering {

    void append(BytesRef term, BytesRefBuilder to);
  }

  /** Decodes a {@link #code}. */
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
