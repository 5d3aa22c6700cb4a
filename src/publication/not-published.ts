import { HttpError, type ParameterFault } from '../http/errors.js';

/** The 501 for what a publication does not have. `api` is the URL of the API that has it, where one is known. */
export function notPublished(
  message: string,
  { api, parameters = [] }: { api: string | null; parameters?: readonly ParameterFault[] },
): HttpError {
  const headers = api === null ? {} : { link: `<${api}>; rel="alternate"` };
  const where = api === null ? '' : `: ask ${api}`;
  return new HttpError(501, `${message}${where}`, { parameters, headers });
}
