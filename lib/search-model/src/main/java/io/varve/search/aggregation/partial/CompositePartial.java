package io.varve.search.aggregation.partial;

import io.varve.events.MalformedRecordException;
import io.varve.search.aggregation.format.ValueFormat;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Counts of documents by composite key: the first {@code size} keys in the requested order. */
public record CompositePartial(List<ValueFormat> formats, Map<Object, SinglePartial> buckets)
    implements Partial {

  public CompositePartial {
    formats = List.copyOf(formats);
    buckets = Collections.unmodifiableMap(buckets);
  }

  @Override
  public CompositePartial merge(Partial partial) {
    CompositePartial other = (CompositePartial) partial;
    Map<Object, SinglePartial> merged = new HashMap<>(buckets);
    other.buckets.forEach((key, group) -> merged.merge(key, group, SinglePartial::merge));
    return new CompositePartial(buckets.isEmpty() ? other.formats : formats, merged);
  }

  @Override
  public void write(PartialWriter out) {
    out.count(formats.size());
    formats.forEach(out::format);
    out.count(buckets.size());
    buckets.forEach((key, group) -> {
      out.key(key);
      group.write(out);
    });
  }

  static CompositePartial read(PartialReader in) {
    ValueFormat[] formats = new ValueFormat[Math.min(in.size(), 1024)];
    for (int i = 0; i < formats.length; i++) {
      formats[i] = in.format();
    }
    Map<Object, SinglePartial> buckets = new HashMap<>();
    for (int left = in.size(); left > 0; left--) {
      Object key = in.key();
      if (key == null) {
        throw new MalformedRecordException("composite bucket without a key");
      }
      buckets.put(key, SinglePartial.read(in));
    }
    return new CompositePartial(List.of(formats), buckets);
  }
}
