package io.varve.engine.search;

import io.varve.rpc.ApiException;
import io.varve.rpc.ErrorBody;
import io.varve.search.mapping.ValueException;

/** Errors of a shard for queries that a mapping can't answer. */
final class SearchErrors {

  static final String TOO_DEEP = "The query is nested too deeply";

  private static final String TYPE = "query_shard_exception";

  private SearchErrors() {}

  static ApiException shard(String reason) {
    return new ApiException(400, TYPE, reason);
  }

  static ApiException failedToCreate(ErrorBody cause) {
    return new ApiException(
        ErrorBody.of(400, TYPE, "failed to create query: " + cause.reason()).causedBy(cause));
  }

  /** Adds the index whose mapping can't answer the query. */
  static ApiException in(IndexView index, ApiException e) {
    ErrorBody error = e.error();
    return error.type().equals(TYPE) && !error.fields().containsKey("index")
        ? new ApiException(error.with("index", index.name()).with("index_uuid", index.uuid()))
        : e;
  }

  /** The query string could not be parsed. */
  static ApiException parsing(String text, ErrorBody cause) {
    return new ApiException(
        ErrorBody.of(400, TYPE, "Failed to parse query [" + text + "]").causedBy(cause));
  }

  /** The search failed on a document. */
  static ApiException failed(ErrorBody cause) {
    return new ApiException(cause);
  }

  static ApiException illegal(String reason) {
    return new ApiException(ErrorBody.illegalArgument(reason));
  }

  /**
   * A malformed date is reported the same way everywhere; other values fail as part of the query.
   */
  static ApiException of(ValueException e) {
    return e.error().type().equals("parse_exception")
        ? new ApiException(e.error())
        : failedToCreate(e.error());
  }
}
