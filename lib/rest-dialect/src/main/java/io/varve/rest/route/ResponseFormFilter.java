package io.varve.rest.route;

import io.varve.http.route.UriText;
import io.varve.rest.BodyFormat;
import io.varve.rest.FilterPath;
import jakarta.servlet.http.HttpServletRequest;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.web.servlet.function.HandlerFilterFunction;
import org.springframework.web.servlet.function.HandlerFunction;
import org.springframework.web.servlet.function.ServerRequest;

/**
 * Reads the parameters that determine the form of the response: its format, {@code pretty}, {@code
 * filter_path} and {@code error_trace}.
 */
final class ResponseFormFilter implements HandlerFilterFunction<RestResponse, RestResponse> {

  @Override
  public RestResponse filter(ServerRequest request, HandlerFunction<RestResponse> next)
      throws Exception {
    RestCall call = RestCall.of(request);
    HttpServletRequest http = call.http();
    String query = http.getQueryString();
    Map<String, String> parameters = query == null ? new LinkedHashMap<>() : UriText.query(query);
    call.wantStackTrace(isOn(parameters.get("error_trace")));
    boolean pretty = isOn(parameters.get("pretty"));
    BodyFormat format =
        BodyFormat.ofAnswer(
            parameters.get("format"), http.getHeader("Accept"), http.getContentType());
    call.form(pretty, FilterPath.parse(parameters.get("filter_path")), format);
    parameters.putAll(request.pathVariables());
    call.parameters(parameters);
    return next.handle(request);
  }

  private static boolean isOn(@Nullable String flag) {
    return flag != null && !flag.equals("false");
  }
}
