package io.varve.rest.openapi;

import io.varve.rest.RestEndpoint;
import io.varve.rest.RestRequest;
import io.varve.rest.Route;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.springframework.util.function.SingletonSupplier;

/**
 * {@code /openapi.json}: the machine-readable description of this server's endpoints. Created once,
 * on the first request.
 */
public final class OpenApiEndpoint implements RestEndpoint {

  private final Supplier<Map<String, Object>> document;

  private OpenApiEndpoint(Collection<? extends RestEndpoint> others) {
    List<RestEndpoint> all = new ArrayList<>(others);
    all.add(this);
    this.document = SingletonSupplier.of(() -> OpenApiDocument.of(all));
  }

  /** Returns the endpoints and an additional one that describes all of them, including itself. */
  public static List<RestEndpoint> describing(Collection<? extends RestEndpoint> endpoints) {
    List<RestEndpoint> all = new ArrayList<>(endpoints);
    all.add(new OpenApiEndpoint(endpoints));
    return all;
  }

  @Override
  public List<Route> routes() {
    return Route.get("/openapi.json");
  }

  @Override
  public RestAction prepare(RestRequest request) {
    return responder -> responder.json(200, document.get());
  }
}
