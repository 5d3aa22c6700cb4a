import { OpenAPIRegistry } from '@asteasolutions/zod-to-openapi';

/** Every route of the service, as its capability registers it with `registerPath` beside the handler. */
export type ApiDocument = OpenAPIRegistry;

export function createApiDocument(): ApiDocument {
  return new OpenAPIRegistry();
}
