package io.varve.http.route;

import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.springframework.web.context.WebApplicationContext;
import org.springframework.web.context.support.GenericWebApplicationContext;
import org.springframework.web.servlet.DispatcherServlet;
import org.springframework.web.servlet.function.RouterFunction;
import org.springframework.web.servlet.function.support.HandlerFunctionAdapter;

/**
 * Spring's dispatcher without the steps that change or consume a request before it is routed: every
 * method is dispatched, {@code OPTIONS} and {@code TRACE} included, and no body is read as a form.
 */
public final class RouteServlet extends DispatcherServlet {

  private static final long serialVersionUID = 1L;

  RouteServlet() {
    setPublishEvents(false);
  }

  private RouteServlet(WebApplicationContext context) {
    super(context);
    setPublishEvents(false);
  }

  /** A servlet that serves only these routes, in any container. */
  public static RouteServlet of(RouterFunction<?> routes) {
    GenericWebApplicationContext context = new GenericWebApplicationContext();
    context.registerBean(RouteMapping.class, () -> new RouteMapping(routes));
    context.registerBean(HandlerFunctionAdapter.class);
    return new RouteServlet(context);
  }

  @Override
  protected void service(HttpServletRequest request, HttpServletResponse response)
      throws ServletException, IOException {
    processRequest(request, response);
  }

  @Override
  protected void doService(HttpServletRequest request, HttpServletResponse response)
      throws Exception {
    super.doService(RawPath.parseable(request), response);
  }

  @Override
  protected HttpServletRequest checkMultipart(HttpServletRequest request) {
    return request;
  }
}
