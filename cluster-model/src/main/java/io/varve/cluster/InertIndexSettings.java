package io.varve.cluster;

import static io.varve.cluster.Setting.accepted;

import io.varve.cluster.SettingKind.Bytes;
import io.varve.cluster.SettingKind.Flag;
import io.varve.cluster.SettingKind.Only;
import io.varve.cluster.SettingKind.Text;
import java.util.List;

/**
 * Settings of an OpenSearch index by which nothing changes here. Clients and templates send them,
 * so they are checked, kept and shown, never refused for being there.
 */
final class InertIndexSettings {

  /** A choice that Varve doesn't offer: refused unless it asks for what is so anyway. */
  static final List<Setting> DECIDED =
      List.of(
          accepted("index.soft_deletes.enabled", new Only("true")),
          accepted("index.routing_partition_size", new Only("1")),
          accepted("index.append_only.enabled", new Only("false")),
          accepted("index.default_pipeline", new Only("_none")),
          accepted("index.final_pipeline", new Only("_none")));

  static final List<Setting> WITHOUT_EFFECT =
      List.of(
          accepted(
              "index.translog.durability",
              SettingKinds.words("request", "async", "REQUEST", "ASYNC")),
          accepted("index.translog.sync_interval", SettingKinds.ANY_TIME),
          accepted("index.translog.flush_threshold_size", new Bytes()),
          accepted("index.translog.generation_threshold_size", new Bytes()),
          accepted("index.translog.retention.size", new Bytes()),
          accepted("index.translog.retention.age", SettingKinds.ANY_TIME),
          accepted("index.store.type", new Text()),
          accepted("index.store.preload", new Text()),
          accepted("index.merge.scheduler.max_thread_count", SettingKinds.POSITIVE),
          accepted("index.merge.scheduler.max_merge_count", SettingKinds.POSITIVE),
          accepted("index.merge.scheduler.auto_throttle", new Flag()),
          accepted("index.merge.policy", new Text()),
          accepted("index.merge.policy.*", new Text()),
          accepted("index.merge.log_byte_size_policy.*", new Text()),
          accepted("index.merge_on_flush.enabled", new Flag()),
          accepted("index.compound_format", new Text()),
          accepted("index.queries.cache.enabled", new Flag()),
          accepted("index.search.idle.after", SettingKinds.ANY_TIME),
          accepted("index.search.throttled", new Flag()),
          accepted("index.search.default_pipeline", new Only("_none")),
          accepted("index.search.slowlog.*", new Text()),
          accepted("index.indexing.slowlog.*", new Text()),
          accepted("index.allocation.max_retries", SettingKinds.COUNT),
          accepted("index.priority", SettingKinds.COUNT),
          accepted("index.gc_deletes", SettingKinds.ANY_TIME),
          accepted("index.soft_deletes.retention.operations", SettingKinds.COUNT),
          accepted("index.max_refresh_listeners", SettingKinds.COUNT),
          accepted("index.max_script_fields", SettingKinds.COUNT),
          accepted("index.query_string.lenient", new Flag()),
          accepted("index.max_adjacency_matrix_filters", SettingKinds.POSITIVE),
          accepted("index.fielddata.cache", SettingKinds.words("none", "node")),
          accepted("index.format", SettingKinds.COUNT),
          accepted("index.queries.cache.everything", new Flag()),
          accepted("index.recovery.initial_shards", new Text()),
          accepted("index.check_pending_flush.enabled", new Flag()),
          accepted("index.unreferenced_file_cleanup.enabled", new Flag()),
          accepted("index.allocation.existing_shards_allocator", new Text()),
          accepted("index.store.fs.fs_lock", SettingKinds.words("native", "simple")),
          accepted("index.store.hybrid.*", new Text()),
          accepted("index.use_compound_file", new Flag()),
          accepted("index.search.concurrent_segment_search.enabled", new Flag()),
          accepted("index.optimize_doc_id_lookup.*", new Text()),
          accepted("index.remote_store.translog.*", new Text()),
          accepted("index.translog.read_forward", new Flag()),
          accepted("index.load_fixed_bitset_filters_eagerly", new Flag()),
          accepted("index.optimize_auto_generated_id", new Flag()),
          accepted(
              "index.shard.check_on_startup", SettingKinds.words("true", "false", "checksum")));

  private InertIndexSettings() {}
}
