import { OpenAPIRegistry, OpenApiGeneratorV31 } from '@asteasolutions/zod-to-openapi';
import { errorResponses, TOO_MANY } from './error-responses.js';
import type { Route } from './route.js';

/** An OpenAPI 3.1 document. */
export type ApiDocument = ReturnType<OpenApiGeneratorV31['generateDocument']>;

/** Describes every route that has a description, from the schemas that check its requests. */
export function createApiDocument(routes: readonly Route[]): ApiDocument {
  const registry = new OpenAPIRegistry();
  registry.registerComponent('securitySchemes', OPERATOR, {
    type: 'http',
    scheme: 'bearer',
    description: "The server's ADMIN_TOKEN",
  });
  for (const { method, path, query, limit, description } of routes) {
    if (!description) continue;
    const { params, body, bodyExample, responses, ...described } = description;
    registry.registerPath({
      method,
      // Express writes `:code` where OpenAPI writes `{code}`.
      path: path.replaceAll(/:(\w+)/g, '{$1}'),
      ...described,
      responses: { ...(limit && errorResponses(TOO_MANY)), ...responses },
      request: {
        ...(params && { params }),
        ...(query && { query: query.schema }),
        ...(body && {
          body: { content: { 'application/json': { schema: body, example: bodyExample } } },
        }),
      },
    });
  }
  return new OpenApiGeneratorV31(registry.definitions).generateDocument({
    openapi: '3.1.0',
    info: {
      title: 'Almanac',
      version: '2',
      description:
        'Exchange rates blended from 104 official sources, and everyday look-ups. Every public route is read by GET; ' +
        'HEAD and OPTIONS are supported too. The currency routes refuse parameters that they do not list.',
    },
    servers: [{ url: '/' }],
  });
}

/** Name of the security scheme of operators' routes. */
export const OPERATOR = 'operator';
