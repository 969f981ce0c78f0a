# The production image: the service without the embedded servers. One image, three commands: api, worker, migrate.

FROM python:3.11-slim AS build
WORKDIR /src
# The same three steps as `make setup` (a test compares them), with the lock of what production needs. Dependencies come
# first, so that a change of our own code reuses their layer.
COPY requirements.lock ./
RUN python3 -m venv /opt/venv
RUN /opt/venv/bin/python -m pip install --compile --require-hashes --requirement requirements.lock
COPY pyproject.toml README.md LICENSE ./
COPY app ./app
COPY workers ./workers
COPY migrations ./migrations
RUN /opt/venv/bin/python -m pip install --compile --no-deps --no-build-isolation .

FROM python:3.11-slim
RUN useradd --system --user-group --no-create-home --home-dir /nonexistent --shell /usr/sbin/nologin context-atlas
COPY --from=build /opt/venv /opt/venv
ENV PATH=/opt/venv/bin:$PATH \
    PYTHONUNBUFFERED=1 \
    HOST=0.0.0.0 \
    PORT=8000
WORKDIR /
USER context-atlas
EXPOSE 8000
STOPSIGNAL SIGTERM
# Liveness only: a database that is away is no reason to restart the API. Workers have no port and switch this off.
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s --retries=3 \
    CMD ["python", "-c", "import os, urllib.request; urllib.request.urlopen(f'http://127.0.0.1:{os.environ[\"PORT\"]}/livez', timeout=4)"]
ENTRYPOINT ["context-atlas"]
CMD ["api"]
