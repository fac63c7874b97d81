package io.varve.cluster;

import io.varve.events.Json;
import io.varve.events.MalformedRecordException;
import io.varve.rpc.ErrorBodies;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;

/**
 * HTTP requests to the seeds of another cluster, in the order of {@link SeedGuards}, until one of
 * them answers.
 *
 * <pre>
 *   result            returned; later seeds are not asked
 *   refusal           the next seed is asked, because a coordinator that is behind may not know the
 *                     index yet; thrown if no seed returns a result
 *   no valid answer   the next seed is asked; thrown if no seed refuses either
 * </pre>
 */
final class RemoteSeeds {

  private static final Duration TIMEOUT = Duration.ofSeconds(10);

  /** Calls one seed. */
  @FunctionalInterface
  interface Call<T> {
    T ask(String seed) throws IOException, InterruptedException;
  }

  private final RemoteAccess access;
  private final List<String> seeds;
  private final SeedGuards guards;

  RemoteSeeds(RemoteAccess access, List<String> seeds, SeedGuards guards) {
    this.access = access;
    this.seeds = List.copyOf(seeds);
    this.guards = guards;
  }

  /** As {@link #first}, for a call that only reads: it is repeated when no seed answers. */
  <T> T read(Call<T> call) throws IOException, InterruptedException {
    return seeds.isEmpty() ? first(call) : SeedRetry.reading(() -> first(call));
  }

  <T> T first(Call<T> call) throws IOException, InterruptedException {
    IOException last = new IOException("no seeds are configured");
    IOException refusal = null;
    for (String seed : guards.inOrder(seeds)) {
      try {
        access.require(seed);
        return guards.call(seed, call);
      } catch (RemoteCluster.MissingIndexException | RemoteCluster.RefusedException e) {
        refusal = e;
      } catch (IOException e) {
        last = e;
      } catch (IllegalArgumentException | MalformedRecordException e) {
        last = new IOException("seed [" + seed + "] is not a coordinator: " + e.getMessage(), e);
      }
    }
    throw refusal == null ? last : refusal;
  }

  HttpResponse<byte[]> fetch(String seed, String path) throws IOException, InterruptedException {
    return send(request(seed, path));
  }

  HttpResponse<byte[]> post(String seed, String path, Object body)
      throws IOException, InterruptedException {
    return send(
        request(seed, path)
            .header("Content-Type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofByteArray(Json.write(body))));
  }

  private HttpRequest.Builder request(String seed, String path) throws IOException {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(access.scheme() + "://" + seed + path)).timeout(TIMEOUT);
    access.authorization().ifPresent(value -> request.header("Authorization", value));
    return request;
  }

  private HttpResponse<byte[]> send(HttpRequest.Builder request)
      throws IOException, InterruptedException {
    HttpResponse<byte[]> response =
        access.http().send(request.build(), HttpResponse.BodyHandlers.ofByteArray());
    if (response.statusCode() == 401) {
      throw new RemoteCluster.UnauthorizedException(
          response.uri() + " answered 401: it does not accept " + access.credentials());
    }
    return response;
  }

  /**
   * The body of a successful response.
   *
   * @throws RemoteCluster.RefusedException the cluster refused the request
   */
  static byte[] answer(HttpResponse<byte[]> response) throws IOException {
    if (response.statusCode() == 400 || response.statusCode() == 403) {
      throw new RemoteCluster.RefusedException(
          ErrorBodies.read(response.statusCode(), response.body()));
    }
    if (response.statusCode() != 200) {
      throw new IOException(response.uri() + " answered " + response.statusCode());
    }
    return response.body();
  }
}
