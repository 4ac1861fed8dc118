# docker build -t fstmetrics . && docker run --rm -v "$PWD:/data" fstmetrics score ref.txt hyp.txt
FROM python:3.13-slim AS build
RUN apt-get update && apt-get install -y --no-install-recommends g++ && rm -rf /var/lib/apt/lists/*
WORKDIR /source
COPY pyproject.toml README.md LICENSE ./
COPY fstmetrics fstmetrics
COPY grammars grammars
RUN pip wheel --no-cache-dir --no-deps --wheel-dir /wheels .

FROM python:3.13-slim
RUN --mount=type=bind,from=build,source=/wheels,target=/wheels \
    pip install --no-cache-dir /wheels/*.whl && useradd --create-home --uid 1000 user
USER 1000
WORKDIR /data
ENTRYPOINT ["fstmetrics"]
CMD ["--help"]
