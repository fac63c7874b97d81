package io.varve.store.s3;

import com.github.dockerjava.api.model.Volume;
import java.net.URI;
import java.time.Duration;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.containers.wait.strategy.Wait;
import org.testcontainers.junit.jupiter.Container;
import org.testcontainers.junit.jupiter.Testcontainers;
import org.testcontainers.utility.DockerImageName;

/**
 * The contract on the S3 server of docker-compose.yml, in a container. Another image is chosen with
 * {@code -Dvarve.docker.s3-image}; its server must accept the arguments of versitygw.
 */
@Tag("docker")
@Testcontainers(disabledWithoutDocker = true)
class S3ContainerTest extends S3SegmentStoreContract {

  private static final String IMAGE =
      System.getProperty("varve.docker.s3-image", "versity/versitygw:v1.8.0");
  private static final int PORT = 9000;
  private static final S3Settings.Credentials CREDENTIALS =
      new S3Settings.Credentials("test-access-key", "test-secret-key");

  @Container
  private static final GenericContainer<?> SERVER =
      new GenericContainer<>(DockerImageName.parse(IMAGE))
          .withEnv("ROOT_ACCESS_KEY_ID", CREDENTIALS.accessKey())
          .withEnv("ROOT_SECRET_ACCESS_KEY", CREDENTIALS.secretKey())
          .withCommand("--port", ":" + PORT, "--health", "/_/health", "posix", "/data")
          .withCreateContainerCmdModifier(container -> container.withVolumes(new Volume("/data")))
          .withExposedPorts(PORT)
          .waitingFor(
              Wait.forHttp("/_/health").forPort(PORT).withStartupTimeout(Duration.ofMinutes(3)));

  @BeforeAll
  static void createBucket() throws Exception {
    try (S3SegmentStore store = new S3SegmentStore(settingsOfTheServer())) {
      store.createBucketIfMissing();
    }
  }

  private static S3Settings settingsOfTheServer() {
    return new S3Settings(
        URI.create("http://" + SERVER.getHost() + ":" + SERVER.getMappedPort(PORT)),
        "us-east-1",
        "segments",
        "a/b",
        true,
        CREDENTIALS,
        null,
        S3Settings.LEAST_PART_BYTES,
        new S3Settings.Limits(Duration.ofSeconds(60), Duration.ofMinutes(3), 4));
  }

  @Override
  S3Settings settings() {
    return settingsOfTheServer();
  }
}
