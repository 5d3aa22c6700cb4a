# One image for the API and the worker: the command differs (see docker-compose.yml).
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
RUN npm run build && rm dist/.tsbuildinfo

# What the programs import, and nothing else: no compiler, no Prisma tools, no embedded PostgreSQL.
FROM ${NODE_IMAGE} AS packages
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN --mount=type=cache,target=/root/.npm npm ci --omit=dev --omit=optional

FROM ${NODE_IMAGE}
ENV NODE_ENV=production
WORKDIR /app
COPY --from=packages /app/node_modules ./node_modules
COPY package.json ./
COPY data ./data
COPY prisma/migrations ./prisma/migrations
COPY --from=build /app/dist ./dist
# Everything above belongs to root: the programs write no files.
USER node
EXPOSE 8080
STOPSIGNAL SIGTERM
# For the API. A worker has no port, and exits when it can't continue.
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT || 8080}/health/ready`).then((response) => process.exit(response.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "--enable-source-maps", "dist/src/main.js"]
