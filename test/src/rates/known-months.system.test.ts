import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { projectFolder } from '../../../core/process/project-files.js';
import { runCommandLine } from '../../../worker/cli/program.js';
import { startApi, type TestApi } from '../../support/api.js';
import { type TestDatabase, testDatabase } from '../../support/postgres.js';

const RECORDINGS = join(projectFolder, '..', 'shared', 'feeds');
const recordingsMissing = existsSync(RECORDINGS) ? '' : ` (there is no folder ${RECORDINGS})`;
const clock = () => new Date('2026-03-18T18:00:00Z');

// The monthly averages that the ECB publishes beside its daily rates, from January 2025 to February 2026: the series
// EXR.M.GBP.EUR.SP00.A and EXR.M.JPY.EUR.SP00.A of its data portal, to seven decimals. The recordings end before USD.
const PUBLISHED = {
  GBP: `0.8390809 0.8307100 0.8370252 0.8537865 0.8434952 0.8498095 0.8646870
        0.8652762 0.8689455 0.8715522 0.8799650 0.8750000 0.8682810 0.8703150`,
  JPY: `161.9213636 158.0870000 161.1666667 161.6705000 163.1442857 166.5233333 171.5313043
        171.7895238 173.5486364 176.1526087 179.3160000 182.4971429 183.9385714 183.4515000`,
};

describe.skipIf(recordingsMissing)(`the ECB's months from its recorded days${recordingsMissing}`, () => {
  let database: TestDatabase;
  let api: TestApi;
  beforeAll(async () => {
    database = await testDatabase();
    const [stdout, stderr] = [new PassThrough().resume(), new PassThrough().resume()];
    const variables = { DATABASE_URL: database.url, FEEDS_FROM: RECORDINGS, LOG_LEVEL: 'silent' };
    const around = { variables, clock, stdin: new PassThrough(), stdout, stderr };
    const stopping = new AbortController().signal;
    const code = await runCommandLine(['ingest', 'ECB', '--from', '2025-01-01'], { ...around, stopping });
    expect(code).toBe(0);
    api = await startApi(database, { clock });
  });
  afterAll(async () => {
    await api?.close();
    await database?.close();
  });

  it.each(Object.entries(PUBLISHED))('%s is what the ECB publishes, digit for digit', async (quote, text) => {
    const query = `providers=ECB&quotes=${quote}&from=2025-01-01&to=2026-02-28&group=month&precision=full`;
    const response = await fetch(`${api.url}/v2/rates?${query}`);
    const months = (await response.json()) as { date: string; rate: number }[];
    expect(months.map(({ rate }) => rate.toFixed(7))).toEqual(text.split(/\s+/));
    expect([months[0]?.date, months.at(-1)?.date]).toEqual(['2025-01-01', '2026-02-01']);
  });
});
