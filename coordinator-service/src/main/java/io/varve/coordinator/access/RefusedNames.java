package io.varve.coordinator.access;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The first names of indices, in the path or the body of a request, to which the request was
 * refused access. A background task may be refused further names after its request has ended.
 * Thread-safe.
 */
public final class RefusedNames {

  static final int MAX_NAMES = 10;
  private static final int MAX_LENGTH = 255;

  private final Set<String> names = new LinkedHashSet<>();
  private @Nullable Consumer<List<String>> later;

  void add(String name) {
    String shown = name.length() > MAX_LENGTH ? name.substring(0, MAX_LENGTH) : name;
    Consumer<List<String>> listener;
    synchronized (this) {
      if (names.size() == MAX_NAMES || !names.add(shown)) {
        return;
      }
      listener = later;
    }
    if (listener != null) {
      listener.accept(List.of(shown));
    }
  }

  /**
   * The names so far.
   *
   * @param listener gets each further one
   */
  public synchronized List<String> end(Consumer<List<String>> listener) {
    later = listener;
    return List.copyOf(names);
  }
}
