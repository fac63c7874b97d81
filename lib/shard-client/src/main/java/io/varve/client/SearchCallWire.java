package io.varve.client;

import io.varve.client.SearchCall.Step;
import io.varve.rpc.SearchCallHeaders;
import io.varve.search.Slice;
import java.util.LinkedHashMap;
import java.util.Map;

/** The headers of a {@link SearchCall}. */
final class SearchCallWire {

  private SearchCallWire() {}

  static Map<String, String> headers(SearchCall call) {
    Map<String, String> headers = new LinkedHashMap<>(call.demand().headers());
    SearchCall.Context context = call.context();
    if (context != null) {
      headers.put(SearchCallHeaders.CONTEXT, context.id());
      headers.put(SearchCallHeaders.KEEP_ALIVE, Long.toString(context.keepAliveMillis()));
    }
    Slice.Share.Part part = call.part();
    if (part != null) {
      headers.put(
          SearchCallHeaders.PART,
          part.id() + "/" + part.max() + (part.field() == null ? "" : "/" + part.field()));
    }
    headers.put(SearchCallHeaders.ORDINAL, Integer.toString(call.ordinal()));
    if (call.bounds().timeoutMillis() > 0) {
      headers.put(SearchCallHeaders.TIMEOUT, Long.toString(call.bounds().timeoutMillis()));
    }
    CallTerms.Trial trial = call.terms().trial();
    if (trial != null) {
      headers.put(SearchCallHeaders.ATTEMPT, trial.id());
      headers.put(SearchCallHeaders.EXPECTED, Long.toString(trial.expectedNanos()));
    }
    if (call.bounds().task() != null) {
      headers.put(SearchCallHeaders.TASK, call.bounds().task());
    }
    if (call.step() instanceof Step.Once(boolean cached) && cached) {
      headers.put(SearchCallHeaders.CACHED, "true");
    }
    if (call.step() instanceof Step.OpenPit(long openedMillis)) {
      headers.put(SearchCallHeaders.OPENED, Long.toString(openedMillis));
    }
    if (takesAll(call.step())) {
      headers.put(SearchCallHeaders.READ, "true");
    }
    return headers;
  }

  private static boolean takesAll(Step step) {
    return switch (step) {
      case Step.OpenScroll(boolean all) -> all;
      case Step.NextPage(boolean all) -> all;
      default -> false;
    };
  }
}
