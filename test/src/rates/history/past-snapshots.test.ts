import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type Columns, columnsOf, rateAt } from '../../../../core/columns/columns.js';
import { dayNumber } from '../../../../core/domain/dates.js';
import { type Provider, providerOf, setCustomProviders } from '../../../../core/domain/providers.js';
import { PastBlends, type PastSnapshots } from '../../../../src/rates/history/past-snapshots.js';
import type { KnownVersion } from '../../../../src/rates/history/versions.js';
import { mergeWindows } from '../../../../src/rates/snapshot/snapshot.js';
import type { RawStore } from '../../../../src/rates/sources/raw-store.js';
import { propertyRuns } from '../../../support/property-runs.js';
import { FIRST, type KnownRow, reader, row, rowAt, snapshotOf, storeOf } from '../sources/in-memory.js';

type Window = { from: number; to: number };

/** A version at which `then` was known, where blends have changed since in some windows. */
function versionOf(now: readonly KnownRow[], changedSince: readonly Window[], name = '1.a'): KnownVersion {
  const past = { lastChangeOf: (provider: string) => `last of ${provider}` };
  return {
    snapshot: { version: name, dataVersion: 1n, knownAt: 1_000, days: columnsOf([]), past },
    current: snapshotOf(now),
    changedSince,
  };
}

function pastOf(then: readonly KnownRow[]) {
  const store = storeOf(then);
  const reads: { from?: number; to?: number }[] = [];
  const read: RawStore['read'] = (snapshot, selection, ...rest) => {
    reads.push(selection);
    return store.read(snapshot, selection, ...rest);
  };
  /** The days that were read, without those that are carried into them: `20496..20559`. */
  const readDays = () => reads.splice(0).map(({ from = 0, to }) => `${from + 14}..${to}`);
  return { past: new PastBlends({ ...store, read }), readDays };
}

/** `day quote rate`, without the dollar. */
function texts({ quotes, byQuote, days }: Columns, isWanted = (_day: number) => true): string[] {
  return [...days].flatMap((day, dayIndex) =>
    quotes.flatMap((quote) => {
      const column = byQuote.get(quote);
      const rate = column ? rateAt(column, dayIndex) : Number.NaN;
      return Number.isNaN(rate) || quote === 'USD' || !isWanted(day)
        ? []
        : [`${day} ${quote} ${Number(rate.toPrecision(9))}`];
    }),
  );
}

describe('a past snapshot', () => {
  const now = [row('ECB 20500 EUR/USD 1.25'), row('ECB 20500 EUR/GBP 0.8'), row('ECB 20508 EUR/USD 1.5')];
  const days = { from: FIRST, to: FIRST + 20 };

  it('is that of its version', async () => {
    const { past } = pastOf([]);
    const snapshot = await past.of(versionOf(now, []), reader, { days });
    expect(snapshot).toMatchObject({ version: '1.a', dataVersion: 1n, knownAt: 1_000 });
    expect(snapshot.past?.lastChangeOf('ECB')).toBe('last of ECB');
    expect(texts(snapshot.days)).toContain('20500 GBP 0.64');
  });

  it('is not read for days that have not changed', async () => {
    const { past, readDays } = pastOf(now);
    await past.of(versionOf(now, [{ from: FIRST + 21, to: FIRST + 30 }]), reader, { days });
    await past.of(versionOf(now, [{ from: FIRST - 9, to: FIRST - 1 }]), reader, { days });
    expect(readDays()).toEqual([]);
  });

  it('has the wanted currencies and what they are pegged to', async () => {
    const rows = [...now, row('BCEAO 20500 USD/XOF 560')];
    const { past } = pastOf(rows);
    const quotes = async (currencies?: string[]) =>
      (await past.of(versionOf(rows, []), reader, { days, currencies })).days.quotes;
    expect(await quotes(['GBP'])).toEqual(['GBP', 'USD']);
    expect(await quotes(['XOF'])).toEqual(['EUR', 'USD', 'XOF']);
    expect((await quotes()).length).toBeGreaterThan(4);
  });

  it('is read once for the same days of a version, and in at most four blocks at a time', async () => {
    const { past, readDays } = pastOf(now);
    const known = versionOf(now, [{ from: 20_480, to: 20_639 }]);
    const readFor = async (from: number, to: number, of = known) => {
      await past.of(of, reader, { days: { from, to } });
      return readDays();
    };
    // Seven blocks of sixteen days, from that of day 20,496 on.
    expect(await readFor(20_500, 20_600)).toEqual(['20496..20559', '20560..20607']);
    expect(await readFor(20_510, 20_590)).toEqual([]);
    expect(await readFor(20_590, 20_620)).toEqual(['20608..20623']);
    expect(await readFor(20_510, 20_511, versionOf(now, known.changedSince, '2.b'))).toHaveLength(1);
  });
});

it('the newest day that was known is looked for in one block of sixteen days first', async () => {
  const { past, readDays } = pastOf([row('ECB 20500 EUR/USD 1.25'), row('ECB 20580 EUR/USD 1.25')]);
  const known = versionOf([], [{ from: FIRST - 50, to: FIRST + 300 }]);
  expect(await past.newestDay(known, 20_590, reader)).toBe(20_580);
  expect(readDays()).toEqual(['20576..20591']);
  expect(await past.newestDay(known, 20_575, reader)).toBe(20_500);
  expect(readDays()).toEqual(['20560..20575', '20496..20511']);
});

it('the newest day that was known may be one of a custom source', async () => {
  const ecb = providerOf('ECB') as Provider;
  setCustomProviders([{ ...ecb, key: 'DESK' }]);
  onTestFinished(() => setCustomProviders([]));
  const { past } = pastOf([row('DESK 20500 EUR/USD 1.25')]);
  const known = versionOf([], [{ from: FIRST - 50, to: FIRST + 300 }]);
  expect(await past.newestDay(known, 20_590, reader)).toBe(20_500);
});

/** The rates that are known from a version on, and the days that it changed. */
type Recorded = { rows: readonly KnownRow[]; changed: Window };

/** What a version records: new rows, and others in place of those of the same day and pair. */
function recordedAfter({ rows }: Pick<Recorded, 'rows'>, added: readonly KnownRow[]): Recorded {
  const keyOf = ({ provider, date, base, quote }: KnownRow) => `${provider} ${date} ${base} ${quote}`;
  const known = new Map([...rows, ...added].map((each) => [keyOf(each), each]));
  const all = [...known.values()];
  const [before, after] = [new Set(texts(snapshotOf(rows).days)), new Set(texts(snapshotOf(all).days))];
  const blends = [...before, ...after].filter((text) => before.has(text) !== after.has(text));
  const days = [
    ...blends.map((text) => Number.parseInt(text, 10)),
    ...added.map(({ date }) => dayNumber(date)),
  ];
  return { rows: all, changed: { from: Math.min(...days), to: Math.max(...days) } };
}

/** The versions that were recorded up to now, and the raw rows of each. */
function historyOf(versions: readonly Recorded[]) {
  const of = ({ version }: { version: string }) => storeOf(versions[Number(version)]?.rows ?? []);
  const raw: RawStore = {
    ...storeOf([]),
    read: (snapshot, ...rest) => of(snapshot).read(snapshot, ...rest),
    span: (snapshot, ...rest) => of(snapshot).span(snapshot, ...rest),
  };
  return {
    open: () => new PastBlends(raw),
    versionAt(index: number): KnownVersion {
      const changedSince = mergeWindows(versions.slice(index + 1).map(({ changed }) => changed));
      return versionOf(versions.at(-1)?.rows ?? [], changedSince, String(index));
    },
  };
}

const PAIRS = [
  ...['ECB EUR/USD 1.25', 'ECB EUR/GBP 0.8', 'BOC EUR/USD 1.3', 'BOC USD/JPY 151', 'IMF USD/GBP 0.79'],
];
const arbitraryFigure = fc
  .tuple(fc.constantFrom(...PAIRS), fc.nat(50), fc.constantFrom(1, 1.001, 1.01, 0.99), fc.boolean())
  .map(([pair, at, times, isHeldBack]) => {
    return rowAt(pair, at, times, isHeldBack && times === 0.99 ? 'jump' : undefined);
  });

interface Question extends Window {
  version: number;
  /** The newest day up to the last one is asked for, and not the days. */
  isNewest: boolean;
}

const arbitraryQuestion = fc
  .tuple(
    fc.nat(3),
    fc.nat(110).map((start) => FIRST + start),
    fc.nat(60),
    fc.boolean(),
  )
  .map(([version, from, length, isNewest]): Question => ({ version, from, to: from + length, isNewest }));
const firstRows = Array.from({ length: 40 }, (_, at) => row(`ECB ${FIRST + at} EUR/USD 1.2`));

/** Figures that are recorded, questions at once, waiting for their answers, or a restart of the process. */
const arbitraryEvent = fc.oneof(
  fc.record({ figures: fc.array(arbitraryFigure, { minLength: 1, maxLength: 2 }) }),
  fc.record({ questions: fc.array(arbitraryQuestion, { minLength: 1, maxLength: 4 }) }),
  fc.constantFrom('wait', 'wait', 'restart'),
);

it('an answer about the past is the same whatever was asked and recorded since', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(arbitraryEvent, { maxLength: 25, size: 'max' }), async (events) => {
      const versions = [recordedAfter({ rows: [] }, firstRows)];
      const { open, versionAt } = historyOf(versions);
      let past = open();
      let waiting: Promise<void>[] = [];
      const answer = async (asked: PastSnapshots, { version, from, to, isNewest }: Question) => {
        const known = versionAt(version % versions.length);
        if (isNewest) return [await asked.newestDay(known, to, reader)];
        const { days } = await asked.of(known, reader, { days: { from, to } });
        expect([...days.days]).toEqual([...days.days].toSorted((one, other) => one - other));
        return texts(days).toSorted();
      };
      const truth = ({ version, from, to, isNewest }: Question) => {
        const { days } = snapshotOf(versions[version % versions.length]?.rows ?? []);
        if (isNewest) return [[...days.days].findLast((day) => day <= to)];
        return texts(days, (day) => day >= from && day <= to).toSorted();
      };
      const check = async (question: Question) => {
        const expected = truth(question);
        const [found, fresh] = [answer(past, question), answer(open(), question)];
        expect([question, await found]).toEqual([question, expected]);
        expect([question, await fresh]).toEqual([question, expected]);
      };
      for (const event of [...events, 'wait']) {
        if (event === 'restart') past = open();
        else if (event === 'wait') {
          await Promise.all(waiting);
          waiting = [];
        } else if (typeof event === 'object' && 'questions' in event)
          waiting.push(...event.questions.map(check));
        else if (typeof event === 'object')
          versions.push(recordedAfter(versions.at(-1) ?? { rows: [] }, event.figures));
      }
    }),
    propertyRuns(2_000),
  );
});
