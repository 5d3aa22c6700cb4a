import { execFile, execFileSync } from 'node:child_process';
import { promisify } from 'node:util';
import sdmxRest, { type Service } from 'sdmx-rest';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { startApi, type TestApi } from '../../../support/api.js';
import type { TestDatabase } from '../../../support/postgres.js';
import { databaseWith } from '../../../support/rates.js';

// Programs that read SDMX, as they come: nothing is changed but the base URL.

const clock = () => new Date('2026-03-20T18:00:00Z');
let database: TestDatabase;
let api: TestApi;
beforeAll(async () => {
  database = await databaseWith([
    { provider: 'ECB', date: '2026-03-16', base: 'EUR', quote: 'USD', rate: 1.1453 },
    { provider: 'ECB', date: '2026-03-17', base: 'EUR', quote: 'USD', rate: 1.1498 },
    { provider: 'ECB', date: '2026-03-17', base: 'EUR', quote: 'GBP', rate: 0.8642 },
  ]);
  api = await startApi(database, { clock });
}, 60_000);
afterAll(async () => {
  await api?.close();
  await database?.close();
});

const KEY = 'D.USD.EUR.SP00.A';
const query = { flow: 'EXR', key: KEY, start: '2026-03', end: '2026-03' };
const service = (format: string, version = 'v1.5.0'): Service => ({
  url: `${api.url}/sdmx`,
  api: version,
  format,
});
const FORMATS = [
  'application/vnd.sdmx.genericdata+xml;version=2.1',
  'application/vnd.sdmx.data+json;version=1.0.0',
  'application/vnd.sdmx.data+json;version=1.0.0-wd',
  'application/vnd.sdmx.data+csv;version=1.0.0',
];

describe('sdmx-rest, of npm', () => {
  it('asks the paths that there are', () => {
    const [format = ''] = FORMATS;
    expect(sdmxRest.getUrl(query, service(format))).toBe(
      `${api.url}/sdmx/data/EXR/${KEY}/all?detail=full&includeHistory=false&startPeriod=2026-03&endPeriod=2026-03`,
    );
  });

  it.each(FORMATS)('reads %s', async (format) => {
    const text = await sdmxRest.request(query, service(format));
    expect(text).toContain('2026-03-17');
    expect(text).toContain('1.1498');
  });

  it('takes a time without changes for success, and is told of anything else', async () => {
    const [, json = ''] = FORMATS;
    const { meta } = JSON.parse(await sdmxRest.request(query, service(json)));
    const text = await sdmxRest.request({ ...query, updatedAfter: meta.prepared }, service(json));
    expect(JSON.parse(text)).toMatchObject({ errors: [{ code: 100, title: 'No results found' }] });
    await expect(sdmxRest.request({ ...query, start: '2027', end: '2027' }, service(json))).rejects.toThrow(
      'Request failed with error code 404',
    );
    await expect(sdmxRest.request({ flow: 'EXR', key: 'D.XXY.EUR.SP00.A' }, service(json))).rejects.toThrow(
      'Request failed with error code 422',
    );
  });

  it.each([FORMATS[1] ?? '', 'application/vnd.sdmx.data+csv;version=2.0.0'])(
    'asks in the names of SDMX 3.0, for %s',
    async (format) => {
      const three = {
        context: 'dataflow=ALMANAC:EXR(1.0)',
        key: KEY,
        filters: 'TIME_PERIOD=ge:2026-03-17',
      };
      const asked = service(format, 'v2.0.0');
      const url = new URL(sdmxRest.getUrl(three, asked));
      expect(url.pathname).toBe(`/sdmx/data/dataflow/ALMANAC/EXR/1.0/${KEY}`);
      expect([...url.searchParams.keys()]).toContain('c[TIME_PERIOD]');
      const text = await sdmxRest.request(three, asked);
      expect(text).toContain('1.1498');
      expect(text).not.toContain('1.1453');
    },
  );

  it('reads all series by their wildcards', async () => {
    const [, json = ''] = FORMATS;
    const body = JSON.parse(await sdmxRest.request({ flow: 'EXR', key: 'D..EUR.SP00.A' }, service(json)));
    expect(dataMessage.parse(body)).toEqual(body);
    expect(body.data.structure.dimensions.series[1].values).toContainEqual({
      id: 'GBP',
      name: 'British Pound',
    });
  });
});

// The members that the schema of SDMX-JSON 1.0 requires, and the forms of ids, indices and observations.
const id = z.string().regex(/^[A-Za-z0-9_@$-]+$/);
const index = z.number().int().min(0);
const component = {
  id: z.string().regex(/^[A-Za-z][A-Za-z0-9_-]*$/),
  values: z.array(z.strictObject({ id, name: z.string() })),
};
const dimension = z.strictObject({ ...component, keyPosition: index });
const attribute = z.strictObject({ ...component, relationship: z.record(z.string(), z.unknown()) });
const indices = z.string().regex(/^[0-9]+(:[0-9]+)*$/);
const dataSet = z.strictObject({
  action: z.enum(['Information', 'Append', 'Replace', 'Delete']),
  validFrom: z.iso.datetime().optional(),
  validTo: z.iso.datetime().optional(),
  links: z.array(z.never()),
  series: z.record(
    indices,
    z.strictObject({
      attributes: z.array(index).optional(),
      observations: z.record(indices, z.array(z.number())).optional(),
    }),
  ),
});
const dataMessage = z.strictObject({
  meta: z.strictObject({ id, prepared: z.iso.datetime(), test: z.boolean(), sender: z.strictObject({ id }) }),
  data: z.strictObject({
    structure: z.strictObject({
      dimensions: z.strictObject({ series: z.array(dimension), observation: z.array(dimension) }),
      attributes: z.strictObject({ series: z.array(attribute), observation: z.array(attribute) }),
    }),
    dataSets: z.array(dataSet),
  }),
});

function hasPandas(): boolean {
  try {
    execFileSync('/usr/bin/python3', ['-c', 'import pandas'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

describe.skipIf(!hasPandas())('pandas', () => {
  it('reads CSV as snippets for the ECB do', async () => {
    const { stdout } = await promisify(execFile)('/usr/bin/python3', [
      '-c',
      `import pandas as pd
data = pd.read_csv("${api.url}/sdmx/data/EXR/D.USD+GBP.EUR.SP00.A?format=csvdata&lastNObservations=1", parse_dates=["TIME_PERIOD"])
print(data[["KEY", "TIME_PERIOD", "OBS_VALUE"]].to_csv(index=False), data.dtypes["OBS_VALUE"], data.dtypes["TIME_PERIOD"])`,
    ]);
    expect(stdout).toBe(
      'KEY,TIME_PERIOD,OBS_VALUE\nEXR.D.GBP.EUR.SP00.A,2026-03-17,0.8642\nEXR.D.USD.EUR.SP00.A,2026-03-17,1.1498\n float64 datetime64[ns]\n',
    );
  });
});
