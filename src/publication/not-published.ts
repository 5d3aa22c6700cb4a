import {
  exceptProviders,
  type Provider,
  setCustomProviders,
  shippedProviders,
} from '../../core/domain/providers.js';
import { HttpError, type ParameterFault } from '../http/errors.js';

/** `api` is the URL of an API that has the data. */
export function notPublished(
  message: string,
  { api, parameters = [] }: { api: string | null; parameters?: readonly ParameterFault[] },
): HttpError {
  const headers = api === null ? {} : { link: `<${api}>; rel="alternate"` };
  const where = api === null ? '' : `: ask ${api}`;
  return new HttpError(501, `${message}${where}`, { parameters, headers });
}

export type ProvidersInUse = ReturnType<typeof providersInUse>;

/** Plain data. */
export function providersInUse(published: readonly Provider[]) {
  const shipped = new Set(shippedProviders.map(({ key }) => key));
  const keys = new Set(published.map(({ key }) => key));
  return {
    own: published.filter(({ key }) => !shipped.has(key)),
    except: [...shipped].filter((key) => !keys.has(key)),
  };
}

export function useProviders({ own, except }: ProvidersInUse): void {
  setCustomProviders(own);
  exceptProviders(except);
}
