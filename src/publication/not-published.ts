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
