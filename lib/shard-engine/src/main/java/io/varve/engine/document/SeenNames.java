package io.varve.engine.document;

import io.varve.rpc.ErrorBody;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The names already read in an object: a bit for each mapped field, a set for the others. */
final class SeenNames {

  private long numbered;
  private @Nullable Set<String> others;

  /** Refuses a duplicate name. */
  void add(String name, int ordinal) {
    boolean isNew;
    if (ordinal >= 0 && ordinal < Long.SIZE) {
      long bit = 1L << ordinal;
      isNew = (numbered & bit) == 0;
      numbered |= bit;
    } else {
      Set<String> known = others;
      if (known == null) {
        known = new HashSet<>();
        others = known;
      }
      isNew = known.add(name);
    }
    if (!isNew) {
      throw DocumentReader.failedToParse(
          ErrorBody.of(400, "json_parse_exception", "Duplicate field '" + name + "'"));
    }
  }
}
