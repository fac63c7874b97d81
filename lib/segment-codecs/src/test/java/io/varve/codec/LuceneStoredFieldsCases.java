package io.varve.codec;

import com.carrotsearch.randomizedtesting.annotations.ThreadLeakFilters;
import org.apache.lucene.codecs.Codec;
import org.apache.lucene.tests.index.BaseStoredFieldsFormatTestCase;

/** Lucene's test cases for stored fields, run with Varve's format at random levels. */
@ThreadLeakFilters(filters = LuceneStoredFieldsCases.NativeCleaners.class)
abstract class LuceneStoredFieldsCases extends BaseStoredFieldsFormatTestCase {

  /** Excludes the threads of the zstd library from the check for leaked threads. */
  public static final class NativeCleaners
      implements com.carrotsearch.randomizedtesting.ThreadFilter {
    @Override
    public boolean reject(Thread thread) {
      return thread.getName().startsWith("zstd");
    }
  }

  private Codec codec;

  abstract Coding.Mode mode();

  @Override
  public void setUp() throws Exception {
    // These thresholds are low enough that Lucene's small test indices get dictionaries.
    DictionaryRules rules =
        random().nextBoolean()
            ? DictionaryRules.USUAL
            : new DictionaryRules(
                random().nextInt(2_000),
                2_000 + random().nextInt(200_000),
                random().nextInt(4_000),
                1_024 + random().nextInt(8_192),
                1 + random().nextInt(1_000_000));
    codec = new Varve104Codec(new Coding(mode(), 1 + random().nextInt(Coding.HIGHEST)), rules);
    super.setUp();
  }

  @Override
  protected Codec getCodec() {
    return codec;
  }
}
