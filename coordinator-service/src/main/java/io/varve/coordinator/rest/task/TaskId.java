package io.varve.coordinator.rest.task;

import io.varve.rpc.ApiException;
import io.varve.rpc.ErrorBody;

/** The id of a task: {@code node:number}. */
public record TaskId(String nodeId, long number) {

  public static TaskId parse(String text) {
    int colon = text.lastIndexOf(':');
    try {
      if (colon > 0) {
        return new TaskId(text.substring(0, colon), Long.parseLong(text.substring(colon + 1)));
      }
    } catch (NumberFormatException e) {
      throw malformed(text);
    }
    throw malformed(text);
  }

  private static ApiException malformed(String text) {
    return new ApiException(ErrorBody.illegalArgument("malformed task id " + text));
  }

  @Override
  public String toString() {
    return nodeId + ":" + number;
  }
}
