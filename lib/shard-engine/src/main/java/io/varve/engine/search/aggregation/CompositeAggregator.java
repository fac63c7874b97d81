package io.varve.engine.search.aggregation;

import io.varve.search.aggregation.BucketAggregation.Composite;
import io.varve.search.aggregation.format.ValueFormat;
import io.varve.search.aggregation.partial.CompositePartial;
import io.varve.search.aggregation.partial.SinglePartial;
import io.varve.search.aggregation.result.CompositeOrder;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.lucene.index.LeafReaderContext;
import org.jspecify.annotations.Nullable;

/**
 * Computes a composite aggregation: groups documents by composite key in the requested order. Only
 * the first {@code size} keys of each parent bucket are kept, in whichever order documents arrive:
 * a key is dropped as soon as that many others precede it.
 */
final class CompositeAggregator extends GroupingAggregator {

  private static final long KEY_BYTES = 160;

  private final Composite request;
  private final List<CompositePart> parts;
  private final @Nullable List<@Nullable Object> after;
  private final MemoryAccount memory;
  private final CompositeOrder order;
  private final ObjectCells<TreeMap<Object, Integer>> kept;
  private int buckets;

  CompositeAggregator(
      Composite request, List<CompositePart> parts, Children children, AggregationContext context) {
    super(children, context);
    this.request = request;
    this.parts = List.copyOf(parts);
    this.memory = context.memory();
    this.kept = new ObjectCells<>(memory);
    this.order = new CompositeOrder(request.sources(), formats());
    this.after = after();
  }

  private @Nullable List<@Nullable Object> after() {
    List<@Nullable Object> given = request.after();
    if (given == null) {
      return null;
    }
    List<@Nullable Object> key = new ArrayList<>();
    for (int i = 0; i < given.size(); i++) {
      key.add(parts.get(i).after(given.get(i)));
    }
    return key;
  }

  private List<ValueFormat> formats() {
    return parts.stream().map(CompositePart::format).toList();
  }

  @Override
  public LeafBuckets leaf(LeafReaderContext leaf) throws IOException {
    LeafBuckets inner = children.leaf(leaf);
    List<CompositePart.Leaf> leaves = new ArrayList<>();
    for (CompositePart part : parts) {
      leaves.add(part.leaf(leaf));
    }
    return new DelegatingLeafBuckets(inner) {
      @Override
      public void collect(int doc, int owner) throws IOException {
        List<List<@Nullable Object>> found = new ArrayList<>(leaves.size());
        for (CompositePart.Leaf part : leaves) {
          List<@Nullable Object> values = part.values(doc);
          if (values.isEmpty()) {
            return;
          }
          found.add(values);
        }
        combine(doc, owner, found, new ArrayList<>(found.size()));
      }

      // One key per combination of values.
      private void combine(
          int doc, int owner, List<List<@Nullable Object>> found, List<@Nullable Object> key)
          throws IOException {
        if (key.size() == found.size()) {
          int bucket = bucket(owner, key);
          if (bucket >= 0) {
            counts.add(bucket, 1);
            inner.collect(doc, bucket);
          }
          return;
        }
        for (Object value : found.get(key.size())) {
          key.add(value);
          combine(doc, owner, found, key);
          key.removeLast();
        }
      }
    };
  }

  /** -1 for a key that will not be returned. */
  private int bucket(int owner, List<@Nullable Object> key) {
    if (after != null && order.compare(key, after) <= 0) {
      return -1;
    }
    TreeMap<Object, Integer> ofOwner = kept.get(owner);
    if (ofOwner == null) {
      memory.charge(KEY_BYTES);
      ofOwner = new TreeMap<>(order);
      kept.set(owner, ofOwner);
    }
    Integer known = ofOwner.get(key);
    if (known != null) {
      return known;
    }
    if (ofOwner.size() >= request.size()) {
      if (order.compare(key, ofOwner.lastKey()) > 0) {
        return -1;
      }
      // A dropped key can't return, since the last kept key only decreases; its documents so far
      // need not be revisited.
      ofOwner.pollLastEntry();
    } else {
      memory.charge(KEY_BYTES);
    }
    int bucket = buckets++;
    ofOwner.put(Collections.unmodifiableList(new ArrayList<>(key)), bucket);
    return bucket;
  }

  @Override
  public CompositePartial build(int owner) throws IOException {
    Map<Object, SinglePartial> built = new HashMap<>();
    TreeMap<Object, Integer> ofOwner = kept.get(owner);
    if (ofOwner != null) {
      for (Map.Entry<Object, Integer> entry : ofOwner.entrySet()) {
        int bucket = entry.getValue();
        built.put(entry.getKey(), group(bucket));
      }
    }
    return new CompositePartial(formats(), built);
  }

  @Override
  public CompositePartial empty() {
    return new CompositePartial(formats(), Map.of());
  }
}
