package io.varve.changes;

import io.varve.log.LogPosition;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The text form of a fence's state, as the metadata of a committed offset: {@code varve-fence/1
 * term=3 next_seq_no=17} is the state just before the record at that offset.
 */
final class FenceState {

  private static final Pattern TEXT =
      Pattern.compile("varve-fence/1 term=(\\d{1,18}) next_seq_no=(\\d{1,18})");

  private FenceState() {}

  static String write(LogPosition position) {
    return "varve-fence/1 term=" + position.fenceTerm() + " next_seq_no=" + position.nextSeqNo();
  }

  /** Empty for metadata that something else wrote, or a newer version in another format. */
  static Optional<LogPosition> read(long offset, @Nullable String metadata) {
    Matcher matcher = TEXT.matcher(metadata == null ? "" : metadata);
    return matcher.matches()
        ? Optional.of(
            new LogPosition(
                offset, Long.parseLong(matcher.group(2)), Long.parseLong(matcher.group(1))))
        : Optional.empty();
  }
}
