package io.varve.coordinator.audit;

import io.varve.rest.RestMethod;
import java.util.Set;

/** The actions that change security, indices or settings. */
public final class AuditedActions {

  private static final String CLUSTER = "cluster:admin/";
  private static final String INDICES = "indices:admin/";
  private static final String SECURITY = "restapi:admin/";

  /** Administrative actions that change neither, whatever their method. */
  private static final Set<String> OTHERS =
      Set.of(
          "cluster:admin/tasks/cancel",
          "cluster:admin/reindex/rethrottle",
          "indices:admin/analyze",
          "indices:admin/cache/clear",
          "indices:admin/flush",
          "indices:admin/forcemerge",
          "indices:admin/index_template/simulate",
          "indices:admin/index_template/simulate_index",
          "indices:admin/refresh",
          "indices:admin/shards/search_shards",
          "indices:admin/validate/query");

  private AuditedActions() {}

  /**
   * @param action OpenSearch's name
   */
  public static boolean isChange(RestMethod method, String action) {
    return method != RestMethod.GET
        && method != RestMethod.HEAD
        && (action.startsWith(CLUSTER) || action.startsWith(INDICES) || action.startsWith(SECURITY))
        && !OTHERS.contains(action);
  }
}
