package io.varve.http;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;

/**
 * Imports the auto-configurations of a service. Each jar names its own in {@code
 * META-INF/spring/io.varve.http.ServiceAutoConfiguration.imports}: this one Spring Boot's (a web
 * server, Spring MVC, TLS, health, metrics), those of the services their kinds of copy.
 *
 * <p>They are named because a service starts often, in tests and on laptops, and four of them start
 * in one process: {@code @EnableAutoConfiguration} evaluates the conditions of all that the class
 * path has, among them seventeen exporters of metrics.
 *
 * <p>Three features of Spring Boot are left out because every request would pay for them: the
 * filter that observes requests ({@link RequestTimes} takes its place), the counter of log events,
 * which adds a filter to every check of a log level, and the filter that sets charsets, which the
 * dialect reads from the content type itself.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@ImportAutoConfiguration
public @interface ServiceAutoConfiguration {}
