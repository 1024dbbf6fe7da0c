# graspmap in a container: builds the Debian package, then installs it into a clean Debian.
#   docker build -t graspmap .
#   docker run --rm -v "$PWD:/work" -u "$(id -u):$(id -g)" graspmap run my_sweep.toml
# No docker was at hand where this was written: its commands were followed in two Debian 12 roots that
# mmdebstrap made, the file itself was never built (docs/how-to/install.md).
FROM debian:12-slim AS build
COPY . /graspmap
RUN /graspmap/scripts/package

FROM debian:12-slim
RUN --mount=type=bind,from=build,source=/graspmap/build/package,target=/packages \
    apt-get update && \
    apt-get install --yes --no-install-recommends /packages/graspmap_*.deb gnuplot-nox && \
    rm -rf /var/lib/apt/lists/*
WORKDIR /work
ENTRYPOINT ["graspmap"]
