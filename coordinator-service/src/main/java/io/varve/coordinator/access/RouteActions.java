package io.varve.coordinator.access;

import static io.varve.coordinator.access.RouteAction.anyone;
import static io.varve.coordinator.access.RouteAction.cluster;
import static io.varve.coordinator.access.RouteAction.composite;
import static io.varve.coordinator.access.RouteAction.indices;

import io.varve.rest.Route;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The permissions that each route of the REST dialect requires, in one table, so that they can be
 * reviewed together. A route that is not listed here can't be used while security is on, and fails
 * the build.
 */
public final class RouteActions {

  private static final String ANY = "*";
  private static final String READ = "GET HEAD";
  private static final String GET_POST = "GET POST";

  private final Map<String, RouteAction> byRoute = new HashMap<>();

  public RouteActions() {
    addDocuments();
    addSearches();
    addByQuery();
    addIndices();
    addSettingsAndMappings();
    addAliases();
    addTemplates();
    addMaintenance();
    addCluster();
    addNodesAndTasks();
    addTables();
    addOtherClusters();
    addSecurity();
    addUnsupported();
  }

  private void addDocuments() {
    on("PUT POST", "/{index}/_doc/{id}", indices("indices:data/write/index"));
    on("POST", "/{index}/_doc", indices("indices:data/write/index"));
    on("PUT POST", "/{index}/_create/{id}", indices("indices:data/write/index"));
    on("POST", "/{index}/_update/{id}", indices("indices:data/write/update"));
    on("DELETE", "/{index}/_doc/{id}", indices("indices:data/write/delete"));
    on("PUT POST", "/_bulk /{index}/_bulk", composite("indices:data/write/bulk", BULK_ITEMS));
    on(READ, "/{index}/_doc/{id} /{index}/_source/{id}", indices("indices:data/read/get"));
    on(GET_POST, "/_mget /{index}/_mget", composite("indices:data/read/mget", MGET_ITEMS));
  }

  private static final String BULK_ITEMS = "indices:data/write/bulk[s]";
  private static final String MGET_ITEMS = "indices:data/read/mget[shard]";
  private static final String SEARCH = "indices:data/read/search";

  private void addSearches() {
    on(GET_POST, "/_search /{index}/_search /_count /{index}/_count", indices(SEARCH));
    on(GET_POST, "/{index}/_explain/{id}", indices("indices:data/read/explain"));
    on(GET_POST, "/_msearch /{index}/_msearch", composite("indices:data/read/msearch", SEARCH));
    on(
        GET_POST,
        "/_search/scroll /_search/scroll/{scroll_id}",
        composite("indices:data/read/scroll", SEARCH));
    on(
        "DELETE",
        "/_search/scroll /_search/scroll/{scroll_id}",
        cluster("indices:data/read/scroll/clear"));
    on(
        "POST",
        "/{index}/_search/point_in_time",
        indices("indices:data/read/point_in_time/create", SEARCH));
    on("GET", "/_search/point_in_time/_all", cluster("indices:data/read/point_in_time/readall"));
    on(
        "DELETE",
        "/_search/point_in_time /_search/point_in_time/_all",
        cluster("indices:data/read/point_in_time/delete"));
    on(
        GET_POST,
        "/_search_shards /{index}/_search_shards",
        indices("indices:admin/shards/search_shards"));
    on(
        GET_POST,
        "/_validate/query /{index}/_validate/query",
        indices("indices:admin/validate/query"));
    on(GET_POST, "/_field_caps /{index}/_field_caps", indices("indices:data/read/field_caps"));
    on(GET_POST, "/_analyze", cluster("indices:admin/analyze"));
    on(GET_POST, "/{index}/_analyze", indices("indices:admin/analyze"));
  }

  private void addByQuery() {
    on(
        "POST",
        "/{index}/_delete_by_query",
        indices("indices:data/write/delete/byquery", SEARCH, "indices:data/write/delete"));
    on(
        "POST",
        "/{index}/_update_by_query",
        indices("indices:data/write/update/byquery", SEARCH, "indices:data/write/index"));
    on(
        "POST",
        "/_reindex",
        composite("indices:data/write/reindex", SEARCH, "indices:data/write/index"));
    on("POST", "/{index}/_rereplicate", indices("indices:admin/rereplicate"));
    on(
        "POST",
        "/_delete_by_query/{task_id}/_rethrottle /_update_by_query/{task_id}/_rethrottle"
            + " /_reindex/{task_id}/_rethrottle /_rereplicate/{task_id}/_rethrottle",
        cluster("cluster:admin/reindex/rethrottle"));
  }

  private void addIndices() {
    on("PUT", "/{index}", indices("indices:admin/create"));
    on(READ, "/{index}", indices("indices:admin/get"));
    on("DELETE", "/{index}", indices("indices:admin/delete"));
    on("POST", "/_open /{index}/_open", indices("indices:admin/open"));
    on("POST", "/_close /{index}/_close", indices("indices:admin/close"));
    on("POST", "/{index}/_scale", indices("indices:admin/scale/search_only"));
    on("POST", "/{index}/_revive", indices("indices:admin/revive"));
    on("PUT", "/{index}/_block/{block}", indices("indices:admin/block/add"));
    on(
        "POST",
        "/{index}/_rollover /{index}/_rollover/{new_index}",
        indices("indices:admin/rollover"));
    on(READ, "/_resolve/index/{name}", indices("indices:admin/resolve/index"));
  }

  private void addSettingsAndMappings() {
    on(
        READ,
        "/_mapping /_mappings /{index}/_mapping /{index}/_mappings",
        indices("indices:admin/mappings/get"));
    on("PUT POST", "/{index}/_mapping /{index}/_mappings", indices("indices:admin/mapping/put"));
    on(
        READ,
        "/_mapping/field/{fields} /{index}/_mapping/field/{fields}",
        indices("indices:admin/mappings/fields/get"));
    on(
        READ,
        "/_settings /_settings/{name} /{index}/_settings /{index}/_settings/{name}",
        indices("indices:monitor/settings/get"));
    on("PUT", "/_settings /{index}/_settings", indices("indices:admin/settings/update"));
  }

  private void addAliases() {
    on(
        READ,
        "/_alias /_aliases /_alias/{name} /{index}/_alias /{index}/_alias/{name}",
        indices("indices:admin/aliases/get"));
    on(
        "PUT POST DELETE",
        "/{index}/_alias/{name} /{index}/_aliases/{name} /_alias/{name} /_aliases/{name}"
            + " /{index}/_alias /{index}/_aliases /_alias",
        indices("indices:admin/aliases"));
    on("POST", "/_aliases", indices("indices:admin/aliases"));
  }

  private void addTemplates() {
    template("/_template", "indices:admin/template");
    template("/_index_template", "indices:admin/index_template");
    template("/_component_template", "cluster:admin/component_template");
    on(
        "POST",
        "/_index_template/_simulate_index/{name}",
        cluster("indices:admin/index_template/simulate_index"));
    on(
        "POST",
        "/_index_template/_simulate /_index_template/_simulate/{name}",
        cluster("indices:admin/index_template/simulate"));
  }

  private void template(String path, String action) {
    on(READ, path + " " + path + "/{name}", cluster(action + "/get"));
    on("PUT POST", path + "/{name}", cluster(action + "/put"));
    on("DELETE", path + "/{name}", cluster(action + "/delete"));
  }

  private void addMaintenance() {
    on("POST", "/_forcemerge /{index}/_forcemerge", indices("indices:admin/forcemerge"));
    on("POST", "/{index}/_reencode", indices("indices:admin/reencode"));
    on("POST", "/_cache/clear /{index}/_cache/clear", indices("indices:admin/cache/clear"));
    on(GET_POST, "/_refresh /{index}/_refresh", indices("indices:admin/refresh"));
    on(GET_POST, "/_flush /{index}/_flush", indices("indices:admin/flush"));
    on(
        READ,
        "/_stats /_stats/{metric} /{index}/_stats /{index}/_stats/{metric}",
        indices(INDEX_STATS));
    on(READ, "/_segments /{index}/_segments", indices("indices:monitor/segments"));
    on(READ, "/_recovery /{index}/_recovery", indices("indices:monitor/recovery"));
    on(
        READ,
        "/_remotestore/stats/{index} /_remotestore/stats/{index}/{shard_id}",
        indices("indices:monitor/remote_store/stats"));
    on(
        READ,
        "/_remotestore/metadata/{index} /_remotestore/metadata/{index}/{shard_id}",
        indices("indices:monitor/remote_store/metadata"));
    on("GET", "/_remotestore/_garbage", cluster("cluster:monitor/remotestore/garbage"));
    on("POST", "/_remotestore/_garbage", cluster("cluster:admin/remotestore/garbage"));
    on("POST", "/_remotestore/_restore", cluster("cluster:admin/remotestore/restore"));
  }

  private static final String INDEX_STATS = "indices:monitor/stats";
  private static final String NODES_STATS = "cluster:monitor/nodes/stats";
  private static final String STATE = "cluster:monitor/state";
  private static final String HEALTH = "cluster:monitor/health";

  private void addCluster() {
    on(READ, "/ /openapi.json", cluster("cluster:monitor/main"));
    on(READ, "/_cluster/health /_cluster/health/{index}", cluster(HEALTH));
    on(
        READ,
        "/_cluster/state /_cluster/state/{metric} /_cluster/state/{metric}/{index}",
        cluster(STATE));
    on(READ, "/_cluster/settings", cluster("cluster:monitor/settings"));
    on("PUT", "/_cluster/settings", cluster("cluster:admin/settings/update"));
    on(READ, "/_cluster/stats /_cluster/stats/nodes/{node_id}", cluster("cluster:monitor/stats"));
    on(READ, "/_cluster/pending_tasks", cluster("cluster:monitor/task"));
    on("GET", "/_cluster/feature_level", cluster("cluster:monitor/feature_level"));
    on("POST", "/_cluster/feature_level", cluster("cluster:admin/feature_level"));
    on("POST", "/_cluster/reroute", cluster("cluster:admin/reroute"));
    on(GET_POST, "/_cluster/allocation/explain", cluster("cluster:monitor/allocation/explain"));
    on(READ, "/_prometheus/targets", cluster("cluster:monitor/nodes/info"));
    on(READ, "/_prometheus/metrics/{node_id}", cluster("cluster:monitor/prometheus/metrics"));
  }

  private void addNodesAndTasks() {
    on(
        READ,
        "/_nodes /_nodes/{node_id} /_nodes/{node_id}/{metric}",
        cluster("cluster:monitor/nodes/info"));
    on(
        READ,
        "/_nodes/stats /_nodes/stats/{metric} /_nodes/stats/{metric}/{index_metric}"
            + " /_nodes/{node_id}/stats /_nodes/{node_id}/stats/{metric}"
            + " /_nodes/{node_id}/stats/{metric}/{index_metric}",
        cluster(NODES_STATS));
    on(
        READ,
        "/_nodes/hot_threads /_nodes/{node_id}/hot_threads",
        cluster("cluster:monitor/nodes/hot_threads"));
    on(READ, "/_tasks", cluster("cluster:monitor/tasks/lists"));
    on(READ, "/_tasks/{task_id}", cluster("cluster:monitor/task/get"));
    on("POST", "/_tasks/_cancel /_tasks/{task_id}/_cancel", cluster("cluster:admin/tasks/cancel"));
  }

  private void addTables() {
    on(READ, "/_cat", cluster("cluster:monitor/main"));
    on(READ, "/_cat/health", cluster(HEALTH));
    on(READ, "/_cat/indices /_cat/indices/{index}", indices(INDEX_STATS));
    on(READ, "/_cat/shards /_cat/shards/{index}", indices(INDEX_STATS));
    on(READ, "/_cat/segments /_cat/segments/{index}", indices("indices:monitor/segments"));
    on(READ, "/_cat/recovery /_cat/recovery/{index}", indices("indices:monitor/recovery"));
    on(
        READ,
        "/_cat/segment_replication /_cat/segment_replication/{index}",
        indices("indices:monitor/segment_replication"));
    on(READ, "/_cat/replication /_cat/replication/{index}", indices(INDEX_STATS));
    on(READ, "/_cat/followers /_cat/followers/{index}", indices(FOLLOWERS + "index/stats"));
    on(READ, "/_cat/count /_cat/count/{index}", indices(SEARCH));
    on(READ, "/_cat/aliases /_cat/aliases/{name}", indices("indices:admin/aliases/get"));
    on(READ, "/_cat/templates /_cat/templates/{name}", cluster("indices:admin/index_template/get"));
    on(
        READ,
        "/_cat/nodes /_cat/master /_cat/cluster_manager /_cat/nodeattrs /_cat/plugins",
        cluster("cluster:monitor/nodes/info"));
    on(
        READ,
        "/_cat/allocation /_cat/allocation/{node_id} /_cat/fielddata /_cat/fielddata/{fields}"
            + " /_cat/thread_pool /_cat/thread_pool/{thread_pool_patterns}",
        cluster(NODES_STATS));
    on(READ, "/_cat/tasks", cluster("cluster:monitor/tasks/lists"));
    on(READ, "/_cat/pending_tasks", cluster("cluster:monitor/task"));
    on(
        READ,
        "/_cat/repositories /_cat/snapshots /_cat/snapshots/{repository}",
        cluster("cluster:monitor/main"));
  }

  private static final String FOLLOW = "indices:admin/plugins/replication/index/";
  private static final String AUTO_FOLLOW = "cluster:admin/plugins/replication/autofollow/";
  private static final String FOLLOWERS = "indices:monitor/plugins/replication/";

  private void addOtherClusters() {
    on("PUT", "/{index}/_ccr/follow", indices(FOLLOW + "start"));
    on("PUT", "/_plugins/_replication/{index}/_start", indices(FOLLOW + "start"));
    follow("pause_follow", "_pause", "pause");
    follow("resume_follow", "_resume", "resume");
    follow("unfollow", "_stop", "stop");
    on("PUT", "/_plugins/_replication/{index}/_update", indices(FOLLOW + "update"));
    on("POST", "/{index}/_ccr/failback", indices(FOLLOW + "failback"));
    on("POST", "/{index}/_ccr/skip_operation", indices(FOLLOW + "skip_operation"));
    on("POST", "/{index}/_ccr/forget_follower", indices(FOLLOW + "forget_follower"));
    on(READ, "/{index}/_ccr/info", indices(FOLLOWERS + "index/info"));
    on(READ, "/_ccr/stats /{index}/_ccr/stats", indices(FOLLOWERS + "index/stats"));
    on(READ, "/_plugins/_replication/{index}/_status", indices(FOLLOWERS + "index/status_check"));
    on(
        READ,
        "/_plugins/_replication/leader_stats /_plugins/_replication/follower_stats"
            + " /_plugins/_replication/autofollow_stats",
        cluster("cluster:monitor/plugins/replication/stats"));
    on("PUT DELETE", "/_ccr/auto_follow/{name}", cluster(AUTO_FOLLOW + "update"));
    on(
        "POST",
        "/_ccr/auto_follow/{name}/pause /_ccr/auto_follow/{name}/resume",
        cluster(AUTO_FOLLOW + "update"));
    on("POST DELETE", "/_plugins/_replication/_autofollow", cluster(AUTO_FOLLOW + "update"));
    on(
        READ,
        "/_ccr/auto_follow /_ccr/auto_follow/{name}",
        cluster("cluster:monitor/plugins/replication/autofollow/get"));
    on(READ, "/_license", cluster("cluster:monitor/main"));
    on(READ, "/_remote/info", cluster("cluster:monitor/remote/info"));
  }

  private void follow(String path, String pluginPath, String action) {
    on("POST", "/{index}/_ccr/" + path, indices(FOLLOW + action));
    on("POST", "/_plugins/_replication/{index}/" + pluginPath, indices(FOLLOW + action));
  }

  private static final String API = "/_plugins/_security/api/";

  private void addSecurity() {
    for (String kind : Set.of("internalusers", "roles", "rolesmapping")) {
      on(
          "GET PUT DELETE PATCH",
          API + kind + " " + API + kind + "/{name}",
          cluster("restapi:admin/" + kind));
    }
    on("GET", "/_plugins/_security/authinfo", anyone("cluster:monitor/security/authinfo"));
    on("GET PUT", API + "account", anyone("cluster:admin/security/account"));
    on("GET PUT POST DELETE", "/_security/api_key", anyone("cluster:admin/security/api_key"));
  }

  private void addUnsupported() {
    on(
        ANY,
        "/{index}/_shrink/{target} /{index}/_split/{target} /{index}/_clone/{target}"
            + " /_data_stream/{name} /_data_stream/{name}/_stats"
            + " /_data_stream/_stats /_snapshot/{repository}"
            + " /_snapshot/{repository}/{snapshot} /_snapshot/_status"
            + " /_snapshot/{repository}/{snapshot}/_status /_snapshot/{repository}/_verify"
            + " /_snapshot/{repository}/_cleanup /_snapshot/{repository}/{snapshot}/_restore"
            + " /_dangling/{index_uuid} /_upgrade /{index}/_upgrade /_shard_stores"
            + " /{index}/_shard_stores /_ingest/pipeline/{id}"
            + " /_ingest/pipeline/_simulate /_ingest/pipeline/{id}/_simulate"
            + " /_ingest/processor/grok /_search/pipeline/{id} /_scripts/{id}"
            + " /_scripts/{id}/{context} /_scripts/painless/_execute /_search/template"
            + " /{index}/_search/template /_msearch/template /{index}/_msearch/template"
            + " /_render/template /_render/template/{id}"
            + " /_plugins/_ism/policies/{id} /_plugins/_ism/add/{index}"
            + " /_plugins/_ism/remove/{index} /_plugins/_ism/explain/{index}",
        anyone("cluster:monitor/unsupported"));
  }

  private void on(String methods, String templates, RouteAction action) {
    for (String template : templates.split(" ", -1)) {
      for (String method : methods.split(" ", -1)) {
        if (byRoute.put(method + " " + template, action) != null) {
          throw new IllegalStateException("[" + method + " " + template + "] is listed twice");
        }
      }
    }
  }

  /** The permissions that the route requires; empty for one that is not listed. */
  public Optional<RouteAction> of(Route route) {
    RouteAction exact = byRoute.get(route.method() + " " + route.template());
    return Optional.ofNullable(exact == null ? byRoute.get(ANY + " " + route.template()) : exact);
  }

  /** The listed routes, as {@code METHOD /template}. */
  public Set<String> routes() {
    return Set.copyOf(byRoute.keySet());
  }
}
