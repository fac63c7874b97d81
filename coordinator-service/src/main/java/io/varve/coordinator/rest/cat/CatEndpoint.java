package io.varve.coordinator.rest.cat;

import io.varve.coordinator.rest.IndexOptions;
import io.varve.rest.RestEndpoint;
import io.varve.rest.RestRequest;
import io.varve.rest.Route;
import io.varve.rest.TaskKind;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The endpoint of one {@code _cat} table. */
final class CatEndpoint implements RestEndpoint {

  /**
   * The request for a table.
   *
   * @param expression the indices that the path names; {@code null} for all
   */
  record Question(@Nullable String expression, RestRequest request) {

    /** Whether wildcards match hidden indices. */
    boolean asksForHidden() {
      return request.list("expand_wildcards").stream()
          .anyMatch(word -> word.equals("hidden") || word.equals("all"));
    }

    /** Returns the options for resolving the expression. */
    IndexOptions options(IndexOptions defaults) {
      return IndexOptions.of(request, defaults);
    }
  }

  /** Reads the table's own parameters and returns the builder of the table. */
  @FunctionalInterface
  interface Source {
    Maker prepare(Question question);
  }

  /** Builds the table. */
  @FunctionalInterface
  interface Maker {
    CatTable make() throws InterruptedException;
  }

  private final String[] paths;
  private final Source source;
  private final @Nullable TaskKind task;

  CatEndpoint(Source source, String... paths) {
    this(source, null, paths);
  }

  /**
   * @param task describes the building of the table as a task; null if it is too short to be listed
   */
  CatEndpoint(Source source, @Nullable TaskKind task, String... paths) {
    this.source = source;
    this.task = task;
    this.paths = paths;
  }

  @Override
  public List<Route> routes() {
    return Route.get(paths);
  }

  @Override
  public RestAction prepare(RestRequest request) {
    CatView view = CatView.of(request);
    // {@code local} has no effect: every coordinator has the cluster state.
    request.flag("local", false);
    request.clusterManagerTimeout();
    request.time("timeout", Duration.ofSeconds(30));
    Question question = new Question(request.param("index"), request);
    Maker maker = source.prepare(question);
    RestAction action = responder -> view.show(maker.make(), responder);
    return task == null ? action : RestAction.task(task, action);
  }
}
