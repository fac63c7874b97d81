package io.varve.engine.search;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.search.ShardSearchResult;
import io.varve.search.hits.ShardHit;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Hits found at the end of a field's points are those of a full search. */
class LeadingValuesTest {

  private record Row(String id, int number, Long time, double decimal, Integer few) {
    String json() {
      return "{\"time\":%s,\"decimal\":%s,\"few\":%s,\"color\":\"c%d\",\"order\":%d}"
          .formatted(time, decimal, few, number % 7, number);
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4})
  void hitsAreThoseOfASearchOfAllDocuments(long seed) throws IOException {
    Random random = new Random(seed);
    try (SearchedIndex index =
        new SearchedIndex(
            "{\"properties\":{\"time\":{\"type\":\"date\"},\"few\":{\"type\":\"integer\"},"
                + "\"decimal\":{\"type\":\"scaled_float\",\"scaling_factor\":100},"
                + "\"color\":{\"type\":\"keyword\"},\"order\":{\"type\":\"long\"}}}")) {
      List<Row> rows = rows(random);
      for (Row row : rows) {
        index.add(row.id, row.json());
        if (random.nextInt(2000) == 0) {
          index.segment();
        }
      }
      rows.removeIf(row -> removed(row, random, index));
      for (String order : List.of("asc", "desc")) {
        for (String field : List.of("time", "decimal", "few", "order")) {
          for (int color : new int[] {-1, 3, 100}) {
            assertSame(index, rows, field, order.equals("desc"), color);
          }
        }
      }
    }
  }

  private static List<Row> rows(Random random) {
    List<Row> rows = new ArrayList<>();
    for (int i = 0; i < 6000; i++) {
      rows.add(
          new Row(
              Integer.toString(i),
              i,
              random.nextInt(50) == 0 ? null : 1_700_000_000_000L + i * 10L + random.nextInt(100),
              random.nextInt(100_000) / 100.0,
              random.nextInt(3) == 0 ? null : random.nextInt(4)));
    }
    return rows;
  }

  private static boolean removed(Row row, Random random, SearchedIndex index) {
    // The last ones are deleted, but points still contain them.
    if (random.nextInt(10) > 0 && row.number < 5700) {
      return false;
    }
    try {
      index.delete(row.id);
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
    return true;
  }

  private static void assertSame(
      SearchedIndex index, List<Row> rows, String field, boolean descending, int color) {
    Comparator<Number> plain = Comparator.comparingDouble(Number::doubleValue);
    List<Row> sorted = new ArrayList<>(rows);
    sorted.removeIf(row -> color >= 0 && row.number % 7 != color);
    sorted.sort(
        Comparator.comparing(
                (Row row) -> value(row, field),
                Comparator.nullsLast(descending ? plain.reversed() : plain))
            .thenComparing(Comparator.comparingInt(Row::number).reversed()));
    String query = color < 0 ? "{\"match_all\":{}}" : "{\"term\":{\"color\":\"c" + color + "\"}}";
    ShardSearchResult found =
        index.search(
            "{\"size\":12,\"track_total_hits\":%s,\"query\":%s,\"sort\":[{\"%s\":\"%s\"},{\"order\":\"desc\"}]}"
                .formatted(color == 3 ? "100" : "true", query, field, descending ? "desc" : "asc"));
    assertThat(found.hits())
        .extracting(ShardHit::id)
        .as("%s %s, color %s", field, descending, color)
        .containsExactlyElementsOf(sorted.stream().limit(12).map(Row::id).toList());
    if (color == 3) {
      assertThat(found.total()).isBetween(101L, (long) sorted.size());
      assertThat(found.exact()).isFalse();
    } else {
      assertThat(found.total()).isEqualTo(sorted.size());
    }
  }

  private static Number value(Row row, String field) {
    return switch (field) {
      case "time" -> row.time;
      case "decimal" -> row.decimal;
      case "few" -> row.few;
      default -> row.number;
    };
  }
}
