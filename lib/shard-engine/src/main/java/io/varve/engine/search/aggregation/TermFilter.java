package io.varve.engine.search.aggregation;

import io.varve.rpc.ApiException;
import io.varve.search.aggregation.IncludeExclude;
import io.varve.search.aggregation.format.ValueFormat;
import io.varve.search.mapping.ValueException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import org.apache.lucene.util.BytesRef;
import org.apache.lucene.util.StringHelper;
import org.apache.lucene.util.automaton.ByteRunAutomaton;
import org.jspecify.annotations.Nullable;

/** Selects the terms of a field that are aggregated ({@code include} and {@code exclude}). */
final class TermFilter {

  private static final int PARTITION_SEED = 31;

  static final TermFilter ALL = new TermFilter(null, null, null, null);

  private final @Nullable ByteRunAutomaton pattern;
  private final @Nullable Set<Object> included;
  private final @Nullable Set<Object> excluded;
  private final IncludeExclude.@Nullable Partition partition;

  private TermFilter(
      @Nullable ByteRunAutomaton pattern,
      @Nullable Set<Object> included,
      @Nullable Set<Object> excluded,
      IncludeExclude.@Nullable Partition partition) {
    this.pattern = pattern;
    this.included = included;
    this.excluded = excluded;
    this.partition = partition;
  }

  /**
   * @param aggregation its name, for messages
   * @param compiled compiles regular expressions
   */
  static TermFilter of(
      @Nullable IncludeExclude given,
      FieldValues values,
      FieldResolver resolver,
      String aggregation,
      Function<IncludeExclude.Patterns, ByteRunAutomaton> compiled) {
    return switch (given) {
      case null -> ALL;
      case IncludeExclude.Partition partition -> new TermFilter(null, null, null, partition);
      case IncludeExclude.Lists lists ->
          new TermFilter(
              null,
              set(lists.include(), values, resolver),
              set(lists.exclude(), values, resolver),
              null);
      case IncludeExclude.Patterns patterns -> {
        boolean plainText =
            values.kind() == FieldValues.Kind.BYTES
                && !(values.format() instanceof ValueFormat.Address);
        if (!plainText) {
          throw new ApiException(
              422,
              "aggregation_execution_exception",
              "Aggregation ["
                  + aggregation
                  + "] cannot support regular expression style include/exclude settings as they"
                  + " can only be applied to string fields. Use an array of values for"
                  + " include/exclude clauses");
        }
        yield new TermFilter(compiled.apply(patterns), null, null, null);
      }
    };
  }

  private static @Nullable Set<Object> set(
      @Nullable List<Object> list, FieldValues values, FieldResolver resolver) {
    if (list == null) {
      return null;
    }
    Set<Object> set = new HashSet<>();
    for (Object item : list) {
      try {
        set.add(resolver.key(values, item));
      } catch (ValueException e) {
        throw new ApiException(e.error());
      }
    }
    return set;
  }

  /** The hash function of OpenSearch, which defines the terms of each partition. */
  private static long mixed(long value) {
    long bits = (value ^ (value >>> 32)) * 0x4cd6944c5cc20b6dL;
    bits = (bits ^ (bits >>> 29)) * 0xfc12c5b19d3259e9L;
    return bits ^ (bits >>> 32);
  }

  boolean isAll() {
    return this == ALL;
  }

  boolean accepts(BytesRef term) {
    if (pattern != null) {
      return pattern.run(term.bytes, term.offset, term.length);
    }
    if (partition != null) {
      int hash = StringHelper.murmurhash3_x86_32(term, PARTITION_SEED);
      return Math.floorMod(hash, partition.partitions()) == partition.partition();
    }
    return (included == null || included.contains(term))
        && (excluded == null || !excluded.contains(term));
  }

  /**
   * @param value an integer, or a decimal's bits
   */
  boolean accepts(long value) {
    if (partition != null) {
      return Math.floorMod(mixed(value), partition.partitions()) == partition.partition();
    }
    return (included == null || included.contains(value))
        && (excluded == null || !excluded.contains(value));
  }
}
