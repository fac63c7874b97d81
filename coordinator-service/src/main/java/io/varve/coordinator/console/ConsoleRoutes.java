package io.varve.coordinator.console;

import io.varve.events.Json;
import io.varve.http.route.RawPath;
import io.varve.rpc.ErrorBodies;
import io.varve.rpc.ErrorBody;
import java.net.URI;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.springframework.http.HttpMethod;
import org.springframework.http.MediaType;
import org.springframework.web.servlet.function.HandlerFunction;
import org.springframework.web.servlet.function.RouterFunction;
import org.springframework.web.servlet.function.ServerRequest;
import org.springframework.web.servlet.function.ServerResponse;

/**
 * The routes of the console: its files under {@value #ROOT}, and {@value #EVENTS}, a stream of
 * server-sent events with a {@link ClusterPicture} each.
 *
 * <p>The pages load nothing from other sites, and the content security policy of their responses
 * forbids it, so that the text of a document can't run as a script.
 */
final class ConsoleRoutes implements RouterFunction<ServerResponse> {

  private static final String PREFIX = "/_console";
  static final String ROOT = PREFIX + "/";
  static final String EVENTS = ROOT + "events";

  private static final Map<String, String> HEADERS =
      Map.of(
          "Content-Security-Policy",
          "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self';"
              + " connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
          "X-Content-Type-Options",
          "nosniff",
          "Referrer-Policy",
          "no-referrer",
          "Cache-Control",
          "no-cache");

  /** A stream has no time limit. */
  private static final Duration NO_LIMIT = Duration.ZERO;

  private final ConsoleFiles files;
  private final PictureStreams streams;

  ConsoleRoutes(ConsoleFiles files, PictureStreams streams) {
    this.files = files;
    this.streams = streams;
  }

  /** Empty for paths outside the console. */
  @Override
  public Optional<HandlerFunction<ServerResponse>> route(ServerRequest request) {
    String path = RawPath.of(request.servletRequest());
    if (!path.equals(PREFIX) && !path.startsWith(ROOT)) {
      return Optional.empty();
    }
    HttpMethod method = request.method();
    if (!method.equals(HttpMethod.GET) && !method.equals(HttpMethod.HEAD)) {
      return Optional.of(_ -> wrongMethod(method, path));
    }
    return Optional.of(
        switch (path) {
          case PREFIX -> _ -> with(ServerResponse.permanentRedirect(URI.create(ROOT))).build();
          case EVENTS ->
              method.equals(HttpMethod.HEAD)
                  ? _ -> with(ServerResponse.ok()).contentType(MediaType.TEXT_EVENT_STREAM).build()
                  : _ -> events();
          default -> call -> file(call, path);
        });
  }

  private ServerResponse events() {
    if (!streams.reserve()) {
      return error(
          ErrorBody.of(
              429,
              "rejected_execution_exception",
              "as many consoles are open as [varve.console.max-streams] allows"));
    }
    return ServerResponse.sse(streams::start, NO_LIMIT);
  }

  private ServerResponse file(ServerRequest request, String path) {
    Optional<ConsoleFiles.StaticFile> found = files.file(path.substring(ROOT.length()));
    if (found.isEmpty()) {
      return error(
          ErrorBody.of(
              404, "resource_not_found_exception", "the console has no file [" + path + "]"));
    }
    ConsoleFiles.StaticFile file = found.get();
    return request
        .checkNotModified("\"" + file.tag() + "\"")
        .orElseGet(() ->
            with(ServerResponse.ok())
                .eTag("\"" + file.tag() + "\"")
                .contentType(MediaType.parseMediaType(file.type()))
                .body(file.content()));
  }

  private static ServerResponse wrongMethod(HttpMethod method, String path) {
    return error(
        ErrorBody.of(
            405,
            "illegal_argument_exception",
            "the console accepts GET and HEAD, not [" + method + "] for [" + path + "]"));
  }

  private static ServerResponse error(ErrorBody error) {
    ServerResponse.BodyBuilder response = with(ServerResponse.status(error.status()));
    if (error.status() == 405) {
      response.header("Allow", "GET,HEAD");
    }
    return response
        .contentType(MediaType.APPLICATION_JSON)
        .body(Json.write(ErrorBodies.response(error, null)));
  }

  private static ServerResponse.BodyBuilder with(ServerResponse.BodyBuilder response) {
    HEADERS.forEach(response::header);
    return response;
  }
}
