package io.varve.replication.replica;

/** Observes how many bytes the rounds of a {@link SegmentFollower} lack. */
interface RoundObserver {

  RoundObserver NONE =
      new RoundObserver() {
        @Override
        public void needed(long bytes) {}

        @Override
        public void missing(long bytes) {}
      };

  /** Called once for each round before its first byte is fetched; may delay it for a moment. */
  void needed(long bytes);

  /** Called often while a round fetches. */
  void missing(long bytes);
}
