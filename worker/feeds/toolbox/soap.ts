import { FeedError } from '../feed.js';
import type { HttpClient } from '../http/client.js';
import { type XmlElement, xmlRoot } from './xml.js';

const ENVELOPE = 'http://schemas.xmlsoap.org/soap/envelope/';

export interface SoapCall {
  /** The SOAPAction header, with its quotes where the service wants them; not sent where absent. */
  action?: string;
  /** The XML inside `soap:Body`, with the namespaces it needs. */
  body: string;
  headers?: Readonly<Record<string, string>>;
}

/**
 * Calls a SOAP 1.1 service and gives the first element of the answer's Body. Throws a FeedError with the fault's
 * own words where the service answers a fault, and where it answers no envelope.
 */
export async function callSoap(http: HttpClient, url: string, call: SoapCall): Promise<XmlElement> {
  const answer = await http.post(url, {
    headers: {
      'content-type': 'text/xml; charset=utf-8',
      ...(call.action !== undefined && { soapaction: call.action }),
      ...call.headers,
    },
    body: `<?xml version="1.0" encoding="utf-8"?>\n<soap:Envelope xmlns:soap="${ENVELOPE}"><soap:Body>${call.body}</soap:Body></soap:Envelope>`,
  });
  const content = xmlRoot(answer, 'Envelope').first('Body')?.children[0];
  if (!content) throw new FeedError(`${answer.url}: answered an envelope without a body`);
  if (content.name === 'Fault') {
    throw new FeedError(`${answer.url}: answered a fault: ${content.text('faultstring') ?? 'without words'}`);
  }
  return content;
}

/** Text made safe to stand between tags. */
export function xmlText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
