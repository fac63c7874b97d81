package io.varve.cluster.local;

import java.io.IOException;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The internal endpoints of a node of this process. */
public interface LocalNode {

  /**
   * A request as it would be sent over HTTP.
   *
   * @param target the encoded path with its query
   * @param headers in order
   */
  @SuppressWarnings("ArrayRecordComponent")
  record Request(
      String method, String target, List<Map.Entry<String, String>> headers, byte[] body) {
    public Request {
      headers = List.copyOf(headers);
    }

    /** The encoded path without its query. */
    public String path() {
      int query = target.indexOf('?');
      return query < 0 ? target : target.substring(0, query);
    }

    /** The encoded query, empty without one. */
    public String query() {
      int query = target.indexOf('?');
      return query < 0 ? "" : target.substring(query + 1);
    }

    /** The first header of that name, in any case. */
    public @Nullable String header(String name) {
      for (Map.Entry<String, String> header : headers) {
        if (header.getKey().equalsIgnoreCase(name)) {
          return header.getValue();
        }
      }
      return null;
    }
  }

  /**
   * @param headers by their names as the endpoint has written them
   */
  @SuppressWarnings("ArrayRecordComponent")
  record Answer(int status, Map<String, String> headers, byte[] body) {
    public Answer {
      headers = Collections.unmodifiableMap(new LinkedHashMap<>(headers));
    }
  }

  /** Whether there is an internal endpoint for this method and path. */
  boolean serves(Request request);

  /**
   * Handles the request on the calling thread, with the same checks and results as over HTTP.
   *
   * @throws IOException where the connection would have been broken
   */
  Answer handle(Request request) throws IOException;

  /**
   * The same for an answer that may arrive in pieces.
   *
   * @param flushed receives what the endpoint flushes before it ends, if the status is 200; the
   *     answer has the rest
   */
  default Answer handle(Request request, Consumer<byte[]> flushed) throws IOException {
    return handle(request);
  }
}
