package io.varve.search.aggregation.partial;

import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/** Counts by bucket name, for the buckets that have documents. */
public record KeyedPartial(Map<String, SinglePartial> groups) implements Partial {

  public KeyedPartial {
    groups = Collections.unmodifiableMap(new TreeMap<>(groups));
  }

  @Override
  public KeyedPartial merge(Partial partial) {
    Map<String, SinglePartial> merged = new TreeMap<>(groups);
    ((KeyedPartial) partial)
        .groups.forEach((name, group) -> merged.merge(name, group, SinglePartial::merge));
    return new KeyedPartial(merged);
  }

  @Override
  public void write(PartialWriter out) {
    out.count(groups.size());
    groups.forEach((name, group) -> {
      out.text(name);
      group.write(out);
    });
  }

  static KeyedPartial read(PartialReader in) {
    Map<String, SinglePartial> groups = new TreeMap<>();
    for (int left = in.size(); left > 0; left--) {
      groups.put(in.text(), SinglePartial.read(in));
    }
    return new KeyedPartial(groups);
  }
}
