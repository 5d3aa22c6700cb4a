import { errorBody, type HttpError } from '../../http/errors.js';
import { type ErrorForm, json } from '../../http/reply.js';
import { prefersXml } from './media-types.js';
import { escaped, namespaces, XML_DECLARATION } from './xml.js';

/** SDMX's error codes by HTTP status. For all other statuses, the code is the status. */
const CODES: Readonly<Record<number, number>> = { 404: 100, 413: 130, 400: 140, 422: 150 };
const TITLES: Readonly<Record<number, string>> = {
  100: 'No results found',
  130: 'Response too large',
  140: 'Syntax error',
  150: 'Semantic error',
  406: 'Not acceptable',
  500: 'Internal server error',
  501: 'Not implemented',
  503: 'Service unavailable',
};

interface SdmxError {
  code: number;
  title: string;
  detail: string;
  parameter?: string;
}

/** SDMX's XML, or the common body with SDMX's `errors`, which is valid SDMX-JSON. */
export const sdmxErrorForm: ErrorForm = (error, { url = '', headers }) => {
  const format = new URLSearchParams(url.split('?')[1]).get('format') ?? undefined;
  const errors = sdmxErrors(error);
  if (!prefersXml({ accept: headers.accept, format }))
    return { content: json({ ...errorBody(error), message: inSdmxNames(error.message), errors }) };
  return { content: { type: 'application/xml', body: Buffer.from(errorXml(errors)) } };
};

function sdmxErrors({ status, message, parameters }: HttpError): SdmxError[] {
  const code = CODES[status] ?? status;
  const kind = { code, title: TITLES[code] ?? 'Error' };
  if (parameters.length === 0) return [{ ...kind, detail: inSdmxNames(message) }];
  return parameters.map(({ parameter, message }) => ({
    ...kind,
    detail: inSdmxNames(message),
    parameter: inSdmxNames(parameter),
  }));
}

/** SDMX names the parameters of instants differently from the code that looks them up. */
function inSdmxNames(text: string): string {
  return text.replaceAll('as_of', 'asOf').replaceAll('updated_after', 'updatedAfter');
}

function errorXml(errors: readonly SdmxError[]): string {
  const messages = errors.map(({ code, detail }) => {
    const text = `<c:Text xml:lang="en">${escaped(detail)}</c:Text>`;
    return `<m:ErrorMessage code="${code}">${text}</m:ErrorMessage>`;
  });
  return `${XML_DECLARATION}<m:Error${namespaces('m', 'c')}>${messages.join('')}</m:Error>`;
}
