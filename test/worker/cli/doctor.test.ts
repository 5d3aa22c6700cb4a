import { mkdtemp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { setAside } from '../../../core/database/set-aside.js';
import { inTransaction } from '../../../core/database/transactions.js';
import { useSources } from '../../../core/sources/custom-sources.js';
import { answer, type HttpStub, httpStub } from '../../support/http-stub.js';
import { ownDatabase, readRows, storeIn } from '../ingest/support.js';
import { recordBoc } from './recordings.js';
import { cli, ownFolder } from './support.js';

const CSV = 'day,currency,rate\n2026-03-19,USD,0.87\n2026-03-20,USD,0.86\n2026-03-20,JPY,0.0058\n';

const database = await ownDatabase();
const folder = await ownFolder();
let bank: HttpStub;
let sources: string;
beforeEach(async () => {
  bank = await httpStub({ '/fine': answer(CSV) });
  sources = await mkdtemp(join(folder, 'sources-'));
  await describeSource('FINEDESK', '/fine');
});
afterEach(async () => {
  useSources({});
  await bank.close();
});

/** A source that the bank has at a path. */
async function describeSource(key: string, path: string): Promise<void> {
  const columns = '{ date: day, base: currency, rate: rate }';
  const read = `{ url: "${bank.url}${path}", format: csv, columns: ${columns}, quote: EUR }`;
  const text = `key: ${key}\nname: ${key}\nschedule: "30 6 * * 1-5"\nread: ${read}\n`;
  await writeFile(join(sources, `${key}.yaml`), text);
}

const doctor = (words: string[], variables: Record<string, string> = {}, isTerminal = false) =>
  cli(['doctor', ...words], {
    ...{ now: '2026-03-20T18:00:00Z', isTerminal },
    variables: { SOURCES_DIR: sources, DATA_DIR: join(folder, 'none'), ...variables },
  });

const WITHOUT = 'not compared with stored rates: DATABASE_URL is not set, and DATA_DIR holds no database\n';

it('prints a table, and is content where all is well or a key is not set', async () => {
  const { code, stdout, stderr } = await doctor(['finedesk', 'TCMB']);
  expect({ code, stderr }).toEqual({ code: 0, stderr: WITHOUT });
  // The column is as wide as the time that it took.
  expect(stdout.replace(/HTTP +MS/, 'HTTP  MS').replace(/ {2,}\d+ +1 +/, '  MS  1  ')).toBe(
    `SOURCE    FINDING      HTTP  MS  REQUESTS  BYTES  NEWEST      ROWS  STORED  DIFFERING
FINEDESK  ok            200  MS  1  ${CSV.length}  2026-03-20     3
TCMB      needs a key
`,
  );
});

it('prints below the table what is likely wrong and what to do, and exits with 1', async () => {
  await describeSource('GONEDESK', '/gone');
  await describeSource('SHUTDESK', '/shut');
  bank.route('/shut', answer('', 403));
  const { code, stdout, stderr } = await doctor(['GONEDESK', 'FINEDESK', 'SHUTDESK']);
  expect(code).toBe(1);
  expect(stderr).toBe(`${WITHOUT}almanac: need attention: GONEDESK, SHUTDESK\n`);
  const [table, ...findings] = stdout.split('\n\n');
  expect(table?.split('\n').map((line) => line.slice(0, 23))).toEqual([
    'SOURCE    FINDING  HTTP',
    'GONEDESK  moved     404',
    'FINEDESK  ok        200',
    'SHUTDESK  blocked   403',
  ]);
  const gone = `GONEDESK: Its data is no longer at this address: ${bank.url}/gone: responded with status 404 (Not Found).
  Look for the data on the source's site, and correct the address in its feed.`;
  const shut = /^SHUTDESK: 127\.0\.0\.1 refuses this program.*\n {2}Set CONTACT.*\n$/;
  expect(findings).toEqual([gone, expect.stringMatching(shut)]);
});

it('says once that this machine has no internet access, with what to do', async () => {
  await describeSource('OTHERDESK', '/fine');
  await describeSource('THIRDDESK', '/fine');
  const keys = ['FINEDESK', 'OTHERDESK', 'THIRDDESK', 'TCMB'];
  await storeIn(database, 'FINEDESK', { date: '2026-03-19', base: 'USD', quote: 'EUR', rate: 0.87 });
  await bank.close();
  const offline = await doctor(keys);
  const compared = await doctor(keys, { DATABASE_URL: database.url });
  const asJson = await doctor([...keys, '--json']);
  bank = await httpStub();
  const sentence = 'his machine has no internet access (3 sources could not be reached)';
  const remedy = expect.stringMatching(/^ {2}Check its network.*HTTPS_PROXY/);
  expect(offline).toMatchObject({ code: 1, stderr: WITHOUT });
  expect(offline.stdout.split('\n')).toEqual([`T${sentence}.`, remedy, '']);
  const shipped = `T${sentence}; rates are those shipped, up to 19 March 2026.`;
  expect(compared).toMatchObject({ code: 1, stderr: '', stdout: expect.stringContaining(shipped) });
  expect(asJson).toMatchObject({ code: 1, stderr: `${WITHOUT}almanac: t${sentence}\n` });
  expect(JSON.parse(asJson.stdout)).toMatchObject({ has_way_out: false, sources: { length: 4 } });
});

it('prints the same as JSON', async () => {
  await describeSource('GONEDESK', '/gone');
  const { code, stdout } = await doctor(['FINEDESK', 'GONEDESK', '--json']);
  expect(code).toBe(1);
  const fine = {
    ...{ key: 'FINEDESK', finding: 'ok', needs_hand: false, likely: null, remedy: null },
    ...{
      status: 200,
      milliseconds: expect.any(Number),
      requests: 1,
      bytes: CSV.length,
      rows: 3,
      newest: '2026-03-20',
    },
    ...{ stored_newest: null, differing: null },
  };
  const gone = { key: 'GONEDESK', finding: 'moved', needs_hand: true, status: 404, rows: null };
  const asked = { asked_at: '2026-03-20T18:00:00.000Z', has_way_out: true };
  expect(JSON.parse(stdout)).toEqual({ ...asked, sources: [fine, expect.objectContaining(gone)] });
});

it('shows progress on a terminal', async () => {
  const { code, stderr } = await doctor(['FINEDESK'], {}, true);
  expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringMatching(/asking .* 1 of 1/) });
});

it('compares with what is stored, and stores nothing', async () => {
  const compared = async () => {
    const { stdout, stderr } = await doctor(['FINEDESK'], { DATABASE_URL: database.url });
    expect(stderr).toBe('');
    return stdout.split('\n')[1]?.split(/ {2,}/).slice(-2);
  };
  expect(await compared()).toEqual(['nothing', '0']);
  const variables = { SOURCES_DIR: sources, DATABASE_URL: database.url };
  bank.route('/fine', answer(CSV.replace('0.86', '0.99').replace('2026-03-20,JPY', '2026-03-23,JPY')));
  const window = ['--from', '2026-03-16', '--to', '2026-03-23'];
  await cli(['ingest', 'FINEDESK', ...window], { now: '2026-03-23T18:00:00Z', variables });
  const before = await readRows(database, 'select * from rates');
  bank.route('/fine', answer(CSV));
  // The dollar of Friday is another one, the yen of Friday is not stored, and that of Monday is stored alone.
  expect(await compared()).toEqual(['2026-03-23', '1']);
  expect(await readRows(database, 'select * from rates')).toEqual(before);
  expect(await readRows(database, 'select from ingest_runs')).toHaveLength(1);
});

it('lists windows set aside of the sources that it checks', async () => {
  const window = { from: '2003-01-01', to: '2003-12-31', reason: 'no rates', attempts: 6 };
  await inTransaction(database, async (transaction) => {
    for (const provider of ['FINEDESK', 'ECB']) {
      await transaction.prisma.provider.create({ data: { key: provider } });
      await setAside(transaction, { provider, ...window });
    }
  });
  expect((await doctor(['FINEDESK'], { DATABASE_URL: database.url })).stdout).toMatch(
    /\n\nSET ASIDE {2}FROM .* REASON\nFINEDESK {3}2003-01-01 {2}2003-12-31 {2}\S+ +6 {2}no rates\n$/,
  );
});

it('goes on without a database that is away, and with recordings, which are compared with nothing', async () => {
  const away = 'postgres://nobody@127.0.0.1:9/none';
  const { code, stdout, stderr } = await doctor(['FINEDESK', 'TCMB'], { DATABASE_URL: away });
  const reason = 'cannot connect to 127.0.0.1:9 (ECONNREFUSED)';
  expect({ code, stderr }).toEqual({ code: 0, stderr: `not compared with stored rates: ${reason}\n` });
  expect(stdout).toMatch(/^FINEDESK .* 3$/m);
  await recordBoc(folder);
  const recorded = await doctor(['BOC', 'ECB'], { FEEDS_FROM: folder });
  expect(recorded.code).toBe(1);
  expect(recorded.stderr).toMatch(/^not compared with stored rates: FEEDS_FROM is set[^\n]*\n.*: ECB\n$/);
  // Nothing of it is late, and nobody was connected to.
  expect(recorded.stdout).toMatch(/^BOC +ok +200 .* 2026-03-03 +4$/m);
  expect(recorded.stdout).toMatch(/^ECB +other$/m);
});
