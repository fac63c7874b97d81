package io.varve.standalone.log;

import org.springframework.boot.logging.logback.StructuredLogEncoder;
import org.springframework.core.env.Environment;
import org.springframework.core.env.StandardEnvironment;

/**
 * Writes log events as JSON in the Elastic Common Schema, one per line, with the encoder of Spring
 * Boot. It also works in a process without Spring, such as a broker.
 */
public final class JsonLogEncoder extends StructuredLogEncoder {

  private static final String ENVIRONMENT = Environment.class.getName();

  @Override
  public void start() {
    setFormat("ecs");
    if (getContext().getObject(ENVIRONMENT) == null) {
      getContext().putObject(ENVIRONMENT, new StandardEnvironment());
    }
    super.start();
  }
}
