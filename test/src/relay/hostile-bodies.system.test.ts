import { afterAll, beforeAll, expect, it } from 'vitest';
import { answer, type HttpStub, httpStub } from '../../support/http-stub.js';
import { lagDuring, processorMs } from '../../support/processor-time.js';
import { logLines, relayingContext, relayRoutes, serve, upstreamsAt } from '../utilities/support.js';

const LARGEST = 2 * 1024 * 1024 - 1_024;

let stub: HttpStub;
let api: Awaited<ReturnType<typeof serve>>;
const { log, lines } = logLines();

beforeAll(async () => {
  stub = await httpStub();
  const variables = { ...upstreamsAt(stub.url), OPENCAGE_API_KEY: 'key' };
  const context = relayingContext({ variables, log });
  api = await serve(relayRoutes(context), log);
});
afterAll(async () => {
  await api?.close();
  await stub?.close();
});

/** As many elements as fit into two mebibytes, in the place of an array of the body. */
const filled = (element: string, before: string, after: string) => {
  const count = Math.floor((LARGEST - before.length - after.length) / (element.length + 1));
  return `${before}${Array(count).fill(element).join()}${after}`;
};
const many = (element: string) => `[${Array(60_000).fill(element).join()}]`;
const matches = `{"responseData":{},"responseStatus":200,"matches":${many('{"source":1}')}}`;

it.each([
  ['two mebibytes of [', '['.repeat(LARGEST)],
  ['arrays in arrays, closed', `${'['.repeat(LARGEST / 2)}${']'.repeat(LARGEST / 2)}`],
  ['objects in objects', `${'{"a":'.repeat(LARGEST / 6)}1${'}'.repeat(LARGEST / 6)}`],
  ['a million numbers', filled('1', '[', ']')],
  ['services that are none', filled('{}', '{"services":[', ']}')],
  ['60,000 services that are none', `{"services":${many('{"no":1,"next":1}')}}`],
  ['60,000 results that are none', `{"results":${many('{"name":1}')}}`],
  ['60,000 matches that are none', matches],
  ['a string of two mebibytes', `{"results":"${'x'.repeat(LARGEST - 20)}"}`],
])('a hostile body of %s is refused without holding up the event loop', async (_, body) => {
  lines.length = 0;
  stub.route('*', answer(body));
  const paths = ['/weather/search?q=Oslo', '/weather/current?lat=1&lon=1', '/sg/bus-arrivals?code=83139'];
  for (const path of [...paths, '/detect/location?lat=1&lon=1', '/translate/text?text=Hello&from=en&to=it']) {
    const started = processorMs();
    const lag = await lagDuring(async () => {
      expect(await api.get(path)).toMatchObject({ status: 502 });
    });
    expect(lag).toBeLessThan(800);
    expect(processorMs() - started).toBeLessThan(2_000);
  }
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThan(4_000);
});
