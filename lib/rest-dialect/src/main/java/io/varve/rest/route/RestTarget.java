package io.varve.rest.route;

import io.varve.rest.RestEndpoint;
import io.varve.rest.RestMethod;
import org.springframework.web.util.pattern.PathPattern;

/**
 * An endpoint as the target of one of its routes.
 *
 * @param kindOfWork under which its requests are counted
 * @param template the template of the route, as Spring shows it to observations
 */
record RestTarget(
    RestEndpoint endpoint, RestMethod method, String kindOfWork, PathPattern template) {}
