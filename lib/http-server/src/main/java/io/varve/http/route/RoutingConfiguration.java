package io.varve.http.route;

import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.filter.RequestContextFilter;
import org.springframework.web.servlet.DispatcherServlet;

/** Wires Spring's dispatcher and its mapping of routes. */
@Configuration(proxyBeanMethods = false)
public class RoutingConfiguration {

  /** The bean has the name under which Spring Boot registers the dispatcher of a service. */
  @Bean
  DispatcherServlet dispatcherServlet() {
    return new RouteServlet();
  }

  @Bean
  RouteMapping routeMapping() {
    return new RouteMapping();
  }

  /** The dispatcher already exposes the request to its thread; the filter would do so again. */
  @Bean
  FilterRegistrationBean<RequestContextFilter> requestContextFilter() {
    FilterRegistrationBean<RequestContextFilter> registration =
        new FilterRegistrationBean<>(new RequestContextFilter());
    registration.setEnabled(false);
    return registration;
  }
}
