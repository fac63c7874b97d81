package io.varve.codec;

/** Lucene's test cases with {@code zstd}. */
public final class ZstdLuceneCasesTest extends LuceneStoredFieldsCases {

  @Override
  Coding.Mode mode() {
    return Coding.Mode.ZSTD;
  }
}
