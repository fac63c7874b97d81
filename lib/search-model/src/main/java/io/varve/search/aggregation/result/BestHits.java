package io.varve.search.aggregation.result;

import io.varve.search.aggregation.partial.HitsPartial;
import io.varve.search.aggregation.partial.HitsPartial.Found;
import io.varve.search.hits.HitsWriter;
import io.varve.search.hits.IndexHit;
import io.varve.search.hits.SearchHits;
import io.varve.search.hits.SortValueOrder;
import io.varve.search.query.HitsRequest;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** The final reduce of {@code top_hits}: sorts the hits by the order of their request. */
public final class BestHits {

  private BestHits() {}

  /** Drops hits beyond the end of the page. */
  public static HitsPartial cut(HitsPartial all, HitsRequest request) {
    long end = (long) request.page().from() + request.page().size();
    List<Found> sorted = new ArrayList<>(all.hits());
    sorted.sort(order(request));
    return new HitsPartial(
        all.total(), all.maxScore(), sorted.size() <= end ? sorted : sorted.subList(0, (int) end));
  }

  private static Comparator<Found> order(HitsRequest request) {
    Comparator<Found> byPlace = Comparator.comparingLong(Found::place);
    if (request.sortedByScore()) {
      return Comparator.<Found>comparingDouble(found -> -found.hit().score())
          .thenComparing(byPlace);
    }
    SortValueOrder values = new SortValueOrder(request.sort());
    return Comparator.<Found, List<?>>comparing(
            found -> found.hit().sortValues(),
            (a, b) -> values.compare(new ArrayList<>(a), new ArrayList<>(b)))
        .thenComparing(byPlace);
  }

  static Result finish(HitsPartial partial, HitsRequest request) {
    List<IndexHit> page = new ArrayList<>();
    List<Found> best = cut(partial, request).hits();
    for (Found found : best.subList(Math.min(best.size(), request.page().from()), best.size())) {
      page.add(new IndexHit(found.index(), (int) (found.place() >>> 32), "", found.hit()));
    }
    SearchHits found = new SearchHits(partial.total(), true, partial.maxScore(), page);
    return new Result.Hits(
        "top_hits",
        (totalAsNumber, json) -> {
          ByteArrayOutputStream bytes = new ByteArrayOutputStream(1024);
          try {
            new HitsWriter(request, totalAsNumber).write(found, bytes);
          } catch (IOException e) {
            throw new UncheckedIOException("writing to memory", e);
          }
          json.writeName("hits");
          json.writeRawValue(bytes.toString(StandardCharsets.UTF_8));
        });
  }
}
