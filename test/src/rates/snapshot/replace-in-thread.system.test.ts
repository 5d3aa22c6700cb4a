import { beforeAll, expect, it } from 'vitest';
import { copyBlendedSeries } from '../../../../core/database/bulk/read-series.js';
import { inBulkTransaction, inOneView } from '../../../../core/database/transactions.js';
import { dayNumber } from '../../../../core/domain/dates.js';
import type * as Packed from '../../../../src/rates/snapshot/blends.js';
import {
  packBlends,
  type ReplaceBlends,
  type Replaced,
  replaceBlends,
} from '../../../../src/rates/snapshot/blends.js';
import type * as InThread from '../../../../src/rates/snapshot/replace-in-thread.js';
import { ownDatabase } from '../../../core/support.js';
import { builtModule } from '../../../support/service.js';

const database = await ownDatabase();
let inThread: ReplaceBlends;
/** The program's own, which finds the hashes that the thread made. */
let pack: typeof packBlends;

beforeAll(async () => {
  const folder = 'src/rates/snapshot';
  ({ replaceBlendsInThread: inThread } = await builtModule<typeof InThread>(
    `${folder}/replace-in-thread.js`,
  ));
  ({ packBlends: pack } = await builtModule<typeof Packed>(`${folder}/blends.js`));
  await execute(
    `insert into blended_days (date, quote, rate) select day::date, quote, 1 + random()
     from generate_series('2019-01-01'::date, '2025-12-31', '1 day') as day, unnest(array['AED', 'EUR', 'JPY']) as quote`,
  );
}, 120_000);

const execute = (text: string) =>
  inBulkTransaction(database, async ({ client }) => void (await client.query(text)));

const read = (replace: ReplaceBlends, replaced?: Replaced) =>
  inOneView(database, async (view) => replace(await copyBlendedSeries(view, replaced?.window), replaced));

it('gives the same as in the process: all blends, and those of a window', async () => {
  const old = await read(replaceBlends);
  expect(packBlends(old).hashes).toHaveLength(84);
  expect(pack(await read(inThread))).toEqual(packBlends(old));
  await execute(`update blended_days set rate = rate * 2 where date >= '2021-02-03' and quote <> 'JPY'`);
  const replaced = { old, window: { from: dayNumber('2021-02-01'), to: dayNumber('2025-12-31') } };
  const inPlace = await read(replaceBlends, replaced);
  expect(packBlends(inPlace)).not.toEqual(packBlends(old));
  expect(pack(await read(inThread, replaced))).toEqual(packBlends(inPlace));
});

it('fails as the database does, and where the thread fails', async () => {
  async function* failing() {
    yield Buffer.alloc(19);
    throw new Error('the connection has ended');
  }
  await expect(inThread(failing())).rejects.toThrow('the connection has ended');
  async function* cut() {
    const tuple = Buffer.alloc(2 + 3 * 4);
    tuple.writeInt16BE(3);
    yield Buffer.concat([Buffer.alloc(19), tuple]);
  }
  await expect(inThread(cut())).rejects.toThrow(RangeError);
});
