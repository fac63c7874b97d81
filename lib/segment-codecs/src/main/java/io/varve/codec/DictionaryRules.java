package io.varve.codec;

/**
 * When a segment gets a dictionary.
 *
 * @param worthBytes a segment with less content goes without: the file would eat the gain
 * @param sampleBytes what a dictionary is trained from; by a merge, which has time, from twice that
 * @param leastSampleBytes less than this trains none
 * @param dictionaryBytes the largest dictionary; never more than a 16th of the sample
 * @param retrainBytes a merge of more content looks whether a new dictionary gains 3%
 */
record DictionaryRules(
    int worthBytes, int sampleBytes, int leastSampleBytes, int dictionaryBytes, long retrainBytes) {

  // Training takes time by the byte: from 2 MB it took as long as everything else of the first 15
  // MB, and made stored fields half a percent smaller than from this.
  static final DictionaryRules USUAL =
      new DictionaryRules(256 << 10, 768 << 10, 512 << 10, 48 << 10, 64L << 20);

  int dictionaryBytesFor(long sample) {
    return (int) Math.min(dictionaryBytes, Math.max(1024, sample / 16));
  }
}
