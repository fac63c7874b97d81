package io.varve.engine.search;

import io.varve.rpc.ApiException;
import io.varve.rpc.ErrorBody;
import io.varve.search.mapping.ValueException;

/** Creates the errors of a shard for queries that the mapping does not support. */
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

  /** Adds the name of the index. */
  static ApiException in(IndexView index, ApiException e) {
    ErrorBody error = e.error();
    return error.type().equals(TYPE) && !error.fields().containsKey("index")
        ? new ApiException(error.with("index", index.name()).with("index_uuid", index.uuid()))
        : e;
  }

  /** The error for a query string that can't be parsed. */
  static ApiException parsing(String text, ErrorBody cause) {
    return new ApiException(
        ErrorBody.of(400, TYPE, "Failed to parse query [" + text + "]").causedBy(cause));
  }

  /** The error of a search that failed on a document. */
  static ApiException failed(ErrorBody cause) {
    return new ApiException(cause);
  }

  static ApiException illegal(String reason) {
    return new ApiException(ErrorBody.illegalArgument(reason));
  }

  /**
   * The error for a malformed value in a query. Malformed dates have an error type of their own.
   */
  static ApiException of(ValueException e) {
    return e.error().type().equals("parse_exception")
        ? new ApiException(e.error())
        : failedToCreate(e.error());
  }
}
