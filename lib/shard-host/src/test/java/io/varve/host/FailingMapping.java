package io.varve.host;

import io.varve.engine.MappingSource;
import java.util.concurrent.atomic.AtomicBoolean;

/** A mapping whose next read, on request, throws a StackOverflowError. */
public final class FailingMapping implements MappingSource {

  private static final Versioned MAPPING =
      new Versioned(1, "{\"properties\":{\"title\":{\"type\":\"keyword\"}}}");

  private final AtomicBoolean armed = new AtomicBoolean();

  /** Makes the next read fail, but not those after it. */
  public void failOnce() {
    armed.set(true);
  }

  @Override
  public Versioned current() {
    if (armed.getAndSet(false)) {
      throw new StackOverflowError("on purpose");
    }
    return MAPPING;
  }
}
