import { expect, test } from 'vitest';
import type { HttpClient } from '../../../../worker/feeds/http/client.js';
import { callSoap, xmlText } from '../../../../worker/feeds/toolbox/soap.js';
import { soapAnswer } from '../support.js';
import { answerOf } from './answer.js';

/** Calls a service that answers so; what it was sent, and what came of it. */
async function call(answer: string, body = '', action?: string) {
  const sent: unknown[] = [];
  const post: HttpClient['post'] = async (...request) => {
    sent.push(...request);
    return answerOf(answer, 'text/xml');
  };
  const wire = { get: post, post } as HttpClient;
  const asked = { body, result: 'Answer', ...(action !== undefined && { action }) };
  return { content: (await callSoap(wire, 'https://bank.example/service', asked)).content, sent };
}

test('a SOAP call: envelope, action, the first element of the body', async () => {
  const answer = soapAnswer('<m:Answer xmlns:m="x"><m:Rate>1.5</m:Rate></m:Answer>');
  const { content, sent } = await call(answer, `<Ask xmlns="x">${xmlText('A&B<')}</Ask>`, '"x/Ask"');
  expect([content.name, content.text('Rate')]).toEqual(['Answer', '1.5']);
  const body = expect.stringContaining('<soap:Body><Ask xmlns="x">A&amp;B&lt;</Ask></soap:Body>');
  const form = { soapaction: '"x/Ask"', 'content-type': 'text/xml; charset=utf-8' };
  const headers = expect.objectContaining(form);
  expect(sent).toEqual(['https://bank.example/service', expect.objectContaining({ body, headers })]);
});

const fault = soapAnswer('<s:Fault><faultstring>no such day</faultstring></s:Fault>');
test.each([
  ['a fault', fault, /a fault: no such day/],
  ['a fault without words', soapAnswer('<s:Fault/>'), /a fault: without words/],
  ['an empty body', soapAnswer(''), /without a body/],
  ['another document', '<a/>', /the root is a, not Envelope/],
  ['another element', soapAnswer('<Other/>'), /responded with Other where Answer was expected/],
])('SOAP: %s is an error', async (_, answer, message) => {
  await expect(call(answer)).rejects.toThrow(message);
});
