package io.varve.search.aggregation.partial;

import io.varve.events.MalformedRecordException;
import io.varve.search.aggregation.format.ValueFormat;
import io.varve.search.aggregation.partial.TermsPartial.Kind;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Counts of rare terms. A term that is rare in one part may be common in another, so the keys of
 * common terms are kept.
 *
 * @param most the largest number of documents of a rare term
 * @param common terms that have more
 */
public record RarePartial(
    Kind kind, ValueFormat format, int most, Map<Object, SinglePartial> rare, Set<Object> common)
    implements Partial {

  public RarePartial {
    rare = Collections.unmodifiableMap(rare);
    common = Collections.unmodifiableSet(common);
  }

  @Override
  public RarePartial merge(Partial partial) {
    RarePartial other = (RarePartial) partial;
    if (kind == Kind.UNMAPPED) {
      return other;
    }
    if (other.kind == Kind.UNMAPPED) {
      return this;
    }
    if (kind != other.kind) {
      throw TermsPartial.differentTypes();
    }
    Set<Object> allCommon = new HashSet<>(common);
    allCommon.addAll(other.common);
    Map<Object, SinglePartial> all = new HashMap<>(rare);
    other.rare.forEach((key, group) -> all.merge(key, group, SinglePartial::merge));
    all.entrySet()
        .removeIf(entry -> {
          boolean tooMany = entry.getValue().docCount() > most;
          if (tooMany) {
            allCommon.add(entry.getKey());
          }
          return tooMany || allCommon.contains(entry.getKey());
        });
    return new RarePartial(kind, format.isShown() ? format : other.format, most, all, allCommon);
  }

  @Override
  public void write(PartialWriter out) {
    out.code(kind.code());
    out.format(format);
    out.count(most);
    out.count(rare.size());
    rare.forEach((key, group) -> {
      out.key(key);
      group.write(out);
    });
    out.count(common.size());
    common.forEach(out::key);
  }

  static RarePartial read(PartialReader in) {
    Kind kind = Kind.of(in.code());
    ValueFormat format = in.format();
    int most = in.size();
    Map<Object, SinglePartial> rare = new HashMap<>();
    for (int left = in.size(); left > 0; left--) {
      rare.put(key(in), SinglePartial.read(in));
    }
    Set<Object> common = new HashSet<>();
    for (int left = in.size(); left > 0; left--) {
      common.add(key(in));
    }
    return new RarePartial(kind, format, most, rare, common);
  }

  static Object key(PartialReader in) {
    Object key = in.key();
    if (key == null) {
      throw new MalformedRecordException("term bucket without a key");
    }
    return key;
  }
}
