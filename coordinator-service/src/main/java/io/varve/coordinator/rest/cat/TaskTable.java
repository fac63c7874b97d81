package io.varve.coordinator.rest.cat;

import io.varve.coordinator.rest.NodeFilter;
import io.varve.coordinator.rest.cat.CatEndpoint.Maker;
import io.varve.coordinator.rest.cat.CatEndpoint.Question;
import io.varve.coordinator.rest.task.ListedTask;
import io.varve.coordinator.rest.task.TaskBoard;
import io.varve.rest.Build;
import io.varve.rest.TaskKind;
import io.varve.rpc.TaskInfo;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Arrays;

/** {@code _cat/tasks}. */
final class TaskTable {

  static final TaskKind LIST = new TaskKind("cluster:monitor/tasks/lists", "", false);

  private static final DateTimeFormatter TIME_OF_DAY =
      DateTimeFormatter.ofPattern("HH:mm:ss").withZone(ZoneOffset.UTC);

  private final TaskBoard board;

  TaskTable(TaskBoard board) {
    this.board = board;
  }

  Maker tasks(Question question) {
    TaskBoard.Filter filter = TaskBoard.Filter.of(question.request());
    boolean detailed = question.request().flag("detailed", false);
    return () -> {
      CatTable table = columns(detailed);
      for (ListedTask task : board.list(filter).tasks()) {
        addRow(task, detailed, table);
      }
      return table;
    };
  }

  private static CatTable columns(boolean detailed) {
    CatTable table =
        new CatTable()
            .hidden("id", "id", "id of the task on its node")
            .column("action", "ac", "task action")
            .column("task_id", "ti", "unique task id")
            .column("parent_task_id", "pti", "parent task id")
            .column("type", "ty", "task type")
            .column("start_time", "start", "start time in ms")
            .column("timestamp", "ts,hms,hhmmss", "start time in HH:MM:SS")
            .hidden("running_time_ns", "", "running time ns")
            .column("running_time", "time", "running time")
            .hidden("node_id", "ni", "unique node id")
            .column("ip", "i", "ip address")
            .hidden("port", "po", "bound transport port")
            .column("node", "n", "node name")
            .hidden("version", "v", "version")
            .hidden("x_opaque_id", "x", "X-Opaque-ID header");
    return detailed ? table.column("description", "desc", "task action description") : table;
  }

  private static void addRow(ListedTask task, boolean detailed, CatTable table) {
    TaskInfo info = task.info();
    Object[] row = {
      info.number(),
      info.what().action(),
      task.id(),
      info.parent() == null ? "-" : info.parent(),
      info.what().type(),
      info.course().startedMillis(),
      TIME_OF_DAY.format(Instant.ofEpochMilli(info.course().startedMillis())),
      info.course().runningNanos(),
      new CatTable.Time(Duration.ofNanos(info.course().runningNanos())),
      task.node().nodeId(),
      NodeFilter.host(task.node()),
      URI.create(task.node().url()).getPort(),
      task.node().name(),
      Build.DIALECT,
      info.headers().getOrDefault("X-Opaque-Id", "-"),
      info.what().description()
    };
    table.row(detailed ? row : Arrays.copyOf(row, row.length - 1));
  }
}
