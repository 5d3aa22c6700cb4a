import { beforeAll, describe, expect, it } from 'vitest';
import { type Receipt, receiptSchema } from '../../../../core/domain/receipt/schema.js';
import { verify } from '../../../../core/domain/receipt/verify.js';
import { sharedApi } from '../../../support/shared.js';
import { cli } from '../../../worker/cli/support.js';
import { rowsOf } from '../sources/in-memory.js';

const ROWS = [
  // The mark before the euro, to which it is pegged since.
  ...['CBBH 1998-12-30 USD/BAM 1.67', 'CBBH 1999-01-04 USD/BAM 1.66', 'ECB 1999-01-04 EUR/USD 1.1789'],
  ...['CBR 2014-12-31 USD/TMT 2.85'],
  ...['ECB 2025-06-27 EUR/USD 1.2', 'ECB 2025-06-30 EUR/USD 1.25', 'ECB 2025-07-04 EUR/USD 1.35'],
  ...['ECB 2026-01-12 USD/JPY 158', 'BOC 2026-01-12 USD/JPY 158.1', 'FRED 2026-01-12 USD/JPY 158.2'],
  ...['IMF 2026-01-12 USD/JPY 180', 'NBU 2026-01-12 USD/JPY 158.2', 'ECB 2026-01-13 USD/JPY 158.4'],
  ...['NBU 2026-01-13 USD/JPY 1584', 'ECB 2026-01-13 EUR/USD 1.3'],
];

let url: string;
beforeAll(async () => {
  ({ url } = await sharedApi(rowsOf(ROWS), { now: '2026-01-13T20:00:00Z' }));
});

async function get(path: string, accept = '*/*') {
  const response = await fetch(`${url}${path}`, { headers: { accept } });
  return { status: response.status, text: await response.text(), headers: response.headers };
}
async function receiptOf(path: string): Promise<{ receipt: Receipt; text: string }> {
  const { status, text } = await get(path);
  expect([path, status]).toEqual([path, 200]);
  return { ...JSON.parse(text), text };
}

describe('an answer with a receipt', () => {
  it.each([
    ['USD/ANG', '2025-06-30', '2025-06-30', 1.79, ['ANG']],
    ['USD/ANG', '2025-07-04', '2025-06-30', 1.79, ['ANG']],
    ['ANG/EUR', '2025-07-04', '2025-06-30', 0.44693, ['ANG']],
    ['USD/TMT', '2014-12-31', '2014-12-31', 2.85, []],
    ['USD/BAM', '1998-12-30', '1998-12-30', 1.67, []],
    ['EUR/BAM', '1999-01-04', '1999-01-04', 1.95583, ['BAM']],
  ])('of %s on %s names the peg that was in force', async (pair, date, observed, rate, pegged) => {
    const answer = await receiptOf(`/v2/rate/${pair}?date=${date}&expand=receipt`);
    expect(answer).toMatchObject({ date: observed, rate });
    expect(answer.receipt.steps.peg.map(({ currency }) => currency)).toEqual(pegged);
    expect(verify(answer.text)).toMatchObject({ date: observed });
  });

  it.each([
    ...['/v2/rate/EUR/JPY?precision=full', '/v2/rate/EUR/JPY?providers=ECB'],
    '/v2/convert/EUR/JPY?amount=1250.50',
  ])('is the plain answer, verifies alone, and stays at its address: %s', async (path) => {
    const { receipt, text, ...answer } = await receiptOf(`${path}&expand=receipt`);
    expect(answer).toEqual(JSON.parse((await get(path)).text));
    expect(receiptSchema.parse(receipt)).toEqual(receipt);
    const { rate } = receipt.steps.ratio;
    for (const proof of [text, JSON.stringify(receipt)]) expect(verify(proof)).toMatchObject({ rate });
    const again = await get(receipt.url);
    expect([again.text, again.headers.get('cache-control')]).toEqual([text, 'public, max-age=86400']);
    receipt.steps.ratio.rate *= 2;
    expect(verify(JSON.stringify({ ...answer, receipt }))).toEqual({
      wrong: expect.stringMatching(/^steps\.ratio\.rate: /),
    });
  });
});

it('a command verifies without network and database: 0 and one line, or 1 and what is wrong', async () => {
  const variables = { DATABASE_URL: 'postgres://nobody@127.0.0.1:9/none' };
  const run = (stdin: string) => cli(['verify', '-'], { variables, stdin });
  const { text } = await get('/v2/rate/EUR/JPY?expand=receipt');
  const line = expect.stringMatching(/^EUR\/JPY .*: the receipt is correct\n$/);
  expect(await run(text)).toMatchObject({ code: 0, stdout: line });
  const stderr = expect.stringMatching(/^almanac: rate: /);
  expect(await run(text.replace(/"rate":\d/, '"rate":9'))).toMatchObject({ code: 1, stderr });
});
