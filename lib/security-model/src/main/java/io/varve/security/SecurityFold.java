package io.varve.security;

import io.varve.events.Json;
import io.varve.events.MalformedRecordException;
import org.jspecify.annotations.Nullable;

/** Folds accepted records of the security topic into the state. Not thread-safe. */
public final class SecurityFold {

  private SecurityState state = SecurityState.EMPTY;

  /**
   * @param value of an accepted record
   * @throws MalformedRecordException the record is not an event that this release can read
   */
  public void add(byte @Nullable [] value) {
    if (value == null) {
      throw new MalformedRecordException("a record of the security topic has no value");
    }
    state = state.apply(Json.read(value, SecurityEvent.class));
  }

  public SecurityState state() {
    return state;
  }
}
