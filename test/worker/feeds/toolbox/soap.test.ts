import { expect, test } from 'vitest';
import { openHttpClient } from '../../../../worker/feeds/http/live-client.js';
import { callSoap, xmlText } from '../../../../worker/feeds/toolbox/soap.js';
import { type Answers, soapAnswer, standIn } from '../support.js';

async function withBank<T>(answers: Answers, use: (wire: ReturnType<typeof openHttpClient>) => Promise<T>) {
  const bank = await standIn(answers);
  const wire = openHttpClient({ route: () => bank.origin, limits: { attempts: 1 } });
  try {
    return { result: await use(wire), requests: bank.requests };
  } finally {
    await wire.close();
    await bank.close();
  }
}

test('a SOAP call: envelope, action, the first element of the body', async () => {
  const { result, requests } = await withBank(
    { 'POST /service': soapAnswer('<m:Answer xmlns:m="x"><m:Rate>1.5</m:Rate></m:Answer>') },
    (wire) =>
      callSoap(wire, 'https://bank.example/service', {
        action: '"x/Ask"',
        body: `<Ask xmlns="x">${xmlText('A&B<')}</Ask>`,
        result: 'Answer',
      }),
  );
  expect([result.content.name, result.content.text('Rate')]).toEqual(['Answer', '1.5']);
  expect(requests[0]?.headers).toMatchObject({
    soapaction: '"x/Ask"',
    'content-type': 'text/xml; charset=utf-8',
  });
  expect(requests[0]?.body).toContain('<soap:Body><Ask xmlns="x">A&amp;B&lt;</Ask></soap:Body>');
});

test.each([
  [
    'a fault',
    soapAnswer('<s:Fault><faultstring>no such day</faultstring></s:Fault>'),
    /a fault: no such day/,
  ],
  ['an empty body', soapAnswer(''), /without a body/],
  ['another document', '<a/>', /the root is a, not Envelope/],
  ['another element', soapAnswer('<Other/>'), /responded with Other where Answer was meant/],
  ['a fault without words', soapAnswer('<s:Fault/>'), /a fault: without words/],
])('SOAP: %s is an error', async (_, answer, message) => {
  await expect(
    withBank({ 'POST /service': answer }, (wire) =>
      callSoap(wire, 'https://bank.example/service', { body: '', result: 'Answer' }),
    ),
  ).rejects.toThrow(message);
});
