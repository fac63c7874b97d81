package io.varve.cluster;

import static io.varve.cluster.Setting.accepted;

import io.varve.cluster.SettingKind.Bytes;
import io.varve.cluster.SettingKind.Flag;
import io.varve.cluster.SettingKind.Only;
import io.varve.cluster.SettingKind.Text;
import java.util.List;

/**
 * OpenSearch index settings without effect in Varve. Clients and templates send them, so they are
 * validated, stored and shown.
 */
final class InertIndexSettings {

  /**
   * A choice that Varve doesn't offer: only the value that describes Varve's behaviour is accepted.
   */
  static final List<Setting> DECIDED =
      List.of(
          accepted(
              "index.soft_deletes.enabled", new Only("true"), "deletes are operations in the log"),
          accepted(
              "index.routing_partition_size", new Only("1"), "a routing value selects one shard"),
          accepted("index.append_only.enabled", new Only("false"), "every index accepts updates"),
          accepted("index.merge.policy", new Only("tiered"), "there is one merge policy")
              .notReplicated(),
          accepted("index.default_pipeline", new Only("_none"), "there are no ingest pipelines")
              .notReplicated(),
          accepted("index.final_pipeline", new Only("_none"), "there are no ingest pipelines")
              .notReplicated());

  static final List<Setting> WITHOUT_EFFECT =
      List.of(
          accepted(
                  "index.translog.durability",
                  SettingKinds.words("request", "async", "REQUEST", "ASYNC"),
                  "the log is Kafka: a write is acknowledged when the log has it")
              .notReplicated(),
          accepted("index.translog.sync_interval", SettingKinds.ANY_TIME, "the log is Kafka")
              .notReplicated(),
          accepted(
                  "index.translog.flush_threshold_size",
                  new Bytes(),
                  "the log is Kafka; commits follow varve.commit-bytes and varve.commit-millis")
              .notReplicated(),
          accepted("index.translog.generation_threshold_size", new Bytes(), "the log is Kafka")
              .notReplicated(),
          accepted(
                  "index.translog.retention.size",
                  new Bytes(),
                  "the log is Kafka; index.log.retention says what is kept")
              .notReplicated(),
          accepted(
                  "index.translog.retention.age",
                  SettingKinds.ANY_TIME,
                  "the log is Kafka; index.log.retention says what is kept")
              .notReplicated(),
          accepted(
                  "index.store.type", new Text(), "files are always memory-mapped where that helps")
              .notReplicated(),
          accepted("index.store.preload", new Text(), "the operating system's page cache decides")
              .notReplicated(),
          accepted(
                  "index.merge.scheduler.max_thread_count",
                  SettingKinds.POSITIVE,
                  "the number of merge threads follows the processors")
              .notReplicated(),
          accepted(
                  "index.merge.scheduler.max_merge_count",
                  SettingKinds.POSITIVE,
                  "the number of merges follows the processors")
              .notReplicated(),
          accepted(
                  "index.merge.scheduler.auto_throttle",
                  new Flag(),
                  "merge throttling is not configured per index")
              .notReplicated(),
          accepted(
                  "index.merge.policy.reclaim_deletes_weight",
                  new SettingKind.AtLeast(0),
                  "Lucene has removed this weight; OpenSearch ignores it, too")
              .notReplicated(),
          accepted("index.merge_on_flush.enabled", new Flag(), "a refresh never waits for merges")
              .notReplicated(),
          accepted(
                  "index.compound_format",
                  new Text(),
                  "Lucene's default decides which segments use compound files")
              .notReplicated(),
          accepted("index.queries.cache.enabled", new Flag(), "the query cache is the node's")
              .notReplicated(),
          accepted("index.search.throttled", new Flag(), "there are no frozen indices")
              .notReplicated(),
          accepted(
                  "index.search.default_pipeline",
                  new Only("_none"),
                  "there are no search pipelines")
              .notReplicated(),
          accepted(
                  "index.allocation.max_retries",
                  SettingKinds.COUNT,
                  "failed allocations are retried without limit, with exponential back-off")
              .notReplicated(),
          accepted(
                  "index.priority",
                  SettingKinds.COUNT,
                  "shards recover concurrently, without an order")
              .notReplicated(),
          accepted(
                  "index.gc_deletes",
                  SettingKinds.ANY_TIME,
                  "the log orders writes, so tombstones need no grace period")
              .notReplicated(),
          accepted(
                  "index.soft_deletes.retention.operations",
                  SettingKinds.COUNT,
                  "deleted documents are kept by the log, not by segments")
              .notReplicated(),
          accepted(
                  "index.max_refresh_listeners",
                  SettingKinds.COUNT,
                  "waits for a refresh are not limited in number")
              .notReplicated(),
          accepted("index.max_script_fields", SettingKinds.COUNT, "there are no script fields")
              .notReplicated(),
          accepted("index.query_string.lenient", new Flag(), "leniency is an option of each query")
              .notReplicated(),
          accepted(
                  "index.fielddata.cache",
                  SettingKinds.words("none", "node"),
                  "there is one fielddata cache, the node's")
              .notReplicated(),
          accepted("index.format", SettingKinds.COUNT, "written by tools; not used"),
          accepted("index.queries.cache.everything", new Flag(), "the query cache decides by usage")
              .notReplicated(),
          accepted(
                  "index.recovery.initial_shards",
                  new Text(),
                  "a primary is rebuilt from the log, regardless of other copies")
              .notReplicated(),
          accepted("index.check_pending_flush.enabled", new Flag(), "writes do not trigger flushes")
              .notReplicated(),
          accepted(
                  "index.unreferenced_file_cleanup.enabled",
                  new Flag(),
                  "files that no commit references are always deleted")
              .notReplicated(),
          accepted(
                  "index.allocation.existing_shards_allocator",
                  new Text(),
                  "there is one allocator")
              .notReplicated(),
          accepted(
                  "index.store.fs.fs_lock",
                  SettingKinds.words("native", "simple"),
                  "folders are always locked natively")
              .notReplicated(),
          accepted(
                  "index.store.hybrid.*",
                  new Text(),
                  "files are always memory-mapped where that helps")
              .notReplicated(),
          accepted(
                  "index.use_compound_file",
                  new Flag(),
                  "Lucene's default decides which segments use compound files")
              .notReplicated(),
          accepted(
                  "index.search.concurrent_segment_search.enabled",
                  new Flag(),
                  "deprecated; index.search.concurrent_segment_search.mode decides")
              .notReplicated(),
          accepted(
                  "index.optimize_doc_id_lookup.*",
                  new Text(),
                  "lookups by id are always optimized")
              .notReplicated(),
          accepted("index.remote_store.translog.*", new Text(), "the log is Kafka").notReplicated(),
          accepted("index.translog.read_forward", new Flag(), "the log is Kafka").notReplicated(),
          accepted(
                  "index.load_fixed_bitset_filters_eagerly",
                  new Flag(),
                  "bit sets of nested documents are loaded on demand")
              .notReplicated(),
          accepted(
                  "index.optimize_auto_generated_id",
                  new Flag(),
                  "writes with generated ids never look up the id")
              .notReplicated(),
          accepted(
                  "index.shard.check_on_startup",
                  SettingKinds.words("true", "false", "checksum"),
                  "files are verified at startup when corruption is suspected")
              .notReplicated());

  private InertIndexSettings() {}
}
