package io.varve.cluster;

import io.varve.rpc.ErrorBody;
import org.jspecify.annotations.Nullable;

/**
 * One setting that is known.
 *
 * @param name the full name; one {@code *} stands for any text
 * @param defaultValue {@code null} when there is none, or it is another setting's
 * @param effect what it does here, or {@link #NO_EFFECT} and why: accepted, kept and shown, for the
 *     sake of clients that send it
 */
public record Setting(
    String name, SettingKind kind, @Nullable String defaultValue, Change change, String effect) {

  public static final String NO_EFFECT = "no effect";

  /** When a setting can be given another value. */
  public enum Change {
    /** At any time. */
    DYNAMIC,
    /** While the index is created or closed. */
    STATIC,
    /** Never after the creation. */
    FINAL
  }

  public Setting {
    if (defaultValue != null && kind.refusal(name, defaultValue) != null) {
      throw new IllegalArgumentException("default of " + name + " is refused: " + defaultValue);
    }
  }

  static Setting dynamic(
      String name, SettingKind kind, @Nullable String defaultValue, String effect) {
    return new Setting(name, kind, defaultValue, Change.DYNAMIC, effect);
  }

  static Setting fixed(
      String name, SettingKind kind, @Nullable String defaultValue, String effect) {
    return new Setting(name, kind, defaultValue, Change.FINAL, effect);
  }

  /**
   * @param why nothing here depends on it
   */
  static Setting accepted(String name, SettingKind kind, String why) {
    return new Setting(name, kind, null, Change.DYNAMIC, NO_EFFECT + ": " + why);
  }

  /** Whether anything depends on it. */
  public boolean hasEffect() {
    return !effect.startsWith(NO_EFFECT);
  }

  boolean isPattern() {
    return name.indexOf('*') >= 0;
  }

  boolean matches(String other) {
    int star = name.indexOf('*');
    return star < 0
        ? name.equals(other)
        : other.length() >= name.length()
            && other.startsWith(name.substring(0, star))
            && other.endsWith(name.substring(star + 1));
  }

  public boolean isDynamic() {
    return change == Change.DYNAMIC;
  }

  public @Nullable ErrorBody refusal(String givenName, String value) {
    return kind.refusal(givenName, value);
  }
}
