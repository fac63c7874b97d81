package io.varve.codec;

import com.github.luben.zstd.ZstdDictDecompress;
import java.io.Closeable;
import java.util.HashMap;
import java.util.Map;

/**
 * A dictionary in native memory, shared by all segments of this process that use it.
 *
 * <p>INVARIANT: the native form exists until the last holder has closed it; a decoder references it
 * only during a call.
 *
 * <p>All holders get the same {@link BlockMode} for a coding: Lucene compares modes by identity and
 * copies blocks between segments of the same mode.
 */
final class SharedDictionary implements Closeable {

  private static final Map<Dictionary, SharedDictionary> OPEN = new HashMap<>();

  private final Dictionary dictionary;
  private final ZstdDictDecompress decoding;
  private final Map<Coding, BlockMode> modes = new HashMap<>();
  private int holders;

  private SharedDictionary(Dictionary dictionary) {
    this.dictionary = dictionary;
    this.decoding = new ZstdDictDecompress(dictionary.bytes());
  }

  /** Each call must be matched by one {@link #close}. */
  static SharedDictionary hold(Dictionary dictionary) {
    synchronized (OPEN) {
      SharedDictionary shared = OPEN.computeIfAbsent(dictionary, SharedDictionary::new);
      shared.holders++;
      return shared;
    }
  }

  /** Dictionaries in native memory now. */
  static int open() {
    synchronized (OPEN) {
      return OPEN.size();
    }
  }

  Dictionary dictionary() {
    return dictionary;
  }

  ZstdDictDecompress decoding() {
    return decoding;
  }

  BlockMode mode(Coding coding) {
    synchronized (OPEN) {
      return modes.computeIfAbsent(coding, c -> new BlockMode(c, this));
    }
  }

  @Override
  public void close() {
    synchronized (OPEN) {
      holders--;
      if (holders == 0) {
        OPEN.remove(dictionary);
        decoding.close();
      }
    }
  }
}
