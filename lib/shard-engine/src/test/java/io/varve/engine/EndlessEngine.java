package io.varve.engine;

import io.varve.events.Operation;
import io.varve.events.SegmentFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Writes until it is killed. Prints the files of each snapshot, which it holds, and each commit as
 * {@code committed} and the number of documents in it.
 */
final class EndlessEngine {

  static final String COMMITTED = "committed ";
  private static final int DOCUMENTS = 5;
  private static final int REFRESHES_PER_COMMIT = 7;

  private EndlessEngine() {}

  static Operation operation(long seqNo) {
    byte[] source = ("{\"title\":\"t" + seqNo + "\"}").getBytes(StandardCharsets.UTF_8);
    return new Operation(1, seqNo, 1, 1, "id-" + seqNo, null, source, null);
  }

  static ShardEngine open(Path folder) {
    return ShardEngine.open(
        new EngineConfig(EngineFixture.SHARD, folder, 1, Map.of()),
        () -> new MappingSource.Versioned(1, "{\"properties\":{\"title\":{\"type\":\"text\"}}}"));
  }

  static Checkpoint checkpoint(long nextSeqNo) {
    return new Checkpoint(nextSeqNo, nextSeqNo, 1, nextSeqNo - 1);
  }

  public static void main(String[] arguments) {
    ShardEngine engine = open(Path.of(arguments[0]));
    List<Snapshot> held = new ArrayList<>();
    long next = 0;
    while (true) {
      for (int i = 0; i < DOCUMENTS; i++) {
        engine.apply(next, operation(next), null);
        next++;
      }
      Snapshot snapshot = engine.refresh(checkpoint(next));
      if (snapshot != null) {
        held.add(snapshot);
        System.out.println(
            snapshot.files().stream().map(SegmentFile::name).collect(Collectors.joining(" ")));
      }
      if (held.size() % REFRESHES_PER_COMMIT == 0) {
        engine.commit(checkpoint(next));
        System.out.println(COMMITTED + next);
      }
    }
  }
}
