package io.varve.http.audit;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One line of the audit log. It has neither the body nor the query string of a request, because
 * both may contain documents and secrets.
 *
 * @param id unique; a record that was written twice has the same one
 * @param timestampMillis the time of the process's clock
 * @param node the name of the process
 * @param user empty for a request without a user
 * @param apiKey the id of the user's API key, if it used one
 * @param remoteAddress the address of the client's connection
 * @param path as sent, without its query
 * @param action OpenSearch's name of the action; empty outside of the dialect
 * @param status of the response, or of the refused items of a request
 * @param indices the first names of indices that were refused, in the path or in the body
 * @param reason the reason for which a process was refused
 */
public record AuditEvent(
    String id,
    @JsonProperty("timestamp") long timestampMillis,
    String node,
    Kind kind,
    String user,
    @JsonProperty("api_key") @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String apiKey,
    @JsonProperty("remote_address") String remoteAddress,
    String method,
    String path,
    String action,
    int status,
    @JsonInclude(JsonInclude.Include.NON_EMPTY) List<String> indices,
    @JsonInclude(JsonInclude.Include.NON_EMPTY) String reason) {

  public AuditEvent {
    indices = List.copyOf(indices);
  }

  /** The kind of an event. */
  public enum Kind {
    /** A password or key was accepted for the first time since users, roles or keys changed. */
    @JsonProperty("login")
    LOGIN,

    @JsonProperty("login_failed")
    LOGIN_FAILED,

    @JsonProperty("refused")
    REFUSED,

    /** A change of security, indices or settings, whether it succeeded or not. */
    @JsonProperty("change")
    CHANGE
  }
}
