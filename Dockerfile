# One image for all services; the command names the main class. Built from the distribution that Maven creates:
#   mvn -DskipTests package && docker build -t varve:0.1.0 .
FROM eclipse-temurin:25.0.4_7-jre-noble
# Volumes keep the numbers of user and group, so they are fixed. The health checks of docker-compose.yml call openssl.
RUN openssl version \
 && groupadd --gid 10001 varve \
 && useradd --uid 10001 --gid varve --home-dir /var/lib/varve --no-create-home --shell /usr/sbin/nologin varve \
 && install --directory --owner varve --group varve --mode 0750 /var/lib/varve
COPY jvm.options /opt/varve/jvm.options
COPY standalone/target/dist/lib /opt/varve/lib
# The libraries in the image, in CycloneDX's format.
COPY standalone/target/dist/varve.cdx.json /opt/varve/varve.cdx.json
# An AOT cache belongs to one class path, so the jars are listed once, in a fixed order. The recording starts all services and a broker on
# loopback; if it fails, so does the build.
RUN printf -- '-cp\n%s\n' "$(printf '%s:' /opt/varve/lib/*.jar | sed 's/:$//')" > /opt/varve/class-path \
 && java @/opt/varve/jvm.options @/opt/varve/class-path -Xmx512m -XX:AOTCacheOutput=/opt/varve/varve.aot \
      io.varve.standalone.StartTraining \
 && test -s /opt/varve/varve.aot
USER varve
VOLUME /var/lib/varve
WORKDIR /var/lib/varve
ENTRYPOINT ["java", "@/opt/varve/jvm.options", "@/opt/varve/class-path", "-XX:MaxRAMPercentage=60", "-XX:AOTCache=/opt/varve/varve.aot"]
CMD ["io.varve.coordinator.CoordinatorService"]
