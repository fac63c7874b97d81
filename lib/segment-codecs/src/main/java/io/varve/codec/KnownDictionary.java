package io.varve.codec;

import org.jspecify.annotations.Nullable;

/**
 * The dictionary of a writer's last segment. The next segment reuses it, so that nothing is trained
 * twice and merges can copy blocks.
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
