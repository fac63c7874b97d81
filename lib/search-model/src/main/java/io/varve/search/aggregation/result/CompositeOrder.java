package io.varve.search.aggregation.result;

import io.varve.search.aggregation.CompositeSource;
import io.varve.search.aggregation.CompositeSource.MissingOrder;
import io.varve.search.aggregation.CompositeSource.Options;
import io.varve.search.aggregation.format.KeyOrder;
import io.varve.search.aggregation.format.ValueFormat;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Orders composite keys by their components. Each component has its own direction and position of
 * nulls.
 */
public final class CompositeOrder implements Comparator<Object> {

  private final List<Options> options;
  private final List<Comparator<@Nullable Object>> parts;

  public CompositeOrder(List<CompositeSource> sources, List<ValueFormat> formats) {
    this.options = sources.stream().map(CompositeSource::options).toList();
    this.parts = formats.stream().map(KeyOrder::of).toList();
  }

  @Override
  public int compare(Object first, Object second) {
    List<?> a = (List<?>) first;
    List<?> b = (List<?>) second;
    for (int i = 0; i < options.size(); i++) {
      int order = compare(i, a.get(i), b.get(i));
      if (order != 0) {
        return order;
      }
    }
    return 0;
  }

  private int compare(int part, @Nullable Object a, @Nullable Object b) {
    Options option = options.get(part);
    if (a == null || b == null) {
      boolean first =
          option.missingOrder() == MissingOrder.DEFAULT
              ? !option.descending()
              : option.missingOrder() == MissingOrder.FIRST;
      int order = Boolean.compare(a != null, b != null);
      return first ? order : -order;
    }
    int order = parts.get(part).compare(a, b);
    return option.descending() ? -order : order;
  }
}
