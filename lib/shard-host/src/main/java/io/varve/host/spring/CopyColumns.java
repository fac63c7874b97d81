package io.varve.host.spring;

import io.varve.metrics.Metric;
import io.varve.metrics.RowMeters.Column;
import io.varve.rpc.CopyStats;
import java.util.List;
import java.util.function.ToDoubleFunction;

/** The metrics of each copy that can be read. */
final class CopyColumns {

  private static final double MILLIS_PER_SECOND = 1000;

  static final Metric APPLIED =
      gauge(
          "varve.copy.applied.seq.no",
          "Highest sequence number up to which all operations are applied; -1 for none");
  static final Metric VISIBLE =
      gauge(
          "varve.copy.visible.seq.no",
          "Highest sequence number up to which all operations are visible to searches; -1 for none");
  static final Metric LAG =
      gauge(
          "varve.copy.lag.seconds",
          "Age of the oldest manifest or operation that the copy knows and does not show; 0 when it"
              + " is current");
  static final Metric BYTES_BEHIND =
      gauge(
          "varve.copy.behind.bytes",
          "Size of the files of the newest manifest that this copy lacks");
  static final Metric CHECKPOINTS_BEHIND =
      gauge(
          "varve.copy.checkpoints.behind", "Published manifests that this copy does not show yet");
  static final Metric DOCS = gauge("varve.copy.docs", "Live documents that searches see");
  static final Metric SEGMENTS = gauge("varve.copy.segments", "Lucene segments");
  static final Metric STORE_BYTES = gauge("varve.copy.store.bytes", "Size on disk");
  static final Metric UNCOMMITTED =
      gauge("varve.copy.uncommitted.operations", "Operations that a restart would replay");
  static final Metric FETCHED_BYTES =
      counter("varve.copy.fetched.bytes", "Bytes of files that a SEGMENT replica fetched");
  static final Metric FETCHED_FILES =
      counter("varve.copy.fetched.files", "Files that a SEGMENT replica fetched");
  static final Metric FROM_PRIMARY =
      counter("varve.copy.fetched.primary.bytes", "Fetched bytes that came from the primary");
  static final Metric FROM_REPLICA =
      counter("varve.copy.fetched.replica.bytes", "Fetched bytes that came from another replica");
  static final Metric FROM_STORE =
      counter("varve.copy.fetched.store.bytes", "Fetched bytes that came from the segment store");
  static final Metric AHEAD =
      counter(
          "varve.copy.fetched.ahead.bytes",
          "Merged segments fetched before a manifest named them; not part of"
              + " `varve_copy_fetched_bytes_total`");
  static final Metric OPENING =
      counter(
          "varve.copy.fetched.opening.bytes",
          "Bytes that searches read remotely before the copy had fetched the file, which fetches"
              + " them again");
  static final Metric LINKED =
      counter(
          "varve.copy.linked.bytes",
          "Files that were hard-linked instead of copied (`varve.replication.hard-links`)");
  static final Metric SENT =
      counter("varve.copy.sent.bytes", "Segment files that other copies read from this one");
  static final Metric SENT_WIRE =
      counter(
          "varve.copy.sent.wire.bytes",
          "The bytes that other copies read, after compression, as sent over the network");
  static final Metric WRITES =
      counter(
          "varve.write.operations", "Index operations applied here; always 0 on a SEGMENT replica");
  static final Metric DELETES =
      counter(
          "varve.write.deletes", "Delete operations applied here; always 0 on a SEGMENT replica");
  static final Metric WRITE_TIME =
      counter("varve.write.seconds", "Time that threads spent indexing");
  static final Metric REFRESHES =
      counter("varve.refreshes", "Refreshes that made operations visible");
  static final Metric REFRESH_TIME = counter("varve.refresh.seconds", "Duration of the refreshes");
  static final Metric STORE_LAG =
      gauge(
          "varve.store.lag.seconds",
          "Age of the oldest published manifest that the segment store lacks; 0 when it has all of"
              + " them; only primaries of remote-backed indices");
  static final Metric STORE_BEHIND =
      gauge(
          "varve.store.behind.bytes",
          "Size of the files of the newest manifest that the store lacks");
  static final Metric UPLOADED =
      counter("varve.store.uploaded.bytes", "Bytes uploaded to the segment store");
  static final Metric UPLOADS = counter("varve.store.uploads", "Uploads to the segment store");
  static final Metric UPLOADS_FAILED =
      counter("varve.store.uploads.failed", "Uploads that failed; each is retried");
  static final Metric STORE_REJECTIONS =
      counter(
          "varve.store.rejections",
          "Bulks rejected with 429 because the store falls behind"
              + " (`remote_store.segment.pressure.*`)");

  static final List<Column<CopyStats>> ALL =
      List.of(
          Column.max(APPLIED, stats -> stats.progress().appliedSeqNo()),
          Column.max(VISIBLE, stats -> stats.progress().visibleSeqNo()),
          Column.max(LAG, stats -> stats.progress().millisBehind() / MILLIS_PER_SECOND),
          Column.sum(BYTES_BEHIND, stats -> stats.progress().bytesBehind()),
          Column.max(CHECKPOINTS_BEHIND, stats -> stats.progress().checkpointsBehind()),
          Column.sum(DOCS, CopyStats::docs),
          Column.sum(SEGMENTS, CopyStats::segments),
          Column.sum(STORE_BYTES, CopyStats::storeBytes),
          Column.sum(UNCOMMITTED, stats -> stats.seqNos().uncommittedOperations()),
          Column.sum(FETCHED_BYTES, stats -> stats.progress().bytesFetched()),
          Column.sum(FETCHED_FILES, stats -> stats.progress().filesFetched()),
          Column.sum(FROM_PRIMARY, stats -> stats.kept().copied().fromPrimaryBytes()),
          Column.sum(FROM_REPLICA, stats -> stats.kept().copied().fromReplicaBytes()),
          Column.sum(FROM_STORE, stats -> stats.kept().downloads().bytes()),
          Column.sum(AHEAD, stats -> stats.kept().copied().aheadBytes()),
          Column.sum(OPENING, stats -> stats.kept().copied().openingBytes()),
          Column.sum(LINKED, stats -> stats.kept().copied().linkedBytes()),
          Column.sum(SENT, stats -> stats.kept().copied().sentBytes()),
          Column.sum(SENT_WIRE, stats -> stats.kept().copied().sentWireBytes()),
          Column.sum(WRITES, stats -> stats.activity().indexing().index().total()),
          Column.sum(DELETES, stats -> stats.activity().indexing().delete().total()),
          Column.sum(
              WRITE_TIME,
              stats -> stats.activity().indexing().index().millis() / MILLIS_PER_SECOND),
          Column.sum(REFRESHES, stats -> stats.activity().refresh().external().total()),
          Column.sum(
              REFRESH_TIME,
              stats -> stats.activity().refresh().external().millis() / MILLIS_PER_SECOND),
          Column.max(STORE_LAG, upload(uploads -> uploads.millisLag() / MILLIS_PER_SECOND)),
          Column.sum(STORE_BEHIND, upload(CopyStats.Uploads::bytesLag)),
          Column.sum(UPLOADED, upload(uploads -> uploads.bytes().succeeded())),
          Column.sum(UPLOADS, upload(uploads -> uploads.attempts().succeeded())),
          Column.sum(UPLOADS_FAILED, upload(uploads -> uploads.attempts().failed())),
          Column.sum(STORE_REJECTIONS, upload(uploads -> uploads.lag().rejections())));

  private CopyColumns() {}

  private static Metric gauge(String name, String help) {
    return Metric.gauge(name, help, "index", "shard", "role");
  }

  private static Metric counter(String name, String help) {
    return Metric.counter(name, help, "index", "shard", "role");
  }

  /** A value of primaries that upload to a segment store. */
  private static ToDoubleFunction<CopyStats> upload(ToDoubleFunction<CopyStats.Uploads> value) {
    return stats -> {
      CopyStats.Uploads uploads = stats.kept().uploads();
      return uploads == null ? Double.NaN : value.applyAsDouble(uploads);
    };
  }
}
