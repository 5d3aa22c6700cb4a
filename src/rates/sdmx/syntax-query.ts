import type { z } from 'zod';
import { HttpError } from '../../http/errors.js';
import type { QueryReader } from '../../http/route.js';
import { strictQuery } from '../../parameters/query.js';

/**
 * Returns a strict query reader whose errors have SDMX's status: 400. `resolve` gives the parameters of each version of the
 * REST API the same form.
 */
export function syntaxQuery<T extends z.ZodObject, Query>(
  schema: T,
  resolve: (parameters: z.output<T>) => Query,
): QueryReader<Query> {
  const strict = strictQuery(schema);
  return {
    schema,
    read(target) {
      try {
        return resolve(strict.read(target));
      } catch (error) {
        if (!(error instanceof HttpError) || error.status !== 422) throw error;
        throw new HttpError(400, error.message, { parameters: error.parameters });
      }
    },
  };
}
