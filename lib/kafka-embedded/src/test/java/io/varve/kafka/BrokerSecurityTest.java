package io.varve.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.kafka.BrokerAcl.Operation;
import io.varve.kafka.BrokerAcl.Resource;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BrokerSecurityTest {

  private static final BrokerAcl ACL =
      new BrokerAcl(
          "User:books.coordinator",
          Operation.DESCRIBE_CONFIGS,
          Resource.TOPIC,
          true,
          "varve.books.");

  @TempDir private Path folder;

  @Test
  void aPermissionIsOneLineAndOneCall() throws Exception {
    assertThat(ACL.line())
        .isEqualTo("User:books.coordinator describe_configs topic prefixed varve.books.");
    assertThat(BrokerAcl.parse(ACL.line())).isEqualTo(ACL);
    assertThat(ACL.command("kafka:9093"))
        .isEqualTo(
            "kafka-acls.sh --bootstrap-server kafka:9093 --command-config admin.properties --add"
                + " --allow-principal User:books.coordinator --operation DescribeConfigs --topic"
                + " varve.books. --resource-pattern-type prefixed");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "User:a read topic", "User:a fly topic literal b", "User:a read topic any b"})
  void aMalformedPermissionIsNamed(String line) {
    assertThatThrownBy(() -> BrokerAcl.parse(line))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("[" + line + "]");
  }

  @Test
  void theFilesAreReadAsTheyWereWritten() throws Exception {
    Files.writeString(folder.resolve(BrokerSecurity.PROPERTIES_FILE), "ssl.client.auth=required\n");
    Files.writeString(folder.resolve(BrokerSecurity.ACLS_FILE), ACL.line() + "\n");
    BrokerSecurity read = BrokerSecurity.read(folder);
    assertThat(read.properties()).containsOnlyKeys("ssl.client.auth");
    assertThat(read.acls()).isEqualTo(List.of(ACL));
    assertThat(read.protocol()).isEqualTo("SSL");
    assertThat(BrokerSecurity.NONE.protocol()).isEqualTo("PLAINTEXT");
  }
}
