package io.varve.cluster;

import io.varve.cluster.SettingKind.AtLeast;
import io.varve.cluster.SettingKind.Between;
import io.varve.cluster.SettingKind.Bytes;
import io.varve.cluster.SettingKind.Choice;
import io.varve.cluster.SettingKind.Copies;
import io.varve.cluster.SettingKind.CountOrFlag;
import io.varve.cluster.SettingKind.Expansion;
import io.varve.cluster.SettingKind.Flag;
import io.varve.cluster.SettingKind.Fraction;
import io.varve.cluster.SettingKind.Given;
import io.varve.cluster.SettingKind.LogLevel;
import io.varve.cluster.SettingKind.Only;
import io.varve.cluster.SettingKind.Share;
import io.varve.cluster.SettingKind.Size;
import io.varve.cluster.SettingKind.Text;
import io.varve.cluster.SettingKind.Time;
import io.varve.cluster.SettingKind.Whole;
import io.varve.cluster.SettingKind.Within;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** The page of all settings of indices and clusters, written from their registries. */
final class SettingsPage {

  private static final String HEAD =
      """
      # Settings of indices and of the cluster

      This page is generated from `IndexSettings` and `ClusterSettings`, and a test compares it with them. The properties
      of processes are in [../operations/settings.md](../operations/settings.md).

      A setting that is not on this page is refused with `settings_exception`. A `*` in a name stands for any text. The
      prefix `index.` of an index setting is optional.

      The column *changed* says when a setting may be set: `dynamic`: at any time; `while closed`: at creation, or while
      the index is closed; `at creation`: only at creation. The column *follower* says whether a follower index takes the
      value of its leader index (`leader's`) or has its own value (`own`).
      """;

  private static final String WITHOUT_EFFECT =
      """
      These settings are validated, stored and shown, because clients and templates send them. They have no effect.
      """;

  private SettingsPage() {}

  static String text() {
    StringBuilder page = new StringBuilder(HEAD);
    effectiveOfIndices(page);
    effectiveOfClusters(page);
    page.append("\nTransient cluster settings override persistent ones.\n");
    decided(page);
    given(page);
    withoutEffect(page, "Index settings", IndexSettings.all());
    withoutEffect(page, "Cluster settings", ClusterSettings.all());
    return page.toString();
  }

  private static void effectiveOfIndices(StringBuilder page) {
    page.append("\n## Index settings with an effect\n\n");
    page.append("| setting | values | default | changed | follower | effect |\n");
    page.append("|---|---|---|---|---|---|\n");
    for (Setting setting : sorted(IndexSettings.all(), SettingsPage::hasEffect)) {
      row(
          page,
          code(setting.name()),
          values(setting.kind()),
          otherwise(setting),
          changed(setting.change()),
          setting.replicated() ? "leader's" : "own",
          setting.effect());
    }
  }

  private static void effectiveOfClusters(StringBuilder page) {
    page.append("\n## Cluster settings with an effect\n\n");
    page.append("| setting | values | default | changed | effect |\n|---|---|---|---|---|\n");
    for (Setting setting : sorted(ClusterSettings.all(), SettingsPage::hasEffect)) {
      row(
          page,
          code(setting.name()),
          values(setting.kind()),
          otherwise(setting),
          changed(setting.change()),
          setting.effect());
    }
  }

  private static String otherwise(Setting setting) {
    return setting.defaultValue() == null ? "" : code(setting.defaultValue());
  }

  private static void decided(StringBuilder page) {
    page.append("\n## Accepted only with the value that describes Varve's behaviour\n\n");
    page.append("| setting | value |\n|---|---|\n");
    for (Setting setting : sorted(IndexSettings.all(), s -> s.kind() instanceof Only)) {
      row(page, code(setting.name()), values(setting.kind()));
    }
  }

  private static void given(StringBuilder page) {
    page.append("\n## Set by the system, refused from clients\n\n");
    page.append("| setting | use |\n|---|---|\n");
    for (Setting setting : sorted(IndexSettings.all(), s -> s.kind() instanceof Given)) {
      row(page, code(setting.name()), setting.effect());
    }
  }

  private static void withoutEffect(StringBuilder page, String title, List<Setting> settings) {
    page.append("\n## ").append(title).append(" accepted without effect\n\n");
    page.append(WITHOUT_EFFECT).append("\n| setting | values | why |\n|---|---|---|\n");
    Predicate<Setting> idle = s -> !hasEffect(s) && !isSpecial(s);
    sorted(settings, idle).forEach(s -> row(page, code(s.name()), values(s.kind()), why(s)));
  }

  private static String why(Setting setting) {
    return setting.effect().substring(Setting.NO_EFFECT.length() + 2);
  }

  private static boolean hasEffect(Setting setting) {
    return !isSpecial(setting) && setting.hasEffect();
  }

  private static boolean isSpecial(Setting setting) {
    return setting.kind() instanceof Only || setting.kind() instanceof Given;
  }

  private static List<Setting> sorted(List<Setting> settings, Predicate<Setting> which) {
    return settings.stream().filter(which).sorted(Comparator.comparing(Setting::name)).toList();
  }

  private static void row(StringBuilder page, String... cells) {
    page.append("| ").append(String.join(" | ", cells)).append(" |\n");
  }

  private static String code(String text) {
    return "`" + text + "`";
  }

  private static String changed(Setting.Change change) {
    return switch (change) {
      case DYNAMIC -> "dynamic";
      case STATIC -> "while closed";
      case FINAL -> "at creation";
    };
  }

  private static String values(SettingKind kind) {
    return switch (kind) {
      case Whole(long min, long max) ->
          max == Integer.MAX_VALUE ? "whole number ≥ " + min : "%d to %d".formatted(min, max);
      case Fraction _ -> "number";
      case Share _ -> "number, 0 to 1";
      case AtLeast(double min) -> "number ≥ " + min;
      case Between(double min, double end) -> "number ≥ " + min + ", < " + end;
      case Within(double min, double max) -> "number, " + min + " to " + max;
      case CountOrFlag _ -> "whole number ≥ 0, `true`, `false`";
      case Time(long min, long _) when min < 0 -> "duration, or `-1` for never";
      case Time(long min, long max) when max < Long.MAX_VALUE -> min + " to " + max + "ms";
      case Time(long min, long _) -> "duration ≥ " + (min == 0 ? "0" : min + "ms");
      case Bytes _ -> "size with unit, or percentage";
      case Size(long min, long max) when min <= 0 ->
          "size with unit, up to %dgb%s".formatted(max >> 30, min < 0 ? ", or `-1`" : "");
      case Size(long min, long max) ->
          "size with unit, %dkb to %dgb".formatted(min >> 10, max >> 30);
      case Flag _ -> "`true`, `false`";
      case Choice choice ->
          choice.values().stream().map(SettingsPage::code).collect(Collectors.joining(", "));
      case Only(String value) -> code(value);
      case Expansion _ -> "`false`, or bounds: `0-1`, `0-all`";
      case Copies _ -> "whole number ≥ 0, or `all`";
      case LogLevel _ ->
          Arrays.stream(LoggerLevels.Level.values())
              .map(level -> code(level.name()))
              .collect(Collectors.joining(", "));
      case Text _ -> "any text";
      case SettingKind.FileName _ -> "name of a file";
      case SettingKind.Addresses _ -> "`host:port`, separated by commas";
      case Given _ -> "given";
    };
  }
}
