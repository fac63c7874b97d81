package io.varve.codec;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The decoders of this process.
 *
 * <p>INVARIANT: at most twice as many as there are processors are kept. Who comes when all are lent
 * gets one that is closed when it is given back.
 */
final class BlockDecoders {

  static final int MOST = Math.max(4, 2 * Runtime.getRuntime().availableProcessors());
  private static final BlockDecoders ALL = new BlockDecoders(MOST);

  private final int most;

  /** The one that was given back last comes last. */
  private final List<BlockDecoder> idle = new ArrayList<>();

  private int kept;

  BlockDecoders(int most) {
    this.most = most;
  }

  static BlockDecoders all() {
    return ALL;
  }

  /** Of those at hand the one that holds this block, else the one that was used longest ago. */
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

  /** Decoders in native memory now. */
  synchronized int open() {
    return kept;
  }
}
