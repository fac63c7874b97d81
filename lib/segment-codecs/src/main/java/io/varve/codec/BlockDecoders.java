package io.varve.codec;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The pool of decoders of this process.
 *
 * <p>INVARIANT: the pool keeps at most twice as many decoders as there are processors. When all are
 * lent, a thread gets an additional one, which is closed when it is returned.
 */
final class BlockDecoders {

  static final int MOST = Math.max(4, 2 * Runtime.getRuntime().availableProcessors());
  private static final BlockDecoders ALL = new BlockDecoders(MOST);

  private final int most;

  /** The most recently returned decoder is last. */
  private final List<BlockDecoder> idle = new ArrayList<>();

  private int kept;

  BlockDecoders(int most) {
    this.most = most;
  }

  static BlockDecoders all() {
    return ALL;
  }

  /** An idle decoder that has this block, otherwise the least recently used one. */
  BlockDecoder lend(Object file, long position) {
    synchronized (this) {
      for (int i = idle.size() - 1; i >= 0; i--) {
        if (idle.get(i).holds(file, position)) {
          return idle.remove(i);
        }
      }
      if (kept >= most && !idle.isEmpty()) {
        return idle.removeFirst();
      }
      kept++;
    }
    try {
      return new BlockDecoder();
    } catch (RuntimeException | Error e) {
      synchronized (this) {
        kept--;
      }
      throw e;
    }
  }

  void giveBack(BlockDecoder decoder) {
    BlockDecoder surplus = null;
    synchronized (this) {
      if (kept > most) {
        kept--;
        surplus = decoder;
      } else {
        idle.add(decoder);
      }
    }
    close(surplus);
  }

  private static void close(@Nullable BlockDecoder decoder) {
    if (decoder != null) {
      decoder.close();
    }
  }

  /** Decoders that hold native memory now. */
  synchronized int open() {
    return kept;
  }
}
