package io.varve.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.events.RawRecord;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Stores appends in the order chosen by the test, and answers them when the test asks for it. */
final class ScriptedLog {
  final PartitionLog stored = new InMemoryMessageLog(Runnable::run, () -> 0).open("ops", 0);
  final List<RawRecord> sent = new ArrayList<>();
  final List<PartitionLog.AppendCallback> callbacks = new ArrayList<>();
  int ended;
  boolean full;
  @Nullable RuntimeException refusal;
  @Nullable Blocking whileAppending;

  /** Blocks an append. */
  interface Blocking {
    void await() throws InterruptedException;
  }

  PartitionLog log() {
    return new DelegatingLog(stored) {
      @Override
      public void append(RawRecord record, AppendCallback callback) throws LogException.Full {
        if (full) {
          throw new LogException.Full("full");
        }
        if (refusal != null) {
          throw refusal;
        }
        try {
          if (whileAppending != null) {
            whileAppending.await();
          }
        } catch (InterruptedException e) {
          throw new IllegalStateException(e);
        }
        sent.add(record);
        callbacks.add(callback);
      }

      @Override
      public void endAppends() {
        ended++;
      }
    };
  }

  void landAndAnswer(int index) throws LogException.Full {
    stored.append(sent.get(index), callbacks.get(index));
  }

  void answerUnknown(int index) {
    callbacks.get(index).unknown("timed out");
  }

  void appendByAnotherWriter(RawRecord record) throws LogException, InterruptedException {
    assertThat(Appends.await(stored, record)).isNotNegative();
  }
}
