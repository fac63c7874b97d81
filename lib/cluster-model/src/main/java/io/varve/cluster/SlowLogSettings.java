package io.varve.cluster;

import static io.varve.cluster.Setting.dynamic;

import io.varve.cluster.SettingKind.CountOrFlag;
import io.varve.cluster.SettingKind.Flag;
import java.util.ArrayList;
import java.util.List;

/** Index settings of the slow logs. */
final class SlowLogSettings {

  private static final SettingKind LEVELS =
      SettingKinds.words("TRACE", "DEBUG", "INFO", "WARN", "trace", "debug", "info", "warn");

  static final List<Setting> ALL = all();

  private SlowLogSettings() {}

  private static List<Setting> all() {
    List<Setting> all = new ArrayList<>();
    for (String level : List.of("warn", "info", "debug", "trace")) {
      all.add(
          threshold("index.search.slowlog.threshold.query." + level, "query phases of a shard"));
      all.add(
          threshold("index.search.slowlog.threshold.fetch." + level, "fetch phases of a shard"));
      all.add(
          threshold(
              "index.indexing.slowlog.threshold.index." + level, "index operations of a copy"));
    }
    all.add(
        dynamic(
            "index.search.slowlog.level",
            LEVELS,
            "TRACE",
            "least severe level of slow searches that is logged"));
    all.add(
        dynamic(
            "index.indexing.slowlog.level",
            LEVELS,
            "TRACE",
            "least severe level of slow documents that is logged"));
    all.add(
        dynamic(
            "index.indexing.slowlog.source",
            new CountOrFlag(),
            "1000",
            "maximum number of characters of a slow document's source in the log; true for all,"
                + " false for none"));
    all.add(
        dynamic(
            "index.indexing.slowlog.reformat",
            new Flag(),
            "true",
            "whether the source is logged on a single line, without white space"));
    return all.stream().map(Setting::notReplicated).toList();
  }

  private static Setting threshold(String name, String what) {
    return dynamic(
        name,
        SettingKinds.ANY_TIME,
        "-1",
        what + " that take longer are logged at this level; -1 for none");
  }
}
