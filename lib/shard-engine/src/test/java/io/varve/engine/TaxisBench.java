package io.varve.engine;

import com.sun.management.OperatingSystemMXBean;
import io.varve.events.Operation;
import io.varve.events.ShardId;
import io.varve.rpc.WriteItem;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;

/**
 * Parses and applies documents like those of the taxis workload on one thread, in rounds; prints
 * documents per second and CPU seconds per 100,000. A program, not a test: {@code main [documents
 * per round] [rounds] [ids]}, where {@code ids} gives documents ids that must be looked up.
 */
final class TaxisBench {

  private static final String MAPPING =
      """
      {"dynamic":"strict","properties":{
        "surcharge":{"type":"scaled_float","scaling_factor":100},
        "dropoff_datetime":{"type":"date","format":"yyyy-MM-dd HH:mm:ss"},
        "trip_type":{"type":"keyword"},
        "mta_tax":{"type":"scaled_float","scaling_factor":100},
        "rate_code_id":{"type":"keyword"},
        "passenger_count":{"type":"integer"},
        "pickup_datetime":{"type":"date","format":"yyyy-MM-dd HH:mm:ss"},
        "tolls_amount":{"type":"scaled_float","scaling_factor":100},
        "tip_amount":{"type":"half_float"},
        "payment_type":{"type":"keyword"},
        "extra":{"type":"scaled_float","scaling_factor":100},
        "vendor_id":{"type":"keyword"},
        "store_and_fwd_flag":{"type":"keyword"},
        "improvement_surcharge":{"type":"scaled_float","scaling_factor":100},
        "fare_amount":{"type":"scaled_float","scaling_factor":100},
        "ehail_fee":{"type":"scaled_float","scaling_factor":100},
        "cab_color":{"type":"keyword"},
        "dropoff_location":{"type":"geo_point"},
        "vendor_name":{"type":"text"},
        "total_amount":{"type":"scaled_float","scaling_factor":100},
        "trip_distance":{"type":"scaled_float","scaling_factor":100},
        "pickup_location":{"type":"geo_point"}}}
      """;

  private static final long REFRESH_MILLIS = 1000;

  private TaxisBench() {}

  public static void main(String[] arguments) throws IOException {
    int documents = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 100_000;
    int rounds = arguments.length > 1 ? Integer.parseInt(arguments[1]) : 4;
    boolean autoIds = arguments.length < 3 || !arguments[2].equals("ids");
    List<byte[]> sources = sources(documents);
    for (int round = 0; round < rounds; round++) {
      run(round, sources, autoIds);
    }
  }

  private static void run(int round, List<byte[]> sources, boolean autoIds) throws IOException {
    Path directory = Files.createTempDirectory("taxis");
    MappingSource.Versioned mapping = new MappingSource.Versioned(1, MAPPING);
    EngineConfig config = new EngineConfig(new ShardId("taxis", 0), directory, 1, Map.of());
    ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    OperatingSystemMXBean process =
        (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    try (ShardEngine engine = ShardEngine.open(config, () -> mapping)) {
      long began = System.nanoTime();
      long cpuBegan = process.getProcessCpuTime();
      long threadBegan = threads.getCurrentThreadCpuTime();
      long parseNanos = 0;
      long refreshNanos = 0;
      long refreshed = began;
      for (int i = 0; i < sources.size(); i++) {
        byte[] source = sources.get(i);
        WriteItem item =
            item("AZ" + Long.toString(1_000_000_000_000L + i * 7919L, 36), source, autoIds);
        long t0 = System.nanoTime();
        Parsed parsed = engine.parse(item);
        parseNanos += System.nanoTime() - t0;
        Resolution.Append append = (Resolution.Append) engine.resolve(item, parsed);
        Operation operation =
            new Operation(1, i, append.version(), 1, item.id(), null, append.source(), null);
        engine.inFlight(operation);
        engine.apply(i, operation, append);
        if (System.nanoTime() - refreshed > REFRESH_MILLIS * 1_000_000) {
          refreshed = System.nanoTime();
          refresh(engine, i);
          refreshNanos += System.nanoTime() - refreshed;
        }
      }
      refresh(engine, sources.size() - 1);
      long nanos = System.nanoTime() - began;
      double per100k = 100_000.0 / sources.size() / 1e9;
      System.out.printf(
          Locale.ROOT,
          "round %d: %,.0f docs/s; per 100k: %.2f s CPU of the process, %.2f of the thread,"
              + " parse %.2f s, refresh %.2f s; %,d bytes, %d files in the last snapshot%n",
          round,
          sources.size() * 1e9 / nanos,
          (process.getProcessCpuTime() - cpuBegan) * per100k,
          (threads.getCurrentThreadCpuTime() - threadBegan) * per100k,
          parseNanos * per100k,
          refreshNanos * per100k,
          engine.stats().storeBytes(),
          files(engine));
    } finally {
      delete(directory);
    }
  }

  private static int files(ShardEngine engine) {
    try (Snapshot snapshot = engine.newestSnapshot()) {
      return snapshot == null ? 0 : snapshot.files().size();
    }
  }

  private static void refresh(ShardEngine engine, long seqNo) {
    Snapshot snapshot = engine.refresh(new Checkpoint(seqNo + 1, seqNo + 1, 1, seqNo));
    if (snapshot != null) {
      snapshot.close();
    }
  }

  private static WriteItem item(String id, byte[] source, boolean autoId) {
    WriteItem item = WriteItem.index(id, source);
    return autoId ? item.withNewId() : item;
  }

  private static List<byte[]> sources(int count) {
    Random random = new Random(42);
    List<byte[]> sources = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      sources.add(source(random).getBytes(StandardCharsets.UTF_8));
    }
    return sources;
  }

  private static String source(Random random) {
    double fare = 2.5 + random.nextInt(5000) / 100.0;
    double tip = random.nextInt(1000) / 100.0;
    int day = 1 + random.nextInt(28);
    int hour = random.nextInt(24);
    int minute = random.nextInt(60);
    return String.format(
        Locale.ROOT,
        "{\"total_amount\": %.2f, \"improvement_surcharge\": 0.3, \"pickup_location\": [%.6f, %.6f],"
            + " \"pickup_datetime\": \"2015-01-%02d %02d:%02d:%02d\", \"trip_type\": \"1\","
            + " \"dropoff_datetime\": \"2015-01-%02d %02d:%02d:%02d\", \"rate_code_id\": \"1\","
            + " \"tolls_amount\": 0.0, \"dropoff_location\": [%.6f, %.6f], \"passenger_count\": %d,"
            + " \"fare_amount\": %.2f, \"extra\": 0.5, \"trip_distance\": %.2f, \"tip_amount\": %.2f,"
            + " \"store_and_fwd_flag\": \"N\", \"payment_type\": \"%d\", \"mta_tax\": 0.5,"
            + " \"vendor_id\": \"%d\"}",
        fare + tip + 1.3,
        -74 + random.nextDouble() / 5,
        40.6 + random.nextDouble() / 5,
        day,
        hour,
        minute,
        random.nextInt(60),
        day,
        hour,
        Math.min(59, minute + random.nextInt(20)),
        random.nextInt(60),
        -74 + random.nextDouble() / 5,
        40.6 + random.nextDouble() / 5,
        1 + random.nextInt(6),
        fare,
        random.nextInt(1500) / 100.0,
        tip,
        1 + random.nextInt(2),
        1 + random.nextInt(2));
  }

  private static void delete(Path directory) throws IOException {
    try (Stream<Path> paths = Files.walk(directory)) {
      paths
          .sorted(Comparator.reverseOrder())
          .forEach(path -> {
            try {
              Files.delete(path);
            } catch (IOException e) {
              throw new UncheckedIOException(e);
            }
          });
    }
  }
}
