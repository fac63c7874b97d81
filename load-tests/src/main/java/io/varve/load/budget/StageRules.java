package io.varve.load.budget;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Assigns a stack to a {@link Stage}: the innermost frame to which a rule applies determines the
 * stage, by the first rule that applies to this frame. Frames of libraries that several stages
 * share, such as a JSON parser, have no rule, so that their callers determine the stage.
 */
public final class StageRules {

  /** A frame of a stack: the full name of a class, and a method. */
  public record Frame(String type, String method) {}

  /**
   * @param method {@code null} for all methods
   */
  private record Rule(String prefix, @Nullable String method, Stage stage) {
    boolean appliesTo(Frame frame) {
      return frame.type().startsWith(prefix) && (method == null || method.equals(frame.method()));
    }
  }

  private static final String LUCENE = "org.apache.lucene.index.";
  private static final String ENGINE = "io.varve.engine.";

  private static final List<Rule> RULES = rules();

  private StageRules() {}

  private static List<Rule> rules() {
    List<Rule> rules = new ArrayList<>();
    rules.add(method(LUCENE + "IndexingChain", "flush", Stage.FLUSH));
    rules.add(method(LUCENE + "DocumentsWriterPerThread", "flush", Stage.FLUSH));
    rules.add(method(LUCENE + "IndexingChain", "processDocument", Stage.LUCENE_ADD));
    rules.add(method(LUCENE + "DocumentsWriterPerThread", "updateDocuments", Stage.LUCENE_ADD));
    types(rules, Stage.MERGE, LUCENE + "SegmentMerger", LUCENE + "ConcurrentMergeScheduler");
    rules.add(method(LUCENE + "IndexWriter", "mergeMiddle", Stage.MERGE));
    rules.add(method(LUCENE + "IndexWriter", "merge", Stage.MERGE));
    types(
        rules,
        Stage.FLUSH,
        LUCENE + "StandardDirectoryReader",
        LUCENE + "DocumentsWriterFlushControl",
        LUCENE + "DocumentsWriterFlushQueue",
        ENGINE + "ReaderRefresher",
        ENGINE + "SegmentFiles",
        "io.varve.shard.primary.Refresher",
        "io.varve.shard.primary.Committer");
    types(rules, Stage.PARSE, ENGINE + "DocumentParser", ENGINE + "document.");
    types(rules, Stage.FIELDS, ENGINE + "fields.", "io.varve.search.mapping.");
    types(rules, Stage.ID_LOOKUP, ENGINE + "version.", ENGINE + "DocumentStates");
    types(rules, Stage.LUCENE_ADD, ENGINE + "LuceneApplier", ENGINE + "WritePath");
    types(
        rules,
        Stage.REPLICA,
        ENGINE + "SegmentEngine",
        "io.varve.replication.",
        "io.varve.store.",
        "io.varve.host.http.SnapshotEndpoints");
    types(rules, Stage.SEQUENCE, "io.varve.shard.primary.", "io.varve.host.apply.");
    types(
        rules,
        Stage.LOG_READ,
        "org.apache.kafka.clients.consumer.",
        "io.varve.log.kafka.KafkaTail",
        "io.varve.log.kafka.KafkaReaders");
    types(
        rules,
        Stage.PRODUCER,
        "org.apache.kafka.clients.producer.",
        "io.varve.log.",
        "io.varve.events.OperationCodec");
    types(
        rules,
        Stage.BROKER,
        "kafka.",
        "org.apache.kafka.server.",
        "org.apache.kafka.storage.",
        "org.apache.kafka.network.",
        "org.apache.kafka.raft.",
        "org.apache.kafka.controller.",
        "org.apache.kafka.coordinator.",
        "org.apache.kafka.image.");
    types(rules, Stage.BULK, "io.varve.coordinator.rest.document.", "io.varve.cluster.RoutingHash");
    types(
        rules,
        Stage.HTTP,
        "io.varve.http.",
        "io.varve.rest.",
        "io.varve.client.",
        "io.varve.rpc.",
        "io.varve.coordinator.rest.",
        "org.eclipse.jetty.",
        "org.springframework.",
        "org.apache.hc.");
    return List.copyOf(rules);
  }

  private static void types(List<Rule> rules, Stage stage, String... prefixes) {
    for (String prefix : prefixes) {
      rules.add(new Rule(prefix, null, stage));
    }
  }

  private static Rule method(String type, String method, Stage stage) {
    return new Rule(type, method, stage);
  }

  /**
   * @param frames the innermost one first
   */
  public static Stage stageOf(List<Frame> frames) {
    for (Frame frame : frames) {
      for (Rule rule : RULES) {
        if (rule.appliesTo(frame)) {
          return rule.stage;
        }
      }
    }
    return Stage.OTHER;
  }

  /**
   * The stage of a whole thread of the JVM, {@code null} for threads that run Java code.
   *
   * @param name the name in the operating system, at most 15 characters
   */
  public static @Nullable Stage stageOfThread(String name) {
    if (name.startsWith("GC Thread") || name.startsWith("G1 ")) {
      return Stage.GC;
    }
    if (name.startsWith("C1 Compiler") || name.startsWith("C2 Compiler")) {
      return Stage.JIT;
    }
    boolean ofTheVm =
        name.startsWith("VM ")
            || name.startsWith("JFR ")
            || name.startsWith("Service Thread")
            || name.startsWith("Monitor Deflati")
            || name.startsWith("Signal Dispatch")
            || name.startsWith("Attach Listener");
    return ofTheVm ? Stage.VM : null;
  }
}
