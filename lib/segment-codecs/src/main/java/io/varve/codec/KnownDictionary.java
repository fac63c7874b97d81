package io.varve.codec;

import org.jspecify.annotations.Nullable;

/**
 * The dictionary that the segments of a writer got last: the next one takes it too, so that nothing
 * is trained twice and merges copy blocks as they are.
 */
final class KnownDictionary {

  private volatile @Nullable Dictionary dictionary;

  @Nullable Dictionary dictionary() {
    return dictionary;
  }

  void learn(Dictionary learned) {
    dictionary = learned;
  }
}
