package io.varve.replication.replica;

/** Observes the number of bytes that the rounds of a {@link SegmentFollower} lack. */
interface RoundObserver {

  RoundObserver NONE =
      new RoundObserver() {
        @Override
        public void needed(long bytes) {}

        @Override
        public void missing(long bytes) {}
      };

  /** Called once per round before its first byte is fetched; may delay the round briefly. */
  void needed(long bytes);

  /** Called often while a round fetches. */
  void missing(long bytes);
}
