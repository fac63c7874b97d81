package io.varve.standalone.demo;

import java.io.IOException;
import java.util.List;
import java.util.function.Consumer;

/** Documents to index, and example searches. */
interface Corpus {

  /**
   * A search for the report: its purpose, and the body of the request.
   *
   * @param fields to print of each hit; empty for the whole source
   */
  record Question(String title, String body, List<String> fields) {}

  /** A short description for the report. */
  String title();

  /** The mappings of the index. */
  String mapping();

  /** The number of documents that {@link #forEach} passes on. */
  long count() throws IOException;

  /** Passes on each document as one line of JSON. */
  void forEach(Consumer<String> documents) throws IOException;

  List<Question> questions();
}
