import { OpenApiGeneratorV31 } from '@asteasolutions/zod-to-openapi';
import type { ApiDocument } from '../http/api-document.js';

export type Description = ReturnType<OpenApiGeneratorV31['generateDocument']>;

/** OpenAPI 3.1 for every route that is registered by now. */
export function describe(document: ApiDocument): Description {
  return new OpenApiGeneratorV31(document.definitions).generateDocument({
    openapi: '3.1.0',
    info: {
      title: 'Almanac',
      version: '2',
      description:
        'Exchange rates blended from 84 official sources, and everyday look-ups. Every public route is read by GET; ' +
        'HEAD and OPTIONS are answered too. The currency routes refuse parameters that they do not list.',
    },
    servers: [{ url: '/' }],
  });
}
