package io.varve.http.internal;

import io.varve.cluster.local.LocalNode;
import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A request and its response in memory, for internal endpoints that a node of the same process
 * calls. They have the methods of the servlet API that these endpoints use; any other throws {@link
 * UnsupportedOperationException}, which the caller receives as an error with status 500.
 */
final class LocalExchange {

  private static final int FIRST_BYTES = 512;

  private final LocalNode.Request call;
  private final Map<String, Object> attributes = new HashMap<>();
  private final Map<String, String> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
  private final ByteArrayOutputStream body = new ByteArrayOutputStream(FIRST_BYTES);
  private @Nullable Map<String, List<String>> parameters;
  private int status = HttpServletResponse.SC_OK;
  private final @Nullable Consumer<byte[]> flushed;
  private boolean committed;

  /**
   * @param flushed receives what the endpoint flushes; null to collect the whole answer
   */
  LocalExchange(LocalNode.Request call, @Nullable Consumer<byte[]> flushed) {
    this.call = call;
    this.flushed = flushed;
  }

  HttpServletRequest request() {
    return proxy(
        HttpServletRequest.class, (_, method, arguments) -> read(method.getName(), arguments));
  }

  HttpServletResponse response() {
    return proxy(
        HttpServletResponse.class, (_, method, arguments) -> write(method.getName(), arguments));
  }

  LocalNode.Answer answer() {
    return new LocalNode.Answer(status, headers, body.toByteArray());
  }

  private static <T> T proxy(Class<T> type, InvocationHandler handler) {
    return type.cast(
        Proxy.newProxyInstance(
            LocalExchange.class.getClassLoader(), new Class<?>[] {type}, handler));
  }

  private @Nullable Object read(String method, Object @Nullable [] arguments) {
    return switch (method) {
      case "getMethod" -> call.method();
      case "getRequestURI" -> call.path();
      case "getQueryString" -> call.query();
      case "getContextPath" -> "";
      case "getHeader" -> call.header(text(arguments, 0));
      case "getParameter" -> first(parameters().get(text(arguments, 0)));
      case "getParameterValues" -> all(parameters().get(text(arguments, 0)));
      case "getContentLengthLong" -> (long) call.body().length;
      case "getInputStream" -> new Input(call.body());
      case "getAttribute" -> attributes.get(text(arguments, 0));
      case "setAttribute" -> attributes.put(text(arguments, 0), argument(arguments, 1));
      default -> throw new UnsupportedOperationException(method);
    };
  }

  private @Nullable Object write(String method, Object @Nullable [] arguments) {
    return switch (method) {
      case "getStatus" -> status;
      case "setStatus" -> {
        status = (int) argument(arguments, 0);
        yield null;
      }
      case "getHeader" -> headers.get(text(arguments, 0));
      case "getHeaderNames" -> List.copyOf(headers.keySet());
      case "setHeader" -> header(text(arguments, 0), arguments == null ? null : arguments[1]);
      case "setContentType" -> header("Content-Type", argument(arguments, 0));
      // The length is that of the body.
      case "setContentLength", "setContentLengthLong" -> null;
      case "getOutputStream" -> new Output(body);
      case "flushBuffer" -> flush();
      case "isCommitted" -> committed;
      case "reset" -> reset();
      default -> throw new UnsupportedOperationException(method);
    };
  }

  private @Nullable Object header(String name, @Nullable Object value) {
    return value == null ? headers.remove(name) : headers.put(name, value.toString());
  }

  /** Without a receiver, nothing is sent before the endpoint has ended. */
  private @Nullable Object flush() {
    if (flushed != null && status == HttpServletResponse.SC_OK) {
      committed = true;
      flushed.accept(body.toByteArray());
      body.reset();
    }
    return null;
  }

  private @Nullable Object reset() {
    status = HttpServletResponse.SC_OK;
    headers.clear();
    body.reset();
    return null;
  }

  private static Object argument(Object @Nullable [] arguments, int index) {
    if (arguments == null || arguments[index] == null) {
      throw new IllegalArgumentException("argument " + index + " is missing");
    }
    return arguments[index];
  }

  private static String text(Object @Nullable [] arguments, int index) {
    return (String) argument(arguments, index);
  }

  private static @Nullable String first(@Nullable List<String> values) {
    return values == null ? null : values.getFirst();
  }

  private static String @Nullable [] all(@Nullable List<String> values) {
    return values == null ? null : values.toArray(String[]::new);
  }

  private Map<String, List<String>> parameters() {
    Map<String, List<String>> known = parameters;
    if (known == null) {
      known = parsed(call.query());
      parameters = known;
    }
    return known;
  }

  private static Map<String, List<String>> parsed(String query) {
    Map<String, List<String>> parsed = new HashMap<>();
    for (String parameter : query.split("&", -1)) {
      if (!parameter.isEmpty()) {
        String[] parts = parameter.split("=", 2);
        parsed
            .computeIfAbsent(decoded(parts[0]), _ -> new ArrayList<>(1))
            .add(parts.length == 1 ? "" : decoded(parts[1]));
      }
    }
    return parsed;
  }

  private static String decoded(String text) {
    return URLDecoder.decode(text, StandardCharsets.UTF_8);
  }

  private static final class Input extends ServletInputStream {

    private final ByteArrayInputStream bytes;

    Input(byte[] bytes) {
      this.bytes = new ByteArrayInputStream(bytes);
    }

    @Override
    public int read() {
      return bytes.read();
    }

    @Override
    public int read(byte[] to, int from, int length) {
      return bytes.read(to, from, length);
    }

    @Override
    public boolean isFinished() {
      return bytes.available() == 0;
    }

    @Override
    public boolean isReady() {
      return true;
    }

    @Override
    public void setReadListener(ReadListener listener) {
      throw new UnsupportedOperationException("setReadListener");
    }
  }

  private static final class Output extends ServletOutputStream {

    private final ByteArrayOutputStream bytes;

    Output(ByteArrayOutputStream bytes) {
      this.bytes = bytes;
    }

    @Override
    public void write(int one) {
      bytes.write(one);
    }

    @Override
    public void write(byte[] from, int offset, int length) {
      bytes.write(from, offset, length);
    }

    @Override
    public boolean isReady() {
      return true;
    }

    @Override
    public void setWriteListener(WriteListener listener) {
      throw new UnsupportedOperationException("setWriteListener");
    }
  }
}
