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
          accepted(
              "index.soft_deletes.enabled", new Only("true"), "deletes are operations of the log"),
          accepted("index.routing_partition_size", new Only("1"), "a routing value is one shard"),
          accepted("index.append_only.enabled", new Only("false"), "every index takes updates"),
          accepted("index.merge.policy", new Only("tiered"), "there is one merge policy"),
          accepted("index.default_pipeline", new Only("_none"), "there are no ingest pipelines"),
          accepted("index.final_pipeline", new Only("_none"), "there are no ingest pipelines"));

  static final List<Setting> WITHOUT_EFFECT =
      List.of(
          accepted(
              "index.translog.durability",
              SettingKinds.words("request", "async", "REQUEST", "ASYNC"),
              "the log is Kafka: a write is acknowledged when the log has it"),
          accepted("index.translog.sync_interval", SettingKinds.ANY_TIME, "the log is Kafka"),
          accepted(
              "index.translog.flush_threshold_size",
              new Bytes(),
              "the log is Kafka; commits follow varve.commit-bytes and varve.commit-millis"),
          accepted("index.translog.generation_threshold_size", new Bytes(), "the log is Kafka"),
          accepted(
              "index.translog.retention.size",
              new Bytes(),
              "the log is Kafka; index.log.retention says what is kept"),
          accepted(
              "index.translog.retention.age",
              SettingKinds.ANY_TIME,
              "the log is Kafka; index.log.retention says what is kept"),
          accepted(
              "index.store.type",
              new Text(),
              "files are always memory-mapped where that is of use"),
          accepted("index.store.preload", new Text(), "the page cache decides what is in memory"),
          accepted(
              "index.merge.scheduler.max_thread_count",
              SettingKinds.POSITIVE,
              "the number of merge threads follows the processors"),
          accepted(
              "index.merge.scheduler.max_merge_count",
              SettingKinds.POSITIVE,
              "the number of merges follows the processors"),
          accepted(
              "index.merge.scheduler.auto_throttle",
              new Flag(),
              "how merges are throttled is not the choice of an index"),
          accepted(
              "index.merge.policy.reclaim_deletes_weight",
              new SettingKind.AtLeast(0),
              "Lucene has no such weight any more; OpenSearch ignores it, too"),
          accepted("index.merge_on_flush.enabled", new Flag(), "merges never hold up a refresh"),
          accepted(
              "index.compound_format",
              new Text(),
              "which segments are compound is Lucene's default"),
          accepted("index.queries.cache.enabled", new Flag(), "the query cache is the node's"),
          accepted(
              "index.search.idle.after",
              SettingKinds.ANY_TIME,
              "a shard that nobody searches is refreshed all the same"),
          accepted("index.search.throttled", new Flag(), "there are no frozen indices"),
          accepted(
              "index.search.default_pipeline", new Only("_none"), "there are no search pipelines"),
          accepted(
              "index.allocation.max_retries",
              SettingKinds.COUNT,
              "a failed place is tried again after a growing pause, without end"),
          accepted(
              "index.priority", SettingKinds.COUNT, "shards recover side by side, in no order"),
          accepted(
              "index.gc_deletes",
              SettingKinds.ANY_TIME,
              "the log orders writes, so deletes need not be remembered for a time"),
          accepted(
              "index.soft_deletes.retention.operations",
              SettingKinds.COUNT,
              "deleted documents are kept by the log, not by segments"),
          accepted(
              "index.max_refresh_listeners",
              SettingKinds.COUNT,
              "waits for a refresh are not limited in number"),
          accepted("index.max_script_fields", SettingKinds.COUNT, "there are no script fields"),
          accepted(
              "index.query_string.lenient",
              new Flag(),
              "a query says itself whether it is lenient"),
          accepted(
              "index.fielddata.cache",
              SettingKinds.words("none", "node"),
              "there is one fielddata cache, the node's"),
          accepted("index.format", SettingKinds.COUNT, "a mark of tools, which nothing reads"),
          accepted(
              "index.queries.cache.everything", new Flag(), "what is cached is decided by use"),
          accepted(
              "index.recovery.initial_shards",
              new Text(),
              "a primary is rebuilt from the log, whatever copies there are"),
          accepted(
              "index.check_pending_flush.enabled", new Flag(), "flushes are not done by writes"),
          accepted(
              "index.unreferenced_file_cleanup.enabled",
              new Flag(),
              "files that no commit names are always deleted"),
          accepted(
              "index.allocation.existing_shards_allocator", new Text(), "there is one allocator"),
          accepted(
              "index.store.fs.fs_lock",
              SettingKinds.words("native", "simple"),
              "folders are always locked natively"),
          accepted(
              "index.store.hybrid.*",
              new Text(),
              "files are always memory-mapped where that is of use"),
          accepted(
              "index.use_compound_file",
              new Flag(),
              "which segments are compound is Lucene's default"),
          accepted(
              "index.search.concurrent_segment_search.enabled",
              new Flag(),
              "deprecated; index.search.concurrent_segment_search.mode decides"),
          accepted("index.optimize_doc_id_lookup.*", new Text(), "look-ups by id need no switch"),
          accepted("index.remote_store.translog.*", new Text(), "the log is Kafka"),
          accepted("index.translog.read_forward", new Flag(), "the log is Kafka"),
          accepted(
              "index.load_fixed_bitset_filters_eagerly",
              new Flag(),
              "bit sets of nested documents are made when they are needed"),
          accepted(
              "index.optimize_auto_generated_id", new Flag(), "generated ids are never looked up"),
          accepted(
              "index.shard.check_on_startup",
              SettingKinds.words("true", "false", "checksum"),
              "files are verified when a start has reason to doubt them"));

  private InertIndexSettings() {}
}
