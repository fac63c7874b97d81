package io.varve.host.spring;

import io.micrometer.core.instrument.MeterRegistry;
import io.varve.events.ShardId;
import io.varve.metrics.Metric;
import io.varve.process.Ticker;
import io.varve.store.SegmentStore;
import io.varve.store.SourceGoneException;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Times the requests to a segment store; a read ends with its first byte. */
final class MeteredStore implements SegmentStore {

  static final Metric REQUESTS =
      Metric.timer(
          "varve.store.requests",
          "Requests to the segment store by operation (`put`, `exists`, `open`, `delete`, `list`,"
              + " `shards`) and outcome (`ok`, `gone`, `error`), with the client's retries; a read"
              + " ends with its first byte",
          "operation",
          "outcome");

  private final SegmentStore store;
  private final MeterRegistry meters;
  private final Ticker ticker;

  MeteredStore(SegmentStore store, MeterRegistry meters, Ticker ticker) {
    this.store = store;
    this.meters = meters;
    this.ticker = ticker;
  }

  @FunctionalInterface
  private interface Request<T> {
    T send() throws IOException;
  }

  private <T> T timed(String operation, Request<T> request) throws IOException {
    long began = ticker.nanos();
    String outcome = "error";
    try {
      T answer = request.send();
      outcome = "ok";
      return answer;
    } catch (SourceGoneException e) {
      outcome = "gone";
      throw e;
    } finally {
      REQUESTS
          .timer(meters, operation, outcome)
          .record(ticker.nanos() - began, TimeUnit.NANOSECONDS);
    }
  }

  @Override
  public void put(Key key, InputStream content, long lengthBytes) throws IOException {
    boolean _ =
        timed(
            "put",
            () -> {
              store.put(key, content, lengthBytes);
              return true;
            });
  }

  @Override
  public boolean exists(Key key) throws IOException {
    return timed("exists", () -> store.exists(key));
  }

  @Override
  public InputStream open(Key key, long fromByte, long length) throws IOException {
    return timed("open", () -> store.open(key, fromByte, length));
  }

  @Override
  public void delete(Key key) throws IOException {
    boolean _ =
        timed(
            "delete",
            () -> {
              store.delete(key);
              return true;
            });
  }

  @Override
  public List<Present> list(Kind kind, ShardId shard) throws IOException {
    return timed("list", () -> store.list(kind, shard));
  }

  @Override
  public List<ShardId> shards(Kind kind) throws IOException {
    return timed("shards", () -> store.shards(kind));
  }
}
