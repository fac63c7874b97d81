package io.varve.coordinator.rest;

import io.varve.client.CopyReader;
import io.varve.client.NodeClient;
import io.varve.client.NodeMetrics;
import io.varve.client.NodeReader;
import io.varve.client.NodeThreads;
import io.varve.client.ShardClient;
import io.varve.client.routing.ClusterSelection;
import io.varve.client.routing.NodeGuards;
import io.varve.cluster.RemoteFiles;
import io.varve.cluster.Topics;
import io.varve.cluster.stats.NodeReport;
import io.varve.coordinator.rest.alias.AliasConfiguration;
import io.varve.coordinator.rest.byquery.ByQueryConfiguration;
import io.varve.coordinator.rest.cat.CatConfiguration;
import io.varve.coordinator.rest.ccr.CcrConfiguration;
import io.varve.coordinator.rest.ccr.FailbackLogs;
import io.varve.coordinator.rest.ccr.LeaseRemoval;
import io.varve.coordinator.rest.cluster.ClusterEndpointsConfiguration;
import io.varve.coordinator.rest.document.CoordinatingPressure;
import io.varve.coordinator.rest.document.DocumentConfiguration;
import io.varve.coordinator.rest.index.IndexConfiguration;
import io.varve.coordinator.rest.mapping.MappingConfiguration;
import io.varve.coordinator.rest.remotestore.FakeStore;
import io.varve.coordinator.rest.remotestore.RemoteStoreConfiguration;
import io.varve.coordinator.rest.remotestore.StoreReader;
import io.varve.coordinator.rest.search.SearchConfiguration;
import io.varve.coordinator.rest.task.ClientConnections;
import io.varve.coordinator.rest.task.JettyConnection;
import io.varve.coordinator.rest.task.TaskConfiguration;
import io.varve.coordinator.rest.task.TaskedRequests;
import io.varve.coordinator.rest.task.Tasks;
import io.varve.coordinator.rest.template.TemplateConfiguration;
import io.varve.coordinator.security.AuthorizedCluster;
import io.varve.coordinator.security.FakeSecurity;
import io.varve.events.Json;
import io.varve.http.route.RouteServlet;
import io.varve.log.InMemoryMessageLog;
import io.varve.memory.Heap;
import io.varve.memory.HeapWatch;
import io.varve.memory.ParentBreaker;
import io.varve.process.Parallel;
import io.varve.process.Ticker;
import io.varve.rest.InFlightRequests;
import io.varve.rest.RestEndpoint;
import io.varve.rest.RestEndpoints;
import io.varve.rest.openapi.OpenApiEndpoint;
import io.varve.rest.route.RestFilters;
import io.varve.rest.route.RestRoutes;
import jakarta.servlet.ServletException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.http.HttpClient;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpServletResponse;
import org.springframework.mock.web.MockServletConfig;
import org.springframework.util.unit.DataSize;
import tools.jackson.databind.JsonNode;

/** All endpoints over an in-memory cluster and copies; requests are lines of text. */
public final class RestHarness implements AutoCloseable {

  static final long HEAP_BYTES = 1L << 30;
  public static final long MAX_BYTES = 10_000;
  public static final long PRESSURE_BYTES = 15_000;
  private static final Path DATA = Path.of(System.getProperty("java.io.tmpdir"));

  final AtomicLong inFlightBytes = new AtomicLong(Long.MAX_VALUE);

  /** The live bytes in a heap of 1 GiB. */
  final AtomicLong heapBytes = new AtomicLong();

  private final ParentBreaker parent =
      new ParentBreaker(
          () -> HEAP_BYTES,
          () -> true,
          new HeapWatch(
              new Heap() {
                @Override
                public long usedBytes() {
                  return heapBytes.get();
                }

                @Override
                public void collect() {
                  // The heap has no garbage.
                }
              },
              System::nanoTime));
  public final RemovableCluster cluster = new RemovableCluster();
  public final FakeShards shards = new FakeShards();
  public final FakeNodes nodes = new FakeNodes();
  public final FakeStore store = new FakeStore();

  /** Logs of former leader indices and their quarantine. */
  public final InMemoryMessageLog log = new InMemoryMessageLog(Runnable::run, () -> 0);

  /** Shard and holder of each lease that was removed. */
  public final List<String> removedLeases = new CopyOnWriteArrayList<>();

  private final NodeReport report = new NodeReport(DATA, InstantSource.system());
  private final GenericApplicationContext context = new AnnotationConfigApplicationContext();
  public final List<RestEndpoint> endpoints;
  public final RestRoutes routes;
  private final RouteServlet servlet;
  private final FakeSecurity security;

  /** A harness with all services in memory. */
  public RestHarness() {
    this(false, null, null);
  }

  /** The same, with searches over real HTTP. */
  public static RestHarness overHttp() {
    return new RestHarness(true, null, null);
  }

  /** The same, whose guards of nodes have a clock of their own. */
  public static RestHarness overHttp(Ticker guards) {
    return new RestHarness(true, guards, null);
  }

  /** A harness whose requests need a user. */
  public static RestHarness secured(FakeSecurity security) {
    return new RestHarness(false, null, security);
  }

  private RestHarness(boolean overHttp, @Nullable Ticker guards, FakeSecurity security) {
    this.security = security;
    ClusterAccess access = security == null ? cluster : new AuthorizedCluster(cluster);
    AnnotationConfigApplicationContext annotated = (AnnotationConfigApplicationContext) context;
    annotated.registerBean(ClusterAccess.class, () -> access);
    if (security != null) {
      annotated.registerBean("securityEndpoints", RestEndpoints.class, security::endpoints);
    }
    if (overHttp) {
      HttpCopies copies = new HttpCopies(cluster, shards, nodes);
      annotated.registerBean(HttpCopies.class, () -> copies);
      annotated.registerBean(ShardClient.class, copies::shardClient);
      annotated.registerBean(NodeClient.class, copies::nodeClient);
    } else {
      annotated.registerBean(ShardClient.class, () -> shards);
      annotated.registerBean(NodeClient.class, () -> nodes);
    }
    if (guards != null) {
      annotated.registerBean("nodeGuards", NodeGuards.class, () -> new NodeGuards(guards));
    }
    annotated.registerBean(ParentBreaker.class, () -> parent);
    annotated.registerBean(StoreReader.class, () -> store);
    annotated.registerBean(
        LeaseRemoval.class, () -> (shard, holder) -> removedLeases.add(shard + " " + holder));
    annotated.registerBean(FailbackLogs.class, () -> new FailbackLogs(log, new Topics("varve", 1)));
    annotated.registerBean(Parallel.class, Parallel::new);
    annotated.registerBean(
        "restClock",
        InstantSource.class,
        () -> InstantSource.fixed(Instant.ofEpochSecond(1_700_000_000L)));
    annotated.registerBean(
        CopyReader.class, () -> new CopyReader(shards, context.getBean(Parallel.class)));
    annotated.registerBean(
        NodeReader.class,
        () -> new NodeReader((node, timeout) -> report.read(), context.getBean(Parallel.class)));
    annotated.registerBean(
        NodeThreads.class,
        () -> (node, query, _) -> "Hot threads of " + node.name() + ": " + query.toParameters());
    annotated.registerBean(
        NodeMetrics.class,
        () -> (node, name, _) -> "up{node=\"" + node.name() + "\",name=\"" + name + "\"} 1\n");
    CoordinatingPressure pressure = new CoordinatingPressure(PRESSURE_BYTES);
    report.section("indexing_pressure", pressure::stats);
    annotated.registerBean(CoordinatingPressure.class, () -> pressure);
    annotated.registerBean(NodeReport.class, () -> report);
    annotated.registerBean(HttpClient.class, HttpClient::newHttpClient);
    annotated.registerBean(
        RemoteFiles.class,
        () -> new RemoteFiles(Path.of("remote"), context.getBean(HttpClient.class)));
    // Copies are selected round-robin, starting with the primary.
    annotated.registerBean(RandomGenerator.class, () -> () -> 0L);
    annotated.registerBean(
        RestProperties.class, () -> new RestProperties(DataSize.ofBytes(MAX_BYTES)));
    annotated.register(
        DocumentConfiguration.class,
        SearchConfiguration.class,
        MappingConfiguration.class,
        AliasConfiguration.class,
        ClusterEndpointsConfiguration.class,
        IndexConfiguration.class,
        RemoteStoreConfiguration.class,
        TemplateConfiguration.class,
        CatConfiguration.class,
        TaskConfiguration.class,
        ByQueryConfiguration.class,
        CcrConfiguration.class);
    context.refresh();
    endpoints =
        OpenApiEndpoint.describing(
            context.getBeanProvider(RestEndpoints.class).stream()
                .flatMap(group -> group.endpoints().stream())
                .toList());
    RestFilters filters =
        new RestFilters(
            MAX_BYTES,
            new InFlightRequests(inFlightBytes::get, () -> 2, parent),
            new TaskedRequests(
                report.pools(),
                context.getBean(Tasks.class),
                new ClientConnections(JettyConnection::of, (task, reason) -> {}, System::nanoTime)),
            security == null ? null : security.guard(access));
    routes = new RestRoutes(endpoints, filters);
    servlet = RouteServlet.of(routes);
    try {
      servlet.init(new MockServletConfig());
    } catch (ServletException e) {
      throw new IllegalStateException(e);
    }
  }

  /** A bean of the coordinator. */
  public <T> T part(Class<T> type) {
    return context.getBean(type);
  }

  /** The statistics of nodes. */
  public ClusterSelection selection() {
    return context.getBean(ClusterSelection.class);
  }

  /** Sends a request such as {@code GET /path?query} without a body. */
  public MockHttpServletResponse call(String line) {
    return call(line, null);
  }

  /** A request with a JSON body. */
  public MockHttpServletResponse call(String line, String body) {
    MockHttpServletRequest request = request(line);
    if (body != null) {
      request.setContentType("application/json");
      request.setContent(body.getBytes(StandardCharsets.UTF_8));
    }
    return send(request);
  }

  public static MockHttpServletRequest request(String line) {
    int blank = line.indexOf(' ');
    String uri = line.substring(blank + 1);
    int mark = uri.indexOf('?');
    String path = mark < 0 ? uri : uri.substring(0, mark);
    MockHttpServletRequest request = new MockHttpServletRequest(line.substring(0, blank), path);
    if (mark >= 0) {
      request.setQueryString(uri.substring(mark + 1));
    }
    return request;
  }

  public MockHttpServletResponse send(MockHttpServletRequest request) {
    MockHttpServletResponse response = new MockHttpServletResponse();
    try {
      if (security == null) {
        servlet.service(request, response);
      } else {
        security.filter().doFilter(request, response, servlet::service);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (ServletException e) {
      throw new IllegalStateException(e);
    }
    return response;
  }

  public static JsonNode json(MockHttpServletResponse response) {
    return Json.mapper().readTree(response.getContentAsByteArray());
  }

  public static String text(MockHttpServletResponse response) {
    return new String(response.getContentAsByteArray(), StandardCharsets.UTF_8);
  }

  @Override
  public void close() {
    servlet.destroy();
    context.close();
  }
}
