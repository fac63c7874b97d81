package io.varve.cluster;

import io.varve.rpc.ErrorBody;
import org.jspecify.annotations.Nullable;

/**
 * The definition of a setting.
 *
 * @param name the full name; one {@code *} stands for any text
 * @param defaultValue {@code null} if there is none or another setting supplies it
 * @param effect its effect, or {@link #NO_EFFECT} and the reason: such a setting is accepted,
 *     stored and shown because clients send it
 * @param replicated of an index setting: whether a follower index takes it from its leader index
 */
public record Setting(
    String name,
    SettingKind kind,
    @Nullable String defaultValue,
    Change change,
    String effect,
    boolean replicated) {

  public static final String NO_EFFECT = "no effect";

  /** When the value of a setting can be changed. */
  public enum Change {
    /** At any time. */
    DYNAMIC,
    /** At creation, or while the index is closed. */
    STATIC,
    /** At creation only. */
    FINAL
  }

  public Setting {
    if (defaultValue != null && kind.refusal(name, defaultValue) != null) {
      throw new IllegalArgumentException("default of " + name + " is refused: " + defaultValue);
    }
  }

  static Setting dynamic(
      String name, SettingKind kind, @Nullable String defaultValue, String effect) {
    return new Setting(name, kind, defaultValue, Change.DYNAMIC, effect, true);
  }

  static Setting fixed(
      String name, SettingKind kind, @Nullable String defaultValue, String effect) {
    return new Setting(name, kind, defaultValue, Change.FINAL, effect, true);
  }

  /**
   * @param why the reason for which it has no effect
   */
  static Setting accepted(String name, SettingKind kind, String why) {
    return new Setting(name, kind, null, Change.DYNAMIC, NO_EFFECT + ": " + why, true);
  }

  /** This setting as one that a follower index does not take from its leader index. */
  Setting notReplicated() {
    return new Setting(name, kind, defaultValue, change, effect, false);
  }

  /** Whether it has an effect. */
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
