import { expect, test } from 'vitest';
import { feed } from '../../../worker/banks/sarb.js';
import { type Answer, type Answers, blockedPage, readFeed } from '../feeds/support.js';

const series = (id: string) =>
  `GET custom.resbank.co.za/SarbWebApi/WebIndicators/Shared/GetTimeseriesObservations/${id}/2026-03-22/2026-03-24`;
const DIRECTIONS: readonly [string, string, string, string][] = [
  ['EXCX135D', 'USD', 'ZAR', 'Rand per US Dollar'],
  ['EXCB120D', 'ZAR', 'JPY', 'Japan: Yen per Rand'],
];
const IDS =
  'EXCX135D EXCZ001D EXCZ002D EXCB080D EXCB051D EXCB036D EXCB031D EXCB121D EXCB003D EXCB122D EXCB123D EXCB094D ' +
  'EXCB120D EXCB059D EXCB063D EXCB081D EXCB013D EXCB015D EXCB016D EXCB126D EXCB115D EXCB071D EXCB118D';
const observation = (Value: number | string | null, Timeseries = 'South Korea: Won per Rand') =>
  JSON.stringify([{ Period: '2026-03-23T00:00:00', Timeseries, Value }]);
const bank = (answers: Record<string, Answer>): Answers =>
  Object.fromEntries(IDS.split(' ').map((id) => [series(id), answers[id] ?? '[]']));

test.each(DIRECTIONS)(
  '%s is in its own direction, asked for from the day before',
  async (id, base, quote, label) => {
    const { rows, requests } = await readFeed(
      feed,
      '2026-03-23..2026-03-24',
      bank({ [id]: observation(17.1302, label) }),
    );
    expect(rows).toEqual([['2026-03-23', base, quote, 17.1302]]);
    expect(requests).toHaveLength(23);
  },
);

test('no observations, null, blank and zero are no rates', async () => {
  const answers = bank({
    EXCX135D: observation(null, 'Rand per US Dollar'),
    EXCZ001D: observation(' ', 'Rand per British Pound'),
    EXCZ002D: observation(0, 'Rand per Euro'),
  });
  expect((await readFeed(feed, '2026-03-23..2026-03-24', answers)).rows).toEqual([]);
});

test.each([
  ['a blocked page', blockedPage, /HTML page/],
  ['an object', '{"Message":"x"}', /documented form/],
  ['a value that is no number', observation('n/a'), /not a number/],
  ['another series', observation(1, 'Japan: Yen per Rand'), /not "South Korea: Won per Rand"/],
  ['one series that fails', { status: 500 }, /responded with status 500/],
])('%s is an error', async (_, answer, message) => {
  await expect(readFeed(feed, '2026-03-23..2026-03-24', bank({ EXCB118D: answer }))).rejects.toThrow(message);
});
