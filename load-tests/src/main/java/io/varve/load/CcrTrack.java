package io.varve.load;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;

/**
 * A smaller version of a track of Rally's CCR benchmarks, with generated documents of the same
 * structure.
 *
 * <p>Documents of {@link #PMC} have a tenth of the original's text, so there are a tenth as many.
 */
enum CcrTrack {
  GEOPOINT(Shape.POINTS, 1_000, 1),
  HTTP_LOGS(Shape.LOGS, 1_000, 1),
  PMC(Shape.ARTICLES, 100, 0.1),
  EVENTDATA(Shape.EVENTS, 1_000, 0.5);

  private static final long SEED = 42;

  private final Shape shape;
  private final int documentsPerBulk;
  private final double share;

  CcrTrack(Shape shape, int documentsPerBulk, double share) {
    this.shape = shape;
    this.documentsPerBulk = documentsPerBulk;
    this.share = share;
  }

  Shape shape() {
    return shape;
  }

  int documentsPerBulk() {
    return documentsPerBulk;
  }

  /**
   * The number of documents of this track, scaled so that the track with the smallest documents has
   * {@code most}.
   */
  int documents(int most) {
    return Math.max(1, (int) Math.round(most * share));
  }

  String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Bulks of documents without ids. */
  List<byte[]> bodies(int documents) {
    return new BulkRun(shape, Copies.NONE, documents, documentsPerBulk, 1, "1s").bodies();
  }

  /**
   * Bulks of documents with ids.
   *
   * @param conflicts the share of documents that get the id of a random earlier one
   */
  Conflicting conflicting(int documents, double conflicts) {
    List<byte[]> bodies = new ArrayList<>();
    SplittableRandom random = new SplittableRandom(SEED);
    StringBuilder body = new StringBuilder();
    int ids = 0;
    for (int i = 0; i < documents; i++) {
      boolean repeated = ids > 0 && random.nextDouble() < conflicts;
      int id = repeated ? random.nextInt(ids) : ids++;
      body.append("{\"index\":{\"_id\":\"").append(id).append("\"}}\n");
      shape.append(body, random, i);
      body.append('\n');
      if ((i + 1) % documentsPerBulk == 0 || i + 1 == documents) {
        bodies.add(body.toString().getBytes(UTF_8));
        body.setLength(0);
      }
    }
    return new Conflicting(bodies, ids);
  }

  /**
   * Bulks in which some documents overwrite others.
   *
   * @param ids the number of different ids
   */
  record Conflicting(List<byte[]> bodies, int ids) {}
}
