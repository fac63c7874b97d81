package io.varve.rest;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The HTTP methods that routes can have. */
public enum RestMethod {
  GET,
  HEAD,
  PUT,
  POST,
  PATCH,
  DELETE;

  /** {@code null} if no route can have this method. */
  public static @Nullable RestMethod of(String name) {
    for (RestMethod method : values()) {
      if (method.name().equals(name.toUpperCase(Locale.ROOT))) {
        return method;
      }
    }
    return null;
  }
}
