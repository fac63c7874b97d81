package io.varve.coordinator.rest.cat;

import io.varve.coordinator.rest.IndexOptions;
import io.varve.rest.RestEndpoint;
import io.varve.rest.RestRequest;
import io.varve.rest.Route;
import io.varve.rest.TaskKind;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One table of the {@code _cat} family under its paths. */
final class CatEndpoint implements RestEndpoint {

  /**
   * What a table is made of.
   *
   * @param expression the indices that the path names; {@code null} for all
   */
  record Question(@Nullable String expression, RestRequest request) {

    /** Whether wildcards are to find what is hidden. */
    boolean asksForHidden() {
      return request.list("expand_wildcards").stream()
          .anyMatch(word -> word.equals("hidden") || word.equals("all"));
    }

    /** How the expression is read. */
    IndexOptions options(IndexOptions defaults) {
      return IndexOptions.of(request, defaults);
    }
  }

  /** Reads the parameters of its own, then gives what makes the table. */
  @FunctionalInterface
  interface Source {
    Maker prepare(Question question);
  }

  /** Makes the table. */
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
   * @param task what making the table is as a task, null when it is too short to be seen
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
    // The state is here, whether it is asked of this node alone or not.
    request.flag("local", false);
    request.clusterManagerTimeout();
    request.time("timeout", Duration.ofSeconds(30));
    Question question = new Question(request.param("index"), request);
    Maker maker = source.prepare(question);
    RestAction action = responder -> view.show(maker.make(), responder);
    return task == null ? action : RestAction.task(task, action);
  }
}
