package io.varve.rest.route;

import io.varve.rest.RestResponder;
import jakarta.servlet.http.Cookie;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatusCode;
import org.springframework.util.LinkedMultiValueMap;
import org.springframework.util.MultiValueMap;
import org.springframework.web.servlet.ModelAndView;
import org.springframework.web.servlet.function.ServerResponse;

/**
 * The response that a responder has collected: written completely, compressed if the client accepts
 * gzip.
 */
record RestResponse(RestResponder responder) implements ServerResponse {

  @Override
  public HttpStatusCode statusCode() {
    return HttpStatusCode.valueOf(responder.status());
  }

  /** The headers that an endpoint or a filter has set; others depend on the request. */
  @Override
  public HttpHeaders headers() {
    HttpHeaders headers = new HttpHeaders();
    responder.headers().forEach(headers::set);
    return headers;
  }

  @Override
  public MultiValueMap<String, Cookie> cookies() {
    return new LinkedMultiValueMap<>();
  }

  @Override
  public @Nullable ModelAndView writeTo(
      HttpServletRequest request, HttpServletResponse response, Context context)
      throws IOException {
    boolean head = "HEAD".equalsIgnoreCase(request.getMethod());
    responder.send(response, head, acceptsGzip(request.getHeader("Accept-Encoding")));
    return null;
  }

  private static boolean acceptsGzip(@Nullable String accepted) {
    if (accepted == null) {
      return false;
    }
    for (String coding : accepted.toLowerCase(Locale.ROOT).split(",", -1)) {
      String stripped = coding.strip().replace(" ", "");
      if (stripped.equals("gzip")
          || (stripped.startsWith("gzip;") && !stripped.matches("gzip;q=0(\\.0*)?"))) {
        return true;
      }
    }
    return false;
  }
}
