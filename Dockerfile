# gpuadvisor as a container: docker run --rm -v "$PWD:/work" gpuadvisor check plan.json
FROM python:3.12-slim AS build
COPY . /source
RUN python -m venv /opt/gpuadvisor \
 && /opt/gpuadvisor/bin/pip install --no-cache-dir --disable-pip-version-check "/source[report]"

FROM python:3.12-slim
# git: policies are read from the target branch with --config git:REF:PATH.
RUN apt-get update -qq \
 && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends git \
 && rm -rf /var/lib/apt/lists/* \
 && git config --system --add safe.directory /work \
 && useradd --create-home gpuadvisor
COPY --from=build /opt/gpuadvisor /opt/gpuadvisor
ENV PATH="/opt/gpuadvisor/bin:$PATH"
USER gpuadvisor
WORKDIR /work
ENTRYPOINT ["gpuadvisor"]
CMD ["--help"]
