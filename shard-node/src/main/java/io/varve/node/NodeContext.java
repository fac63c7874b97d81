package io.varve.node;

import io.varve.cluster.ClusterView;
import io.varve.cluster.NodeIdentity;
import io.varve.cluster.Topics;
import io.varve.log.MessageLog;
import java.net.http.HttpClient;
import java.time.InstantSource;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.ScheduledExecutorService;

/**
 * What all copies of a node share.
 *
 * @param timer short, non-blocking tasks only
 * @param blocking a virtual thread for each task
 */
public record NodeContext(
    NodeIdentity identity,
    NodeSettings settings,
    MessageLog log,
    Topics topics,
    ClusterView cluster,
    LeaderClient leader,
    HttpClient http,
    InstantSource clock,
    ScheduledExecutorService timer,
    ExecutorService blocking,
    Applying applying) {}
