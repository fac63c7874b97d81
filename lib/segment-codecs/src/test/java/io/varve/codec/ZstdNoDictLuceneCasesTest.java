package io.varve.codec;

/** Lucene's test cases with {@code zstd_no_dict}. */
public final class ZstdNoDictLuceneCasesTest extends LuceneStoredFieldsCases {

  @Override
  Coding.Mode mode() {
    return Coding.Mode.ZSTD_NO_DICT;
  }
}
