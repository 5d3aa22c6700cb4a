import { beforeAll, expect, it, onTestFinished } from 'vitest';
import { digestOf } from '../../../core/columns/digest.js';
import { inOneView } from '../../../core/database/transactions.js';
import { dayNumber } from '../../../core/domain/dates.js';
import { writeTable } from '../../../core/publication/write-table.js';
import type * as InThread from '../../../src/rates/in-thread.js';
import type { PublishedFile } from '../../../src/rates/published/files.js';
import { type ReadProvider, readProvider } from '../../../src/rates/published/read-provider.js';
import { type ReadBlended, readBlended } from '../../../src/rates/published/snapshot.js';
import {
  loadSnapshot,
  receivedSnapshot,
  refreshSnapshot,
  type WholeSnapshot,
} from '../../../src/rates/snapshot/snapshot.js';
import { databaseWith, publish, storeRows } from '../../support/rates.js';
import { builtModule } from '../../support/service.js';

let inThread: (typeof InThread)['inThread'];
beforeAll(async () => {
  ({ inThread } = await builtModule<typeof InThread>('src/rates/in-thread.js'));
}, 120_000);
const readInThread: ReadBlended = (whole) => inThread('blended', whole);
const readProviderInThread: ReadProvider = (provider) => inThread('provider', provider);

/** Rates of the dirham, which is pegged, and of the euro, on each day of a year that begins here. */
function yearFrom(date: string): PublishedFile {
  const first = dayNumber(date);
  const at = Array.from({ length: 720 }, (_, index) => index);
  const content = writeTable('blended', {
    date: Int32Array.from(at, (index) => first + (index % 360)),
    base: at.map(() => 'USD'),
    quote: at.map((index) => (index < 360 ? 'AED' : 'EUR')),
    rate: Float64Array.from(at, (index) => (index < 360 ? 3.6725 : 0.8 + index / 7_000)),
  });
  return { path: `blended/${date.slice(0, 4)}.parquet`, rows: 720, content };
}

const files = [yearFrom('2024-01-01'), yearFrom('2025-01-01')];
it('gives the same as reading in the process', async () => {
  const periods = await readBlended({ files, digest: undefined });
  const digest = digestOf(periods);
  expect(periods.months.days).toHaveLength(24);
  expect(await readInThread({ files, digest })).toEqual(periods);
  expect(await readInThread({ files, digest: undefined })).toEqual(periods);
});

it('replies with memory that both threads share', async () => {
  const { days: day, weeks, months } = await readInThread({ files, digest: undefined });
  for (const { days, rates } of [day, weeks, months])
    for (const { buffer } of [days, rates]) expect(buffer).toBeInstanceOf(SharedArrayBuffer);
});

it('fails in the same ways', async () => {
  const digest = digestOf(await readBlended({ files: files.slice(1), digest: undefined }));
  const damaged = { ...yearFrom('2023-01-01'), content: Buffer.from('PAR1') };
  for (const read of [readBlended, readInThread]) {
    await expect(read({ files, digest })).rejects.toMatchObject({
      name: 'PublicationError',
      message: 'digest: the rates of each day are not those that were signed',
    });
    await expect(read({ files: [damaged, ...files], digest: undefined })).rejects.toMatchObject({
      fault: 'rows',
      path: 'blended/2023.parquet',
    });
  }
});

it('fails with whatever else goes wrong in the thread', async () => {
  const broken = { files: [{ path: 'x', rows: 1, content: undefined as never }], digest: undefined };
  await expect(readInThread(broken)).rejects.toThrow(TypeError);
});

it('reads the rates of a provider as in the process', async () => {
  const content = writeTable('observations', {
    provider: ['BOC', 'BOC', 'BOC'],
    date: Int32Array.of(20_000, 20_000, 20_001),
    base: ['USD', 'DKK', 'USD'],
    quote: ['CAD', 'CAD', 'CAD'],
    rate: Float64Array.of(1.37, 2.01, 1.38),
    recorded_at: Float64Array.of(0, 0, 0),
    suspect: [null, 'held', null],
    buy: undefined,
    sell: Float64Array.of(1.38, Number.NaN, 1.39),
  });
  const file = { path: 'observations/BOC/2024.parquet', rows: 3, content };
  const published = {
    files: [file],
    pivot: 'CAD',
    period: undefined,
    leftOut: new Map([['DKK/CAD 20000', 'factor_of_ten' as const]]),
  };
  const packed = await readProviderInThread(published);
  expect(packed).toEqual(await readProvider(published));
  expect(packed.map(({ side }) => side)).toEqual([undefined, 'buy', 'sell']);
  expect(packed[2]).toMatchObject({ rates: { table: { rates: Float64Array.of(1.38, 1.39) } } });
  expect(packed[0]?.suspects).toEqual(new Map([[20_000, new Map([['DKK', 'factor_of_ten']])]]));
  for (const read of [readProvider, readProviderInThread])
    await expect(read({ ...published, files: [{ ...file, rows: 2 }] })).rejects.toMatchObject({
      fault: 'rows',
      path: file.path,
    });
});

it('refreshes a snapshot as in the process, and throws the errors of the thread', async () => {
  const refresh = async (databaseUrl: string, current: WholeSnapshot) =>
    receivedSnapshot(await inThread('refresh', { databaseUrl, current }));
  const euro = publish('ECB', ['EUR/USD', 'EUR/JPY'], '2019-01-01', '2025-12-31');
  const database = await databaseWith(euro);
  onTestFinished(() => database.close());
  const old = await inOneView(database, loadSnapshot);
  await storeRows(database, euro.map((row) => ({ ...row, rate: row.rate * 1.001 })).slice(1_000));
  const whole = await inOneView(database, loadSnapshot);
  for (const current of [old, { ...old, version: 'of another database' }]) {
    let threads = 0;
    const refreshed = await inOneView(database, (view) =>
      refreshSnapshot(view, current, (given) => {
        threads++;
        return refresh(database.url, given);
      }),
    );
    expect([threads, refreshed]).toEqual([1, whole]);
  }
  await expect(refresh('postgres://almanac@127.0.0.1:9/x', old)).rejects.toThrow('ECONNREFUSED');
}, 120_000);
