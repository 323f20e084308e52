# Image of a gateway with the live profile. See docs/operating.md, "Images".
# The base image has the version of Node in .nvmrc.
FROM node:24.21.0-bookworm-slim AS build
WORKDIR /build
ENV NEXT_TELEMETRY_DISABLED=1
COPY package.json package-lock.json .npmrc ./
RUN npm install --include=dev --no-audit --no-fund --no-save
COPY . .
RUN node scripts/runtime.mjs --to /runtime

FROM node:24.21.0-bookworm-slim
LABEL org.opencontainers.image.title="Turnpike" \
      org.opencontainers.image.description="A gateway whose customers need no account" \
      org.opencontainers.image.licenses="Apache-2.0"
WORKDIR /app
# Owned by root, so that the gateway cannot change its own code.
COPY --from=build /runtime ./
# The only writable folder. The rest of the file system may be read-only.
RUN install -d -o node -g node -m 0700 /data
ENV NODE_ENV=production \
    NEXT_TELEMETRY_DISABLED=1 \
    HOST=0.0.0.0 \
    PORT=3000 \
    TURNPIKE_PROFILE=live \
    TURNPIKE_DATA_DIR=/data \
    MALLOC_MMAP_THRESHOLD_=2097152
USER 1000:1000
VOLUME /data
EXPOSE 3000
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=3s --start-period=60s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/livez`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "--enable-source-maps", "--min-semi-space-size=64", "--max-semi-space-size=64", "dist/server.mjs"]
