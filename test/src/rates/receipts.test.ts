import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { digestOf } from '../../../core/domain/receipt/digest.js';
import { type Receipt, receiptSchema } from '../../../core/domain/receipt/schema.js';
import { verify } from '../../../core/domain/receipt/verify.js';
import { startApi, type TestApi } from '../../support/api.js';
import { applyAll, randomNumbers, someDay, storeEvents } from '../../support/changing-store.js';
import { type TestDatabase, testDatabase } from '../../support/postgres.js';
import { storeRows } from '../../support/rates.js';
import { cli } from '../../worker/cli/support.js';

const CODES = ['EUR', 'USD', 'GBP', 'JPY', 'CHF', 'CAD', 'UAH', 'MWK', 'KWD', 'AED', 'XOF', 'DKK'];
const EVENTS = 60;

let database: TestDatabase;
let api: TestApi;
const random = randomNumbers(23);
const pick = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)] as T;
const events = storeEvents(random, EVENTS);

beforeAll(async () => {
  database = await testDatabase();
  await applyAll(database, events);
  await database.pool.query(`
    insert into run_responses (run, number, url, fetched_at, sha256, bytes)
      values (7, 0, 'https://bank.test/rates', '2026-01-12T13:59:00.125Z', sha256('rates'), 5);
    update rates set run = 7 where provider = 'ECB'`);
  api = await startApi(database);
}, 180_000);
afterAll(async () => {
  await api?.close();
  await database?.close();
});

interface Answer {
  rate: number;
  date: string;
  receipt: Receipt;
}

async function get(path: string): Promise<{ status: number; text: string; answer: Answer }> {
  const response = await fetch(`${api.url}${path}`);
  const text = await response.text();
  return { status: response.status, text, answer: JSON.parse(text) };
}

/** A rate with four sources or more, one of them an outlier or suspect where there is such a day. */
async function someReceipt(): Promise<Answer> {
  return (await get('/v2/rate/JPY/CHF?expand=receipt&precision=full')).answer;
}

describe('expand=receipt', () => {
  it('proves a hundred random rates, which verify without the store', async () => {
    const seen = { proven: 0, pegs: 0, bridges: 0, own: 0, crossed: 0 };
    for (let asked = 0; seen.proven < 100 && asked < 400; asked++) {
      const pair = `${pick(CODES)}/${pick(CODES)}`;
      const query = [
        ...pick([[], [`date=${someDay(random, EVENTS / 4)}`]]),
        ...pick([[], [], [`as_of=${pick(events).at.toISOString()}`]]),
        ...pick([[], [], ['providers=ECB,NBU'], ['providers=ECB'], ['providers=NBU']]),
        ...pick([[], ['precision=full']]),
      ].join('&');
      const isConversion = random() < 0.3;
      const path = isConversion
        ? `/v2/convert/${pair}?amount=1250.50&${query.replace(/&?precision=full/, '')}`
        : `/v2/rate/${pair}?${query}`;
      const plain = await get(path);
      const proven = await get(`${path}&expand=receipt`);
      expect([path, proven.status]).toEqual([path, plain.status]);
      if (proven.status !== 200) continue;
      const { receipt, ...row } = proven.answer;
      expect([path, row]).toEqual([path, plain.answer]);
      expect([path, verify(proven.text)]).toEqual([
        path,
        expect.objectContaining({ rate: receipt.steps.ratio.rate }),
      ]);
      expect(verify(JSON.stringify(receipt))).toMatchObject({ rate: receipt.steps.ratio.rate });
      expect(receiptSchema.parse(receipt)).toEqual(receipt);
      // The address answers the same for ever.
      const again = await fetch(`${api.url}${receipt.url}`);
      expect([path, await again.text()]).toEqual([path, proven.text]);
      expect(again.headers.get('cache-control')).toBe('public, max-age=86400');
      seen.proven++;
      if (receipt.inputs.some(({ bridge }) => bridge)) seen.bridges++;
      if (receipt.steps.peg.length > 0) seen.pegs++;
      if (receipt.steps.source) seen.own++;
      if (receipt.steps.source?.figures.length === 2) seen.crossed++;
    }
    expect(seen.proven).toBe(100);
    for (const count of Object.values(seen)) expect([seen, count > 0]).toEqual([seen, true]);
  }, 180_000);

  it('names the responses that a rate was read from, and says where that is not known', async () => {
    const { receipt } = await someReceipt();
    const evidence = new Map(receipt.inputs.map((input) => [input.provider, input.evidence]));
    expect(evidence.get('ECB')).toEqual([
      {
        url: 'https://bank.test/rates',
        fetched_at: '2026-01-12T13:59:00.125Z',
        sha256: 'ff24aad2c015d2e6657f5bf49ca76a3d1c3c3fdfb2e14c06601f415cab77ce4c',
        bytes: 5,
      },
    ]);
    expect(evidence.get('FRED')).toBeNull();
  });

  it('says of what did not count why not', async () => {
    const own = await testDatabase();
    const yen = (provider: string, date: string, rate: number) => ({
      provider,
      date,
      base: 'USD',
      quote: 'JPY',
      rate,
    });
    await storeRows(own, [
      ...['ECB', 'BOC', 'FRED'].map((provider, index) => yen(provider, '2026-01-12', 158 + index / 10)),
      yen('IMF', '2026-01-12', 180),
      yen('NBU', '2026-01-12', 158.2),
      yen('ECB', '2026-01-13', 158.4),
      yen('NBU', '2026-01-13', 1584),
    ]);
    const ownApi = await startApi(own);
    const text = await (await fetch(`${ownApi.url}/v2/rate/USD/JPY?expand=receipt&date=2026-01-13`)).text();
    const { receipt } = JSON.parse(text) as Answer;
    expect(verify(text)).toMatchObject({ base: 'USD', quote: 'JPY', date: '2026-01-13' });
    expect(receipt.inputs.map(({ provider, weight, left_out }) => [provider, left_out ?? weight])).toEqual([
      ['BOC', 1],
      ['ECB', 1],
      ['FRED', 1],
      ['IMF', 'outlier'],
      ['NBU', 1],
      ['NBU', 'suspect: factor_of_ten'],
    ]);
    await ownApi.close();
    await own.close();
  }, 60_000);

  it('comes in NDJSON and CSV as well', async () => {
    const as = async (accept: string) =>
      (await fetch(`${api.url}/v2/rate/EUR/USD?expand=receipt`, { headers: { accept } })).text();
    const { text } = await get('/v2/rate/EUR/USD?expand=receipt');
    expect(await as('application/x-ndjson')).toBe(`${text}\n`);
    const [head, line = ''] = (await as('text/csv')).split('\n');
    expect(head).toBe('date,base,quote,rate,receipt');
    const cell = line.slice(line.indexOf('"') + 1, -1).replaceAll('""', '"');
    expect(JSON.parse(cell)).toEqual(JSON.parse(text).receipt);
  });

  it.each([
    ['/v2/rate/EUR/USD?expand=receipt,providers', 422],
    ['/v2/rate/EUR/USD.txt?expand=receipt', 422],
    ['/v2/rate/EUR/KPW?expand=receipt', 404],
    ['/v2/rate/EUR/USD?expand=receipt&as_of=2020-01-01', 404],
    ['/v2/convert/EUR/USD?amount=1&expand=providers', 422],
    ['/v2/rates?expand=receipt', 422],
  ])('%s: %i', async (path, status) => {
    expect((await get(path)).status).toBe(status);
  });
});

describe('verify', () => {
  /** Changes a copy of an answer; `sealed` computes its hashes again, as who changes a receipt on purpose would. */
  function tampered(answer: Answer, change: (answer: Answer) => void, isSealed: boolean): unknown {
    const changed = structuredClone(answer);
    change(changed);
    if (isSealed) {
      for (const input of changed.receipt.inputs) input.sha256 = digestOf(input);
      changed.receipt.sha256 = digestOf(changed.receipt);
    }
    return verify(JSON.stringify(changed));
  }
  const counted = ({ receipt }: Answer) => {
    const found = receipt.inputs.find(({ weight }) => weight !== undefined);
    if (!found) throw new Error('no input counted');
    return found;
  };
  const removeCounted = ({ receipt }: Answer) =>
    receipt.inputs.splice(
      receipt.inputs.findIndex(({ weight }) => weight !== undefined),
      1,
    );
  const changeAddress = (answer: Answer, from: RegExp | string, to: string) => {
    answer.receipt.url = answer.receipt.url.replace(from, to);
  };

  type Tampering = [what: string, change: (answer: Answer) => unknown, name: RegExp];
  const shared: Tampering[] = [
    ['a weight', (answer) => (counted(answer).weight = 0.5), /^inputs \w+ \w+ .*: weight: 0\.5 is stated, /],
    ['the order', ({ receipt }) => receipt.inputs.reverse(), /^inputs\.1: out of order/],
    ['the ratio', ({ receipt }) => (receipt.steps.ratio.rate *= 2), /^steps\.ratio\.rate: /],
    ['the rate of the answer', (answer) => (answer.rate *= 2), /^rate: /],
    [
      'what was known',
      ({ receipt }) => (receipt.known_at = '2020-01-01T00:00:00.000Z'),
      /^inputs\.0\.recorded_at: .* is later than known_at/,
    ],
    [
      'what was known, a little later',
      ({ receipt }) => (receipt.known_at = '2030-01-01T00:00:00.000Z'),
      /^url: as_of is not known_at/,
    ],
    ['the method', ({ receipt }) => (receipt.method = 99), /^method: 99 is not known/],
    [
      'the pair of the address',
      (answer) => changeAddress(answer, 'JPY/CHF', 'JPY/USD'),
      /^url: is not about JPY/,
    ],
    [
      'the day of the address',
      (answer) => changeAddress(answer, /date=[-0-9]+/, 'date=2020-01-01'),
      /^url: date: /,
    ],
    [
      'a parameter of the address',
      (answer) => changeAddress(answer, 'expand', 'quotes=EUR&expand'),
      /^url: quotes /,
    ],
  ];
  const ofBlend: Tampering[] = [
    ...shared,
    ['a figure', (answer) => (counted(answer).rate *= 1.001), /^steps\.frame\.\d+\.rate: /],
    ['a source left out', removeCounted, /^steps\.frame\./],
    ['a date', (answer) => (counted(answer).date = '2026-01-20'), /^(steps\.|inputs )/],
    [
      'a step',
      ({ receipt }) => ((receipt.steps.frame[0] as { rate: number }).rate *= 2),
      /^steps\.frame\.0\.rate: /,
    ],
    [
      'a mean',
      ({ receipt }) => ((receipt.steps.weights[0] as { rate: number }).rate *= 2),
      /^steps\.weights\.0\.rate: /,
    ],
    [
      'an outlier',
      (answer) => (counted(answer).left_out = 'outlier'),
      /^inputs .*: left_out: "outlier" is stated/,
    ],
    [
      'the sources of the address',
      (answer) => changeAddress(answer, '?', '?providers=ECB,IMF&'),
      /^url: providers: /,
    ],
  ];
  const ofSource: Tampering[] = [
    ...shared,
    ['a figure', (answer) => (counted(answer).rate *= 1.001), /^steps\.source\.figures\.\d\.rate: /],
    ['a row left out', removeCounted, /^steps\.source\.figures\.\d: .* is stated, nothing is computed/],
    ['a date', (answer) => (counted(answer).date = '2026-01-20'), /^steps\.source\.figures\.\d\.date: /],
    [
      'a figure of the steps',
      ({ receipt }) => ((receipt.steps.source?.figures[0] as { rate: number }).rate *= 2),
      /^steps\.source\.figures\.0\.rate: /,
    ],
    [
      'the common currency',
      ({ receipt }) => ((receipt.steps.source as { per: string }).per = 'GBP'),
      /^steps\.source\.figures\./,
    ],
    ['a row of another source', (answer) => (counted(answer).provider = 'IMF'), /^inputs .*: is not of ECB/],
    [
      'the source of the address',
      (answer) => changeAddress(answer, 'providers=ECB', 'providers=IMF'),
      /^url: providers: /,
    ],
  ];
  /** What nothing else can be computed from, so that it is told only where its hash was not computed again. */
  const ofHashes: Tampering[] = [
    [
      'the hash of a response',
      ({ receipt }) => {
        const [first] = receipt.inputs.flatMap(({ evidence }) => evidence ?? []);
        if (!first) throw new Error('no evidence');
        first.sha256 = '0'.repeat(64);
      },
      /^inputs \w+ ECB .*: recorded_at or evidence, by its sha256: /,
    ],
    [
      'when a row was recorded',
      (answer) => (counted(answer).recorded_at = '2026-01-01T00:00:00.000Z'),
      /^inputs \w+ \w+ .*: recorded_at or evidence, by its sha256: /,
    ],
    ['its own hash', ({ receipt }) => (receipt.sha256 = '0'.repeat(64)), /^sha256: "0{64}" is stated, /],
  ];

  it.each(ofBlend)(
    'tells %s of a blend by name, whether or not the hashes were computed again',
    async (_, change, name) => {
      const answer = await someReceipt();
      for (const isSealed of [false, true])
        expect(tampered(answer, change, isSealed)).toEqual({ wrong: expect.stringMatching(name) });
    },
  );

  it.each(ofSource)(
    'tells %s of one source by name, whether or not the hashes were computed again',
    async (_, change, name) => {
      const { answer } = await get('/v2/rate/JPY/CHF?expand=receipt&precision=full&providers=ECB');
      expect(answer.receipt.steps.source?.figures).toHaveLength(2);
      for (const isSealed of [false, true])
        expect(tampered(answer, change, isSealed)).toEqual({ wrong: expect.stringMatching(name) });
    },
  );

  it.each(ofHashes)('tells %s by the hash', async (_, change, name) => {
    for (const source of ['', '&providers=ECB', '&providers=ECB,NBU']) {
      const { answer } = await get(`/v2/rate/JPY/CHF?expand=receipt&precision=full${source}`);
      expect(tampered(answer, change, false)).toEqual({ wrong: expect.stringMatching(name) });
    }
  });

  it('tells another amount or day of a conversion by name', async () => {
    const { answer } = await get('/v2/convert/JPY/CHF?amount=1250.50&expand=receipt');
    const wrong = (change: object) => verify(JSON.stringify({ ...answer, ...change }));
    expect(wrong({})).toMatchObject({ base: 'JPY', quote: 'CHF' });
    expect(wrong({ result: '1.00' })).toEqual({ wrong: expect.stringMatching(/^result: /) });
    expect(wrong({ date: '2026-03-01' })).toEqual({ wrong: expect.stringMatching(/^date: /) });
    expect(wrong({ amount: '0', result: '0.00' })).toEqual({ wrong: expect.stringMatching(/^amount: /) });
  });

  it('verifies receipts that were made before inputs had hashes', async () => {
    const answer = await someReceipt();
    for (const input of answer.receipt.inputs) delete input.sha256;
    answer.receipt.sha256 = digestOf(answer.receipt);
    expect(verify(JSON.stringify(answer))).toMatchObject({ rate: answer.receipt.steps.ratio.rate });
  });

  it('is a command that needs neither network nor database: 0 and one line, or 1 and what is wrong', async () => {
    const answer = await someReceipt();
    const around = { variables: { DATABASE_URL: 'postgres://nobody@127.0.0.1:9/none' } };
    const right = await cli(['verify', '-'], { ...around, stdin: JSON.stringify(answer) });
    expect([right.code, right.stdout]).toEqual([
      0,
      expect.stringMatching(/^JPY\/CHF .*: the receipt is correct\n$/),
    ]);
    answer.receipt.steps.ratio.rate *= 2;
    const wrong = await cli(['verify', '-'], { ...around, stdin: JSON.stringify(answer) });
    expect([wrong.code, wrong.stderr]).toEqual([1, expect.stringMatching(/^almanac: steps\.ratio\.rate: /)]);
  });

  it('tells what is no receipt', () => {
    expect(verify('{')).toEqual({ wrong: 'the file is no JSON' });
    expect(verify('{"url": 1}')).toEqual({ wrong: expect.stringMatching(/^url: /) });
    expect(verify('{"receipt": {}}')).toEqual({ wrong: expect.stringMatching(/^base: /) });
  });
});
