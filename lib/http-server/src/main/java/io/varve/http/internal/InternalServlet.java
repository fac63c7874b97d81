package io.varve.http.internal;

import io.varve.http.route.RawPath;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.springframework.web.servlet.function.HandlerFunction;

/**
 * Calls the internal routes directly, to avoid the cost of Spring's dispatcher for calls between
 * processes. Like the dispatcher, it asks the router function for the handler.
 */
public final class InternalServlet extends HttpServlet {

  private static final long serialVersionUID = 1L;

  private final transient InternalRoutes routes;

  public InternalServlet(InternalRoutes routes) {
    this.routes = routes;
  }

  InternalRoutes routes() {
    return routes;
  }

  @Override
  protected void service(HttpServletRequest received, HttpServletResponse response)
      throws IOException, ServletException {
    HttpServletRequest request = RawPath.parseable(received);
    InternalCall call = new InternalCall(request, response);
    HandlerFunction<InternalResponse> handler = routes.route(call).orElseThrow();
    try {
      handler.handle(call);
    } catch (IOException | RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new ServletException(e);
    }
  }
}
