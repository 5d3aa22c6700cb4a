import { FeedError } from '../feed.js';
import type { HttpAnswer, HttpClient } from '../http/client.js';
import { type XmlElement, xmlRoot } from './xml.js';

const ENVELOPE = 'http://schemas.xmlsoap.org/soap/envelope/';

export interface SoapCall {
  /** The SOAPAction header, with quotes if the service requires them. Omitted if absent. */
  action?: string;
  /** The XML inside `soap:Body`, with the namespaces it needs. */
  body: string;
  headers?: Readonly<Record<string, string>>;
  /** The name of the expected element in the response's Body. */
  result: string;
}

/** Calls a SOAP 1.1 service. `content` is the expected element in its Body. Throws a FeedError for any other. */
export async function callSoap(
  http: HttpClient,
  url: string,
  call: SoapCall,
): Promise<{ response: HttpAnswer; content: XmlElement }> {
  const response = await http.post(url, {
    headers: {
      'content-type': 'text/xml; charset=utf-8',
      ...(call.action !== undefined && { soapaction: call.action }),
      ...call.headers,
    },
    body: `<?xml version="1.0" encoding="utf-8"?>\n<soap:Envelope xmlns:soap="${ENVELOPE}"><soap:Body>${call.body}</soap:Body></soap:Envelope>`,
  });
  const content = xmlRoot(response, 'Envelope').first('Body')?.children[0];
  if (content?.name === call.result) return { response, content };
  const what =
    content?.name === 'Fault'
      ? `a fault: ${content.text('faultstring') ?? 'without words'}`
      : `${content?.name ?? 'an envelope without a body,'} where ${call.result} was expected`;
  throw new FeedError(`${response.url}: responded with ${what}`);
}

/** Escapes text for use between tags. */
export function xmlText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
