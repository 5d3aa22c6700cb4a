import { defineConfig } from 'prisma/config';

// Generating the client does not need Prisma's native schema engine, but asks for its path; naming any file
// that exists keeps `prisma generate` off the network. Where the engine is wanted (`prisma migrate status`),
// set PRISMA_SCHEMA_ENGINE_BINARY to it.
process.env.PRISMA_SCHEMA_ENGINE_BINARY ??= process.execPath;

export default defineConfig({
  schema: 'prisma/schema.prisma',
  migrations: { path: 'prisma/migrations' },
  datasource: { url: process.env.DATABASE_URL ?? '' },
});
