package io.varve.http;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;

/**
 * Imports the auto-configurations of a service. Each jar names its own in {@code
 * META-INF/spring/io.varve.http.ServiceAutoConfiguration.imports}: this jar names Spring Boot's (a
 * web server, Spring MVC, TLS, health, metrics), and the jars of the services name their kinds of
 * copy.
 *
 * <p>They are named to keep starts short: services start often, in tests and on laptops, and four
 * of them start in one process. {@code @EnableAutoConfiguration} would evaluate the conditions of
 * every auto-configuration on the class path, among them seventeen exporters of metrics.
 *
 * <p>Three features of Spring Boot are omitted because of their cost per request: the filter that
 * observes requests ({@link RequestTimes} replaces it); the counter of log events, which adds a
 * filter to every check of a log level; and the filter that sets charsets, which the dialect itself
 * reads from the content type.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@ImportAutoConfiguration
public @interface ServiceAutoConfiguration {}
