package io.varve.standalone;

import io.varve.http.internal.InternalEndpoints;
import io.varve.http.security.InternalConnector;
import java.util.ArrayList;
import java.util.List;
import org.springframework.boot.web.server.servlet.context.ServletWebServerApplicationContext;
import org.springframework.web.bind.annotation.RequestMethod;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerMapping;

/** All operations of all processes of a standalone that other processes may call. */
final class InternalInventory {

  /**
   * An operation.
   *
   * @param port of the process, for other processes
   */
  record Operation(int port, String method, String path) {}

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
                          new Operation(port, route.method(), path(route.template(), indexUuid)))));
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
                                          new Operation(
                                              port, method, path(template, indexUuid)))))));
    }
    return operations;
  }

  private static String path(String template, String indexUuid) {
    return template
        .replace("{index}", indexUuid)
        .replace("{number}", "0")
        .replaceAll("[{][^}]*[}]", "x");
  }
}
