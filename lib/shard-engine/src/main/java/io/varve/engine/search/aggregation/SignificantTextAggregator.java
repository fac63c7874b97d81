package io.varve.engine.search.aggregation;

import io.varve.engine.fields.FieldAnalyzers;
import io.varve.search.aggregation.BucketAggregation.Texts;
import io.varve.search.mapping.FieldMapping.LeafField;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.TokenStream;
import org.apache.lucene.analysis.tokenattributes.TermToBytesRefAttribute;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.util.BytesRef;
import org.jspecify.annotations.Nullable;

/**
 * Computes {@code significant_text}. Words are read from the source of each visited document and
 * analyzed as for indexing, so the field needs neither doc values nor fielddata.
 */
final class SignificantTextAggregator extends BytesTermsAggregator {

  private final Texts texts;
  private final List<@Nullable RepeatedRuns> runs = new ArrayList<>();

  SignificantTextAggregator(
      FieldValues values,
      Texts texts,
      TermFilter filter,
      TermsOutput output,
      Children children,
      AggregationContext context) {
    super(values, filter, output, children, context);
    this.texts = texts;
  }

  @Override
  public LeafBuckets leaf(LeafReaderContext leaf) throws IOException {
    LeafField field = values.field();
    if (field == null) {
      return LeafBuckets.NONE;
    }
    Analyzer analyzer = FieldAnalyzers.forIndexing(field);
    List<String> sources = texts.sources().isEmpty() ? List.of(field.path()) : texts.sources();
    LeafBuckets inner = children.leaf(leaf);
    return new DelegatingLeafBuckets(inner) {
      private int loaded = -1;
      private List<BytesRef> words = List.of();

      @Override
      public void collect(int doc, int owner) throws IOException {
        // A document is collected once per bucket.
        if (doc != loaded) {
          loaded = doc;
          words = words(analyzer, field.path(), context.tools().texts(leaf, doc, sources));
        }
        List<BytesRef> counted = texts.withoutCopies() ? runs(owner).fresh(words) : words;
        Set<BytesRef> distinct = new LinkedHashSet<>(counted);
        for (BytesRef word : distinct) {
          if (filter.accepts(word)) {
            inner.collect(doc, count(owner, terms.add(word)));
          }
        }
      }
    };
  }

  private RepeatedRuns runs(int owner) {
    while (runs.size() <= owner) {
      runs.add(null);
    }
    RepeatedRuns known = runs.get(owner);
    if (known == null) {
      known = new RepeatedRuns(context.memory());
      runs.set(owner, known);
    }
    return known;
  }

  private static List<BytesRef> words(Analyzer analyzer, String field, List<String> texts)
      throws IOException {
    List<BytesRef> words = new ArrayList<>();
    for (String text : texts) {
      try (TokenStream stream = analyzer.tokenStream(field, text)) {
        TermToBytesRefAttribute term = stream.addAttribute(TermToBytesRefAttribute.class);
        stream.reset();
        while (stream.incrementToken()) {
          words.add(BytesRef.deepCopyOf(term.getBytesRef()));
        }
        stream.end();
      }
    }
    return words;
  }
}
