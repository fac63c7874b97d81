package io.varve.standalone.demo;

import io.varve.standalone.load.Documents;
import java.io.IOException;
import java.util.List;

/** Documents to index, and example searches. */
interface Corpus extends Documents {

  /**
   * An example search of the report: its title and its request body.
   *
   * @param fields the fields of each hit to print; empty for the whole source
   */
  record Question(String title, String body, List<String> fields) {}

  /** A short description for the report. */
  String title();

  /** The mappings of the index. */
  String mapping();

  /** The number of documents that {@link #forEach} supplies. */
  long count() throws IOException, InterruptedException;

  List<Question> questions();
}
