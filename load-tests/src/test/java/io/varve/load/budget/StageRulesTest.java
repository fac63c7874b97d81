package io.varve.load.budget;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.load.budget.StageRules.Frame;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StageRulesTest {

  private static List<Frame> stack(String frames) {
    return Arrays.stream(frames.split(" "))
        .map(frame -> {
          int dot = frame.lastIndexOf('.');
          return new Frame(frame.substring(0, dot), frame.substring(dot + 1));
        })
        .toList();
  }

  @ParameterizedTest
  @CsvSource({
    "tools.jackson.core.json.UTF8StreamJsonParser.nextToken io.varve.engine.document.DocumentReader.readObject io.varve.engine.DocumentParser.parse io.varve.shard.http.WriteEndpoints.bulk org.eclipse.jetty.server.Server.handle, PARSE",
    "java.lang.Double.parseDouble io.varve.search.mapping.Values.decimal io.varve.engine.fields.FieldWriter.add io.varve.engine.document.DocumentReader.addValue, FIELDS",
    "tools.jackson.core.json.UTF8StreamJsonParser.nextToken io.varve.coordinator.rest.document.BulkParser.action io.varve.rest.route.RestRoutes.handle, BULK",
    "org.apache.lucene.util.BytesRefHash.add org.apache.lucene.index.IndexingChain.processField org.apache.lucene.index.IndexingChain.processDocument org.apache.lucene.index.IndexWriter.addDocument io.varve.engine.LuceneApplier.write, LUCENE_ADD",
    "org.apache.lucene.util.bkd.BKDWriter.build org.apache.lucene.index.IndexingChain.writePoints org.apache.lucene.index.IndexingChain.flush org.apache.lucene.index.DocumentsWriterPerThread.flush org.apache.lucene.index.IndexWriter.addDocument io.varve.engine.LuceneApplier.write, FLUSH",
    "org.apache.lucene.util.bkd.BKDWriter.build org.apache.lucene.index.SegmentMerger.mergePoints org.apache.lucene.index.IndexWriter.mergeMiddle org.apache.lucene.index.IndexWriter.merge, MERGE",
    "org.apache.lucene.index.SegmentReader.<init> org.apache.lucene.index.StandardDirectoryReader.open io.varve.engine.ReaderRefresher.refreshLookup, FLUSH",
    "org.apache.lucene.codecs.lucene103.blocktree.SegmentTermsEnum.seekExact io.varve.engine.version.IdLookup.findWith io.varve.engine.DocumentStates.indexed io.varve.shard.primary.Sequencer.sequence, ID_LOOKUP",
    "net.jpountz.lz4.LZ4JNI.LZ4_compress org.apache.kafka.clients.producer.internals.RecordAccumulator.append io.varve.log.kafka.PendingAppend.send io.varve.shard.primary.Sequencer.append, PRODUCER",
    "java.util.ArrayList.add io.varve.shard.primary.Batch.completed io.varve.log.FencedWriter.settle org.apache.kafka.clients.producer.internals.Sender.run, SEQUENCE",
    "sun.nio.ch.EPoll.wait org.apache.kafka.clients.NetworkClient.poll org.apache.kafka.clients.producer.internals.Sender.run, PRODUCER",
    "sun.nio.ch.EPoll.wait org.apache.kafka.clients.NetworkClient.poll org.apache.kafka.clients.consumer.internals.ConsumerNetworkThread.run, LOG_READ",
    "sun.nio.ch.FileDispatcherImpl.write0 org.apache.kafka.common.record.FileRecords.append kafka.log.UnifiedLog.append kafka.server.KafkaApis.handle, BROKER",
    "sun.nio.ch.SocketDispatcher.write0 org.eclipse.jetty.io.SocketChannelEndPoint.flush, HTTP",
    "java.util.zip.CRC32.update io.varve.store.PeerTransfer.read io.varve.replication.replica.SegmentFollower.round, REPLICA",
    "java.lang.Thread.yield java.lang.Thread.run, OTHER",
  })
  void theInnermostFrameWithARuleDecides(String frames, Stage stage) {
    assertThat(StageRules.stageOf(stack(frames))).isEqualTo(stage);
  }

  @Test
  void aStackWithoutFramesIsOtherJavaCode() {
    assertThat(StageRules.stageOf(List.of())).isEqualTo(Stage.OTHER);
  }

  @ParameterizedTest
  @CsvSource({
    "GC Thread#0,GC",
    "G1 Conc#0,GC",
    "C2 CompilerThre,JIT",
    "C1 CompilerThre,JIT",
    "VM Thread,VM",
    "VM Periodic Tas,VM",
    "JFR Recorder Th,VM",
    "varve-apply-0,",
    "Lucene Merge Th,"
  })
  void threadsOfTheJvmAreStagesOfTheirOwn(String thread, Stage stage) {
    assertThat(StageRules.stageOfThread(thread)).isEqualTo(stage);
  }
}
