package io.varve.search.aggregation.partial;

import io.varve.search.aggregation.format.ValueFormat;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Counts for the buckets that the request defines: filters, or ranges in the field's values. */
public record FixedPartial(ValueFormat format, List<Group> groups) implements Partial {

  /**
   * @param from a key, or null for an open end
   */
  public record Group(@Nullable Object from, @Nullable Object to, SinglePartial documents) {}

  public FixedPartial {
    groups = List.copyOf(groups);
  }

  @Override
  public FixedPartial merge(Partial partial) {
    FixedPartial other = (FixedPartial) partial;
    List<Group> merged = new ArrayList<>(groups.size());
    for (int i = 0; i < groups.size(); i++) {
      Group group = groups.get(i);
      merged.add(
          new Group(group.from, group.to, group.documents.merge(other.groups.get(i).documents)));
    }
    return new FixedPartial(format.isShown() ? format : other.format, merged);
  }

  @Override
  public void write(PartialWriter out) {
    out.format(format);
    out.count(groups.size());
    for (Group group : groups) {
      out.key(group.from);
      out.key(group.to);
      group.documents.write(out);
    }
  }

  static FixedPartial read(PartialReader in) {
    ValueFormat format = in.format();
    int size = in.size();
    List<Group> groups = new ArrayList<>(Math.min(size, 1024));
    for (int i = 0; i < size; i++) {
      groups.add(new Group(in.key(), in.key(), SinglePartial.read(in)));
    }
    return new FixedPartial(format, groups);
  }
}
