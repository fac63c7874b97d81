package io.varve.testkit.sim;

import io.varve.events.Operation;
import java.util.Map;

/** A read with a token shows each document as its session wrote it, or newer. */
final class TokenReadSeesItsWrite implements Invariant {

  @Override
  public void observe(Observation observation, World world) {
    if (!(observation instanceof Observation.ReadUnderToken(var copy, var found, var wrote))) {
      return;
    }
    for (Map.Entry<String, Write> entry : wrote.entrySet()) {
      Operation shown = found.get(entry.getKey());
      require(
          shown != null && shown.seqNo() >= entry.getValue().seqNo,
          "%s, but a read under its token on %s finds %s",
          entry.getValue(),
          copy,
          shown);
    }
  }
}
