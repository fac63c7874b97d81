package io.varve.shard.http;

import io.varve.events.MalformedRecordException;
import io.varve.host.http.CopyCalls;
import io.varve.http.internal.Bodies;
import io.varve.http.internal.InternalCall;
import io.varve.http.internal.InternalEndpoints;
import io.varve.http.internal.InternalFailures;
import io.varve.http.internal.InternalRoute;
import io.varve.rpc.ApiException;
import io.varve.rpc.ErrorBody;
import io.varve.rpc.NodeBulkWire;
import io.varve.rpc.NodeBulkWire.Frame;
import io.varve.rpc.NodeBulkWire.Head;
import io.varve.shard.primary.WritePressure;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

/**
 * The endpoint for a bulk with parts for several primaries of this node, see {@link NodeBulkWire}.
 *
 * <p>A part is treated like a request to the endpoint {@code bulk} of its copy: it is admitted
 * before its items are read, executed on its own thread as soon as they are read, and answered when
 * it has ended, whether or not other parts have ended. Answers are written after the whole request
 * was read, because its sender reads no answer before that.
 *
 * <p>INVARIANT: once a part has begun, no answer reports that the whole request was refused. Parts
 * that have begun are completed even if the connection breaks.
 */
public final class NodeBulks {

  /** The endpoint under which the parts are counted. */
  private static final String ENDPOINT = "bulk";

  private static final CopyCalls.Answer ENDED_BY_ERROR =
      CopyCalls.Answer.of(ErrorBody.of(500, "internal_server_error", "the write has failed"));

  private final CopyCalls calls;
  private final PartWrites writes;
  private final Runnable memoryCheck;
  private final long defaultTimeoutMillis;

  /**
   * @param memoryCheck throws 429 while the heap has no room for a bulk
   */
  public NodeBulks(
      CopyCalls calls, PartWrites writes, Runnable memoryCheck, long defaultTimeoutMillis) {
    this.calls = calls;
    this.writes = writes;
    this.memoryCheck = memoryCheck;
    this.defaultTimeoutMillis = defaultTimeoutMillis;
  }

  public InternalEndpoints endpoints() {
    return new InternalEndpoints(
        NodeBulkWire.PATH,
        List.of(new InternalRoute("POST", NodeBulkWire.PATH, "node-bulk", this::handle)));
  }

  private void handle(InternalCall call) throws IOException, InterruptedException {
    InputStream in = call.request().getInputStream();
    List<Head> heads = heads(call.request(), in);
    Duration timeout = WriteEndpoints.timeout(call.request(), defaultTimeoutMillis);
    BlockingQueue<Frame> answers = new LinkedBlockingQueue<>();
    for (int part = 0; part < heads.size(); part++) {
      try {
        begin(new Part(part, heads.get(part), timeout, answers), in);
      } catch (EOFException | ApiException e) {
        refuse(part, heads.size(), cutOff(), answers);
        break;
      } catch (IOException e) {
        ErrorBody slow = InternalFailures.ofSlowClient(e).orElseThrow(() -> e);
        refuse(part, heads.size(), slow, answers);
        break;
      }
    }
    send(answers, heads.size(), call.response());
  }

  private static ErrorBody cutOff() {
    return ErrorBody.of(400, "parse_exception", "the body ended early");
  }

  private static List<Head> heads(HttpServletRequest request, InputStream in) throws IOException {
    long all = request.getContentLengthLong();
    int size = NodeBulkWire.length(Bodies.read(in, NodeBulkWire.LENGTH_BYTES));
    if (size < 0 || size > all - NodeBulkWire.LENGTH_BYTES) {
      throw new MalformedRecordException("heads of " + size + " bytes in a body of " + all);
    }
    List<Head> heads = NodeBulkWire.decodeHeads(Bodies.read(in, size));
    long expected =
        (long) NodeBulkWire.LENGTH_BYTES + size + heads.stream().mapToLong(Head::sizeBytes).sum();
    if (expected != all) {
      throw new MalformedRecordException("parts of " + expected + " bytes in a body of " + all);
    }
    return heads;
  }

  /** A part, and the queue for its answer. */
  private record Part(int number, Head head, Duration timeout, BlockingQueue<Frame> answers) {

    void answer(CopyCalls.Answer answer) {
      answers.add(new Frame(number, answer.status(), answer.body()));
    }
  }

  /** Reads a part; begins it if it is admitted. */
  private void begin(Part part, InputStream in) throws IOException {
    int size = part.head().sizeBytes();
    WritePressure.Room room;
    try {
      memoryCheck.run();
      room = WriteEndpoints.primary(calls.copy(part.head().shard())).admit(size);
    } catch (ApiException refusal) {
      in.skipNBytes(size);
      part.answer(
          calls.answer(
              part.head().shard(),
              ENDPOINT,
              _ -> {
                throw refusal;
              }));
      return;
    }
    boolean begun = false;
    try {
      byte[] items = Bodies.read(in, size);
      Thread.ofVirtual().name("bulk-part").start(() -> write(part, items, room));
      begun = true;
    } finally {
      if (!begun) {
        room.close();
      }
    }
  }

  private void write(Part part, byte[] items, WritePressure.Room room) {
    CopyCalls.Answer answer = ENDED_BY_ERROR;
    try (room) {
      answer =
          calls.answer(
              part.head().shard(),
              ENDPOINT,
              copy ->
                  writes.write(
                      WriteEndpoints.primary(copy), part.head(), items, room, part.timeout()));
    } finally {
      part.answer(answer);
    }
  }

  private static void refuse(int from, int parts, ErrorBody error, BlockingQueue<Frame> answers) {
    CopyCalls.Answer refusal = CopyCalls.Answer.of(error);
    for (int part = from; part < parts; part++) {
      answers.add(new Frame(part, refusal.status(), refusal.body()));
    }
  }

  @SuppressWarnings("ThreadPriorityCheck") // A yield that has no effect costs only system calls.
  private static void send(BlockingQueue<Frame> answers, int parts, HttpServletResponse response)
      throws IOException, InterruptedException {
    response.setStatus(HttpServletResponse.SC_OK);
    response.setContentType(NodeBulkWire.CONTENT_TYPE);
    OutputStream out = response.getOutputStream();
    List<Frame> ready = new ArrayList<>();
    for (int sent = 0; sent < parts; sent += ready.size()) {
      if (sent > 0) {
        response.flushBuffer();
      }
      ready.clear();
      ready.add(answers.take());
      // Parts that can run now often end now; their answers share a system call with this one.
      Thread.yield();
      answers.drainTo(ready);
      for (Frame frame : ready) {
        out.write(NodeBulkWire.encodeFrame(frame));
      }
    }
  }
}
