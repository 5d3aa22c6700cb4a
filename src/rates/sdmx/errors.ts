import * as z from 'zod';
import { errorBody, type HttpError } from '../../http/errors.js';
import { type ErrorForm, json } from '../../http/reply.js';
import { errorResponses, errorSchema, jsonContent } from '../../openapi/responses.js';
import { escaped, namespaces, XML_DECLARATION } from './body.js';
import { prefersXml } from './media-types.js';

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

const sdmxErrorSchema = errorSchema
  .extend({
    errors: z.array(
      z.object({
        code: z.number().int(),
        title: z.string(),
        detail: z.string(),
        parameter: z.string().optional(),
      }),
    ),
  })
  .meta({ id: 'SdmxError' });

type SdmxError = z.output<typeof sdmxErrorSchema>['errors'][number];

/** SDMX's XML, or JSON. */
export const sdmxErrorForm: ErrorForm = (error, { url = '', headers }) => {
  const format = new URLSearchParams(url.split('?')[1]).get('format') ?? undefined;
  if (!prefersXml({ accept: headers.accept, format })) return { content: json(jsonError(error)) };
  return { content: { type: 'application/xml', body: Buffer.from(xmlError(error)) } };
};

/** As `errorResponses`, in SDMX's forms. */
export function sdmxErrorResponses(messages: Parameters<typeof errorResponses>[0]) {
  return errorResponses(messages, (error) => ({
    ...jsonContent(sdmxErrorSchema, jsonError(error)),
    'application/xml': { schema: z.string(), example: xmlError(error) },
  }));
}

/** The common body with SDMX's `errors`, which is valid SDMX-JSON. */
function jsonError(error: HttpError): object {
  return { ...errorBody(error), message: inSdmxNames(error.message), errors: sdmxErrors(error) };
}

function sdmxErrors({ status, message, parameters }: HttpError): SdmxError[] {
  const code = CODES[status] ?? status;
  const faults = parameters.length > 0 ? parameters : [{ parameter: undefined, message }];
  return faults.map(({ parameter, message }) => ({
    code,
    title: TITLES[code] ?? 'Error',
    detail: inSdmxNames(message),
    ...(parameter !== undefined && { parameter: inSdmxNames(parameter) }),
  }));
}

/** SDMX names the parameters of instants differently from the code that looks them up. */
function inSdmxNames(text: string): string {
  return text.replaceAll('as_of', 'asOf').replaceAll('updated_after', 'updatedAfter');
}

function xmlError(error: HttpError): string {
  const messages = sdmxErrors(error).map(({ code, detail }) => {
    const text = `<c:Text xml:lang="en">${escaped(detail)}</c:Text>`;
    return `<m:ErrorMessage code="${code}">${text}</m:ErrorMessage>`;
  });
  return `${XML_DECLARATION}<m:Error${namespaces('m', 'c')}>${messages.join('')}</m:Error>`;
}
