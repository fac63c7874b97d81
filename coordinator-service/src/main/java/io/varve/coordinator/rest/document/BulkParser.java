package io.varve.coordinator.rest.document;

import io.varve.events.Json;
import io.varve.rest.JsonErrors;
import io.varve.rpc.ApiException;
import io.varve.rpc.ErrorBodies;
import io.varve.rpc.ErrorBody;
import io.varve.rpc.WriteItem;
import io.varve.search.source.SourceFilter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;

/**
 * Splits the body of a bulk into items, in one pass. Only the action lines are parsed; a document
 * is an unparsed slice of the body.
 *
 * <p>A line ends at a line feed; a carriage return before it is not part of a document. The whole
 * request is rejected if the last line has no line feed, if an action cannot be parsed, or if a
 * check fails that OpenSearch makes before execution (an id that is too long, incompatible
 * versions). Any other invalid item is rejected individually.
 */
final class BulkParser {

  private final byte[] body;
  private final BulkDefaults defaults;
  private final AutoIds ids;
  private final List<BulkItem> items = new ArrayList<>();
  private final List<String> problems = new ArrayList<>();

  private int position;
  private int line;

  /**
   * The start of the last action line that names no document; the next action line is often
   * identical.
   */
  private int sameFrom;

  private int sameLength = -1;
  private @Nullable BulkAction same;

  private BulkParser(byte[] body, BulkDefaults defaults, AutoIds ids) {
    this.body = body;
    this.defaults = defaults;
    this.ids = ids;
  }

  static List<BulkItem> parse(byte[] body, BulkDefaults defaults, AutoIds ids) {
    return new BulkParser(body, defaults, ids).parse();
  }

  private List<BulkItem> parse() {
    while (position < body.length) {
      int from = position;
      int end = lineEnd();
      line++;
      BulkAction action = action(from, end);
      if (action != null && !addItem(action)) {
        break;
      }
    }
    if (items.isEmpty()) {
      problems.add("no requests added");
    }
    if (!problems.isEmpty()) {
      throw new ApiException(ErrorBodies.validation(problems));
    }
    return items;
  }

  /** Adds an item; returns false if the body ends before the document. */
  private boolean addItem(BulkAction action) {
    int from = position;
    int length = 0;
    if (action.kind != WriteItem.Kind.DELETE) {
      if (position == body.length) {
        return false;
      }
      int end = lineEnd();
      line++;
      length = (end > from && body[end - 1] == '\r' ? end - 1 : end) - from;
    }
    items.add(item(action, from, length));
    return true;
  }

  private BulkItem item(BulkAction action, int from, int length) {
    WriteItem.Kind kind = action.effectiveKind();
    String given = action.id;
    UpdateFields fields =
        kind == WriteItem.Kind.UPDATE ? UpdateFields.read(body, from, length) : UpdateFields.NONE;
    long ifSeqNo = fields.ifSeqNo() == WriteItem.UNASSIGNED ? action.ifSeqNo : fields.ifSeqNo();
    long ifPrimaryTerm =
        fields.ifPrimaryTerm() == 0 ? action.ifPrimaryTerm : fields.ifPrimaryTerm();
    Versions.check(
        kind,
        action.index,
        given,
        action.versionType,
        action.version,
        ifSeqNo,
        ifPrimaryTerm,
        problems);
    if (kind == WriteItem.Kind.UPDATE) {
      fields.check(ifSeqNo, problems);
    }
    // The action line takes precedence over the body.
    SourceFilter shown = action.shown == null ? fields.shown() : action.shown;
    boolean shows = kind == WriteItem.Kind.UPDATE && shown != null && shown.enabled();
    WriteItem write =
        new WriteItem(
            kind,
            given == null ? ids.next() : given,
            given == null,
            action.routing,
            condition(ifSeqNo, ifPrimaryTerm, action),
            new WriteItem.Content(body, from, length),
            shows);
    return new BulkItem(
        action.index == null ? "" : action.index,
        write,
        action.requireAlias,
        shows ? shown : null,
        refusal(action));
  }

  private static WriteItem.Condition condition(
      long ifSeqNo, long ifPrimaryTerm, BulkAction action) {
    WriteItem.Condition condition =
        new WriteItem.Condition(ifSeqNo, ifPrimaryTerm, action.versionType, action.version);
    return condition.equals(WriteItem.Condition.NONE) ? WriteItem.Condition.NONE : condition;
  }

  private static @Nullable ErrorBody refusal(BulkAction action) {
    if (action.id != null && action.id.isEmpty()) {
      return ErrorBody.illegalArgument("if _id is specified it must not be empty");
    }
    String pipeline = action.pipeline;
    return pipeline == null || pipeline.equals("_none")
        ? null
        : ErrorBody.illegalArgument("pipeline with id [" + pipeline + "] does not exist");
  }

  private @Nullable BulkAction action(int from, int end) {
    if (isSame(from, end)) {
      return same;
    }
    BulkAction action;
    try (JsonParser in = Json.mapper().createParser(body, from, end - from)) {
      action = BulkAction.read(in, line, defaults);
    } catch (JacksonException e) {
      throw new ApiException(JsonErrors.of(e));
    }
    if (action != null && action.id == null) {
      same = action;
      sameFrom = from;
      sameLength = end - from;
    }
    return action;
  }

  private boolean isSame(int from, int end) {
    return end - from == sameLength
        && Arrays.equals(body, from, end, body, sameFrom, sameFrom + sameLength);
  }

  /**
   * Returns the end of the line at {@link #position} and moves the position behind the line feed.
   */
  private int lineEnd() {
    for (int i = position; i < body.length; i++) {
      if (body[i] == '\n') {
        position = i + 1;
        return i;
      }
    }
    throw new ApiException(
        ErrorBody.illegalArgument("The bulk request must be terminated by a newline [\\n]"));
  }
}
