package io.varve.standalone.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.events.Json;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ErrorKindsTest {

  private final ErrorKinds errors = new ErrorKinds();

  private void answered(int status, String body) {
    errors.answered("GET /a", status, Json.mapper().readTree(body.replace('\'', '"')));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "500 | {'error':{'type':'t','reason':'r','root_cause':[{'type':'t','reason':'r'}]}}",
        "404 | {'error':{'type':'shard_not_found_exception','reason':'r','root_cause':[{'type':'t','reason':'r'}]}}",
        "503 | {'error':{'type':'t','reason':'all shards failed','root_cause':[]}}",
        "503 | {'error':{'type':'t','reason':'','root_cause':[{'type':'t','reason':'r'}]}}",
        "503 | {'error':{'type':'t','reason':'r','root_cause':[{'type':'t'}]}}",
        "200 | {'items':[{'index':{'status':500,'error':{'type':'t','reason':'r'}}}]}",
      })
  void keepsWhatNoFaultExcuses(int status, String body) {
    answered(status, body);
    assertThatThrownBy(errors::assertNoneIsUnexcused).isInstanceOf(AssertionError.class);
  }

  @Test
  void countsTheOthers() {
    answered(200, "{'found':true}");
    answered(404, "{'found':false}");
    answered(503, "{'error':{'type':'t','reason':'r','root_cause':[{'type':'t','reason':'r'}]}}");
    answered(200, "{'items':[{'index':{'status':503,'error':{'type':'u','reason':'r'}}}]}");
    errors.noAnswer();

    assertThatCode(errors::assertNoneIsUnexcused).doesNotThrowAnyException();
    assertThat(errors).hasToString("{503 t=1, 503 u (item)=1, no answer=1}");
  }
}
