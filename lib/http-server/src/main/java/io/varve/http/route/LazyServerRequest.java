package io.varve.http.route;

import jakarta.servlet.ServletException;
import jakarta.servlet.http.Cookie;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpSession;
import jakarta.servlet.http.Part;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.security.Principal;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.springframework.core.ParameterizedTypeReference;
import org.springframework.http.HttpMethod;
import org.springframework.http.converter.HttpMessageConverter;
import org.springframework.util.MultiValueMap;
import org.springframework.validation.BindException;
import org.springframework.web.accept.ApiVersionStrategy;
import org.springframework.web.bind.WebDataBinder;
import org.springframework.web.servlet.function.ServerRequest;
import org.springframework.web.util.UriBuilder;

/**
 * A {@link ServerRequest} that creates Spring's own only when something is read from it: Spring's
 * copies all headers and parses the path on creation, and the endpoints need neither.
 */
public abstract class LazyServerRequest implements ServerRequest {

  private final HttpServletRequest request;
  private @Nullable ServerRequest whole;

  protected LazyServerRequest(HttpServletRequest request) {
    this.request = request;
  }

  private ServerRequest whole() {
    ServerRequest made = whole;
    if (made == null) {
      made = ServerRequest.create(request, messageConverters());
      whole = made;
    }
    return made;
  }

  @Override
  public HttpServletRequest servletRequest() {
    return request;
  }

  @Override
  public HttpMethod method() {
    return HttpMethod.valueOf(request.getMethod());
  }

  @Override
  public URI uri() {
    return whole().uri();
  }

  @Override
  public UriBuilder uriBuilder() {
    return whole().uriBuilder();
  }

  @Override
  public Headers headers() {
    return whole().headers();
  }

  @Override
  public MultiValueMap<String, Cookie> cookies() {
    return whole().cookies();
  }

  @Override
  public Optional<InetSocketAddress> remoteAddress() {
    return whole().remoteAddress();
  }

  @Override
  public List<HttpMessageConverter<?>> messageConverters() {
    return List.of();
  }

  @Override
  public @Nullable ApiVersionStrategy apiVersionStrategy() {
    return null;
  }

  @Override
  public <T> T body(Class<T> type) throws ServletException, IOException {
    return whole().body(type);
  }

  @Override
  public <T> T body(ParameterizedTypeReference<T> type) throws ServletException, IOException {
    return whole().body(type);
  }

  @Override
  public <T> T bind(Class<T> type, Consumer<WebDataBinder> binding) throws BindException {
    return whole().bind(type, binding);
  }

  @Override
  public Map<String, Object> attributes() {
    return whole().attributes();
  }

  @Override
  public MultiValueMap<String, String> params() {
    return whole().params();
  }

  @Override
  public Map<String, String> pathVariables() {
    return whole().pathVariables();
  }

  @Override
  public MultiValueMap<String, Part> multipartData() throws IOException, ServletException {
    return whole().multipartData();
  }

  @Override
  public HttpSession session() {
    return whole().session();
  }

  @Override
  public Optional<Principal> principal() {
    return whole().principal();
  }
}
