package io.varve.engine;

import io.varve.engine.source.DerivedSources;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.SortedDocValues;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.DocIdSetIterator;
import org.apache.lucene.util.BytesRef;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.io.TempDir;

/** An index whose sources are derived. */
abstract class DerivedSourceWorld {
  static final Map<String, String> DERIVED = Map.of("index.derived_source.enabled", "true");

  static final String NOTHING = "nothing";

  static final String MAPPING =
      """
      {"date_detection":true,"properties":{
       "long":{"type":"long"},"byte":{"type":"byte"},"big":{"type":"unsigned_long"},
       "double":{"type":"double"},"float":{"type":"float"},"half":{"type":"half_float"},
       "cents":{"type":"scaled_float","scaling_factor":100},"thirds":{"type":"scaled_float","scaling_factor":3},
       "yes":{"type":"boolean"},"date":{"type":"date"},"nanos":{"type":"date_nanos"},
       "day":{"type":"date","format":"dd/MMM/yyyy||yyyy-MM-dd HH:mm:ss||epoch_second"},
       "padded":{"type":"date","format":"uuuu-MM-pd||epoch_millis"},
       "word":{"type":"keyword","ignore_above":10},"lower":{"type":"keyword","normalizer":"lowercase"},
       "pattern":{"type":"wildcard"},"same":{"type":"constant_keyword","value":"always"},
       "text":{"type":"text"},"both":{"type":"text","fields":{"raw":{"type":"keyword","ignore_above":10}}},
       "ip":{"type":"ip"},"point":{"type":"geo_point"},"bytes":{"type":"binary","doc_values":true},
       "range":{"type":"integer_range"},"bare":{"type":"long","doc_values":false},
       "copied":{"type":"keyword","copy_to":"word"},"other":{"type":"long","null_value":7},
       "loose":{"type":"long","ignore_malformed":true},"name":{"type":"alias","path":"word"},
       "flat":{"type":"flat_object"},"off":{"type":"object","enabled":false},
       "nested":{"type":"nested","properties":{"n":{"type":"long"}}},
       "object":{"properties":{"n":{"type":"long"},"deep":{"properties":{"word":{"type":"keyword"}}}}},
       "closed":{"type":"object","dynamic":false,"properties":{"n":{"type":"long"}}}}}
      """;

  @TempDir Path folder;

  EngineFixture fixture(String mapping) {
    return new EngineFixture(folder, mapping, 1, DERIVED);
  }

  /** The stored part of a visible document's source: {@code nothing}, a list, or all of it. */
  static String stored(EngineFixture fixture, String id) throws IOException {
    try (SearchView view = fixture.engine.acquireView()) {
      for (LeafReaderContext leaf : view.searcher().getIndexReader().leaves()) {
        var postings = leaf.reader().postings(new Term("_id", id));
        for (int doc = postings == null ? DocIdSetIterator.NO_MORE_DOCS : postings.nextDoc();
            doc != DocIdSetIterator.NO_MORE_DOCS;
            doc = postings.nextDoc()) {
          var live = leaf.reader().getLiveDocs();
          if (live == null || live.get(doc)) {
            BytesRef source = leaf.reader().storedFields().document(doc).getBinaryValue("_source");
            if (source != null || shape(leaf, doc) != null) {
              return source == null ? NOTHING : source.utf8ToString();
            }
          }
        }
      }
    }
    throw new AssertionError("no document " + id);
  }

  static @Nullable BytesRef shape(LeafReaderContext leaf, int doc) throws IOException {
    SortedDocValues shapes = leaf.reader().getSortedDocValues(DerivedSources.SHAPE);
    return shapes != null && shapes.advanceExact(doc) ? shapes.lookupOrd(shapes.ordValue()) : null;
  }
}
