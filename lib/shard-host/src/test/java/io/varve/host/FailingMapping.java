package io.varve.host;

import io.varve.engine.MappingSource;
import java.util.concurrent.atomic.AtomicBoolean;

/** A mapping that, once asked to, leaves no stack to who looks at it next. */
public final class FailingMapping implements MappingSource {

  private static final Versioned MAPPING =
      new Versioned(1, "{\"properties\":{\"title\":{\"type\":\"keyword\"}}}");

  private final AtomicBoolean armed = new AtomicBoolean();

  /** The next look fails, those after it do not. */
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
