package io.varve.codec;

/**
 * Determines when a segment gets a dictionary.
 *
 * @param worthBytes size of the content below which a segment gets no dictionary, because its file
 *     would be larger than the gain
 * @param sampleBytes size of the sample for training; a merge, which has more time, uses twice as
 *     much
 * @param leastSampleBytes smallest sample to train from
 * @param dictionaryBytes size of the largest dictionary; at most a 16th of the sample
 * @param retrainBytes size of the content from which a merge checks whether a new dictionary saves
 *     3%
 */
record DictionaryRules(
    int worthBytes, int sampleBytes, int leastSampleBytes, int dictionaryBytes, long retrainBytes) {

  // Training time grows with the sample. A sample of 2 MB took as long as all other work for the
  // first 15 MB, and made stored fields only half a percent smaller.
  static final DictionaryRules USUAL =
      new DictionaryRules(256 << 10, 768 << 10, 512 << 10, 48 << 10, 64L << 20);

  int dictionaryBytesFor(long sample) {
    return (int) Math.min(dictionaryBytes, Math.max(1024, sample / 16));
  }
}
