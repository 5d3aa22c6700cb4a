import { expect, it } from 'vitest';
import { startApi } from '../../../support/api.js';
import { applyAt, randomNumbers, someDay, storeEvents } from '../../../support/changing-store.js';
import { testDatabase } from '../../../support/postgres.js';
import { anyQuestion, ask, compareWithThen, keepMirrors, pickBy, type Question } from './random-questions.js';

/** More of them take longer: ALMANAC_AS_OF_QUESTIONS=1000 asks a thousand. */
const QUESTIONS = Number(process.env.ALMANAC_AS_OF_QUESTIONS ?? 150);
const SEED = Number(process.env.ALMANAC_AS_OF_SEED ?? 17);
/** ALMANAC_MIRRORS=200 keeps two hundred. */
const MIRRORS = Number(process.env.ALMANAC_MIRRORS ?? 40);

it(`${QUESTIONS} random questions as of an instant are answered as they were then`, async () => {
  await compareWithThen({ events: 70, count: QUESTIONS, seed: SEED });
}, 600_000);

it(`${MIRRORS} mirrors stay equal to the store under random corrections`, async () => {
  await keepMirrors({ events: 40, count: MIRRORS, seed: 5 });
}, 300_000);

it('an answer as of an instant stays the same while more is recorded, and in a new process', async () => {
  const random = randomNumbers(SEED);
  const pick = pickBy(random);
  const database = await testDatabase();
  let api = await startApi(database);
  const asked: { target: Question; extra: string; answer: object }[] = [];
  const answerOf = async (target: Question, extra: string) => {
    const { status, body, headers } = await ask(api.url, target, extra);
    // That of a receipt has the newest version in it.
    const tag = target.path.includes('receipt') ? '' : headers.get('etag');
    return { target, extra, status, body, asOf: headers.get('x-rates-as-of'), tag };
  };
  const pair = () => pick(['EUR/USD', 'JPY/CHF', 'GBP/XOF', 'UAH/AED', 'MWK/DKK', 'KWD/CAD']);
  for (const event of storeEvents(random, 40)) {
    await applyAt(database, event);
    await api.catchUp();
    if (random() < 0.1) {
      await api.close();
      api = await startApi(database);
    }
    for (const { target, extra, answer } of asked) expect(await answerOf(target, extra)).toEqual(answer);
    if (random() < 0.5) continue;
    const target = pick([
      anyQuestion(random, 10),
      // All that was known, in which any change shows.
      { path: '/v2/rates.csv?from=2025-11-01&precision=full' },
      { path: `/v2/rate/${pair()}?expand=receipt&date=${someDay(random, 10)}` },
    ]);
    const extra = `as_of=${event.at.toISOString()}`;
    asked.push({ target, extra, answer: await answerOf(target, extra) });
  }
  expect(asked.length).toBeGreaterThan(10);
  await api.close();
  await database.close();
}, 300_000);
