# The whole bot in one image: docker run --env-file .env -v docs-agent:/data IMAGE
# With REDIS_URL it uses that Redis; without, it starts the image's redis-server with its data in /data.

# The package is the same for every platform, so it is built once, on the builder's own.
FROM --platform=$BUILDPLATFORM node:24.21.0-bookworm-slim@sha256:2fe369e969550cde8e867afc3fe370b260140cab4a23d467074295b42163d553 AS build
WORKDIR /build
COPY package.json package-lock.json .npmrc ./
RUN npm ci --ignore-scripts
COPY . .
# Files keep the modes that they have where they were cloned, with a umask of 077 for one user alone.
RUN npm pack && tar -xzf docs-agent-for-slack-*.tgz && chmod -R a+rX package
# What the package bundles stays here, so that the SBOM lists it.
RUN npm prune --omit=dev --ignore-scripts
ARG BUILDKIT_SBOM_SCAN_STAGE=true

FROM node:24.21.0-bookworm-slim@sha256:2fe369e969550cde8e867afc3fe370b260140cab4a23d467074295b42163d553
# The running bot needs no package manager, and each would have to be kept up to date.
RUN apt-get update \
  && apt-get install -y --no-install-recommends redis-server \
  && rm -rf /var/lib/apt/lists/* /var/cache/* /var/log/* \
    /usr/local/lib/node_modules /usr/local/include /opt/yarn-* \
    /usr/local/bin/npm /usr/local/bin/npx /usr/local/bin/corepack /usr/local/bin/yarn /usr/local/bin/yarnpkg \
  && install -d -o 1000 -g 1000 -m 700 /data
COPY --from=build /build/package /app
WORKDIR /app
# `container`: notices then say what to do in a container, where a restart keeps the old settings.
ENV DATA_DIR=/data container=oci
VOLUME /data
# The image's user `node`, as a number: Kubernetes can tell that it isn't root.
USER 1000:1000
EXPOSE 3000
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=5s --start-period=40s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT || 3000}/healthz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "dist/main.js"]
CMD ["all"]
ARG VERSION=0.0.0-local
ARG REVISION=
ARG SOURCE=
LABEL org.opencontainers.image.title="Docs Agent for Slack" \
  org.opencontainers.image.description="Ask the docs agent for a change and see docs traffic, without leaving Slack" \
  org.opencontainers.image.licenses="MIT" \
  org.opencontainers.image.base.name="docker.io/library/node:24.21.0-bookworm-slim" \
  org.opencontainers.image.version="$VERSION" \
  org.opencontainers.image.revision="$REVISION" \
  org.opencontainers.image.source="$SOURCE"
