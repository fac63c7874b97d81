package io.varve.http.internal;

import jakarta.servlet.http.Cookie;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatusCode;
import org.springframework.util.LinkedMultiValueMap;
import org.springframework.util.MultiValueMap;
import org.springframework.web.servlet.ModelAndView;
import org.springframework.web.servlet.function.ServerResponse;

/** A response that its handler has already written; filters can read its status. */
public record InternalResponse(HttpServletResponse response) implements ServerResponse {

  @Override
  public HttpStatusCode statusCode() {
    return HttpStatusCode.valueOf(response.getStatus());
  }

  @Override
  public HttpHeaders headers() {
    HttpHeaders headers = new HttpHeaders();
    response.getHeaderNames().forEach(name -> headers.set(name, response.getHeader(name)));
    return headers;
  }

  @Override
  public MultiValueMap<String, Cookie> cookies() {
    return new LinkedMultiValueMap<>();
  }

  @Override
  public @Nullable ModelAndView writeTo(
      HttpServletRequest request, HttpServletResponse written, Context context) {
    return null;
  }
}
