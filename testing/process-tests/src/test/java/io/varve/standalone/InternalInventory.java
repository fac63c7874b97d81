package io.varve.standalone;

import io.varve.http.internal.InternalEndpoints;
import io.varve.http.security.InternalConnector;
import io.varve.tls.ServiceKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.springframework.boot.web.server.servlet.context.ServletWebServerApplicationContext;
import org.springframework.web.bind.annotation.RequestMethod;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerMapping;

/** All operations of all processes of a standalone that other processes may call. */
final class InternalInventory {

  /**
   * An operation.
   *
   * @param port of the process, for other processes
   * @param template of the path
   */
  record Operation(int port, String method, String template, String path) {

    /** Whether a process of this service may call it, by the list of this test. */
    boolean isFor(ServiceKind service) {
      String name = method + " " + template.replace("/{rest}", "").replaceFirst("^/_internal/", "");
      return ALLOWED.getOrDefault(service, Set.of()).contains(name.replace(SHARD, ""));
    }
  }

  private static final String SHARD = "shards/{index}/{number}/";
  private static final Set<String> OF_COPIES =
      Set.of(
          "POST cluster/copies/started",
          "POST cluster/copies/failed",
          "POST cluster/terms",
          "POST cluster/mappings",
          "POST cluster/leases/over-limit",
          "POST cluster/followers/lost",
          "GET snapshots",
          "GET files",
          "GET bundle",
          "GET durable",
          "GET folders/{index}/{number}",
          "POST admit",
          "POST refresh",
          "POST merged",
          "POST holds",
          "POST contradicted",
          "POST digest",
          "POST versions",
          "POST check-files",
          "DELETE snapshots",
          "DELETE merged");

  /** Written again instead of read from the rules: a rule that opens more is to be noticed here. */
  private static final Map<ServiceKind, Set<String>> ALLOWED =
      Map.of(
          ServiceKind.SHARD_SERVICE,
          OF_COPIES,
          ServiceKind.REPLICATION_SERVICE,
          OF_COPIES,
          ServiceKind.CCR_FOLLOWER,
          Set.of(
              "POST cluster/mappings",
              "POST cluster/followers/lost",
              "GET ccr-cursor",
              "GET ccr-bootstrap",
              "POST replicate",
              "POST ccr-bootstrap"),
          ServiceKind.CONSUMER,
          Set.of("GET snapshots", "GET files", "GET bundle", "DELETE snapshots"));

  private InternalInventory() {}

  /**
   * @param indexUuid whose first shard is named by the paths of shards
   */
  static List<Operation> of(Standalone standalone, String indexUuid) {
    List<Operation> operations = new ArrayList<>();
    for (ServletWebServerApplicationContext service : standalone.services()) {
      int port = service.getBean(InternalConnector.class).port();
      service
          .getBeansOfType(InternalEndpoints.class)
          .values()
          .forEach(endpoints ->
              endpoints
                  .routes()
                  .forEach(route ->
                      operations.add(
                          operation(port, route.method(), route.template(), indexUuid))));
      service
          .getBeansOfType(RequestMappingHandlerMapping.class)
          .values()
          .forEach(mapping ->
              mapping
                  .getHandlerMethods()
                  .keySet()
                  .forEach(mapped ->
                      mapped.getPatternValues().stream()
                          .filter(template -> template.startsWith("/_internal/"))
                          .forEach(template ->
                              mapped.getMethodsCondition().getMethods().stream()
                                  .map(RequestMethod::name)
                                  .forEach(method ->
                                      operations.add(
                                          operation(port, method, template, indexUuid))))));
    }
    return operations;
  }

  private static Operation operation(int port, String method, String template, String indexUuid) {
    return new Operation(port, method, template, path(template, indexUuid));
  }

  private static String path(String template, String indexUuid) {
    return template
        .replace("{index}", indexUuid)
        .replace("{number}", "0")
        .replaceAll("[{][^}]*[}]", "x");
  }
}
