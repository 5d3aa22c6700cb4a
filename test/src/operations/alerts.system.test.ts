import { execFile, spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Provider, providers } from '../../../core/domain/providers.js';
import { nextPublishAt, nextPublishOfAny } from '../../../core/domain/publish-schedule.js';
import { projectFolder } from '../../../core/process/project-files.js';

const FOLDER = join(projectFolder, 'ops', 'prometheus');
const STEP_MS = 5 * 60_000;
const run = promisify(execFile);

/** A series with its values every five minutes, the first one at the start. */
type Series = Record<string, (number | null)[]>;
/** The alerts that fire at an instant, by its minutes from the start. */
type Firing = Readonly<Record<number, readonly string[]>>;

/** What is always there while all is well. */
const WELL = {
  'up{job="almanac",instance="a"}': 1,
  'up{job="almanac-worker",instance="w"}': 1,
  'almanac_snapshot_version{instance="a"}': 7,
  'almanac_snapshot_age_seconds{instance="a"}': 5,
  'almanac_data_version{instance="a"}': 7,
  'almanac_provider_status{provider="ECB",status="fresh"}': 1,
  'almanac_next_success_expected_timestamp_seconds{instance="a"}': 1e9,
  'almanac_queue_jobs{queue="ingest",state="waiting"}': 0,
  'almanac_dependency_up{dependency="database"}': 1,
};
const wellFor = (steps: number): Series =>
  Object.fromEntries(Object.entries(WELL).map(([name, value]) => [name, Array(steps).fill(value)]));

const promtoolMissing = spawnSync('promtool', ['--version']).error ? 'promtool is not installed' : undefined;

describe.skipIf(promtoolMissing)('the alerts', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'almanac-alerts-'));
  });
  afterAll(() => rm(folder, { recursive: true }));

  /** Fails where other alerts fire at these instants. */
  async function expectFiring(series: Series, firing: Firing): Promise<void> {
    const tests = {
      interval: '5m',
      input_series: Object.entries(series).map(([name, values]) => ({
        series: name,
        values: values.map((value) => value ?? '_').join(' '),
      })),
      promql_expr_test: Object.entries(firing).map(([minute, names]) => ({
        expr: 'sort(count by (alertname) (ALERTS{alertstate="firing"}))',
        eval_time: `${minute}m`,
        exp_samples: names.map((name) => ({ labels: `{alertname="${name}"}`, value: 1 })),
      })),
    };
    const rules = { rule_files: [join(FOLDER, 'alerts.yml')], evaluation_interval: '5m', tests: [tests] };
    const path = join(folder, 'test.yml');
    await writeFile(path, JSON.stringify(rules)); // JSON is YAML too.
    await run('promtool', ['test', 'rules', path]).catch((error: { stdout?: string; stderr?: string }) => {
      throw new Error(`${error.stdout}${error.stderr}`);
    });
  }

  it('and the configuration are valid as they ship', async () => {
    const { stdout } = await run('promtool', ['check', 'config', join(FOLDER, 'prometheus.yml')]);
    expect(stdout).toContain('rules found');
  });

  describe('in an hour in which all else is well', () => {
    const hour = (value: number | null) => Array<number | null>(13).fill(value);

    it('say nothing where nothing is wrong', () => expectFiring(wellFor(13), { 60: [] }));

    const required = Object.entries(WELL).filter(([name]) => !name.startsWith('almanac_snapshot_age'));
    it.each(required)('tell of %s that is missing', async (name, value) => {
      const missing = { [name]: [...hour(value).slice(0, 3), ...hour(null).slice(3)] };
      await expectFiring({ ...wellFor(13), ...missing }, { 10: [], 60: ['SeriesMissing'] });
    });

    it.each(['down', 'full', 'refuses_writes'])('tell of a Redis that is %s', async (state) => {
      const series = (shown: string) => `almanac_dependency_state{dependency="redis",state="${shown}"}`;
      const away = {
        [series('up')]: [1, ...hour(null).slice(1)],
        [series(state)]: [null, ...hour(1).slice(1)],
      };
      await expectFiring({ ...wellFor(13), ...away }, { 0: [], 20: ['DependencyDown'] });
    });

    it.each([
      [91, 100, ['RedisNearlyFull']],
      [89, 100, []],
      [1e12, 0, []],
    ])('tell of %d bytes of %d in Redis: %j', async (used, max, firing) => {
      const filled = {
        almanac_redis_memory_used_bytes: hour(used),
        almanac_redis_memory_max_bytes: hour(max),
      };
      await expectFiring({ ...wellFor(13), ...filled }, { 0: [], 20: firing });
    });

    it('tell of a worker that does not respond', async () => {
      const down = { 'up{job="almanac-worker",instance="other"}': hour(0) };
      await expectFiring({ ...wellFor(13), ...down }, { 60: ['WorkerDown'] });
    });
  });

  describe('NothingIngested', () => {
    const FRIDAY = new Date('2026-11-20T12:00:00Z');
    const weekdays = { publish_schedule: '0,30 14-16 * * 1-5' };
    const daily = { publish_schedule: '*/30 10-12 * * *' };

    /** The series of some days in which sources are read at their slots, except in an outage. */
    function simulate(
      sources: readonly Pick<Provider, 'publish_schedule'>[],
      hours: number,
      isAway: (at: Date) => boolean = () => false,
    ): Series {
      const [expected, success]: number[][] = [[], []];
      const asked = sources.map(() => FRIDAY);
      let newest = FRIDAY;
      // promtool's time begins with 0.
      const since = (instant: Date | null) => ((instant?.getTime() ?? Number.NaN) - FRIDAY.getTime()) / 1000;
      for (let at = FRIDAY.getTime(); at <= FRIDAY.getTime() + hours * 3_600_000; at += STEP_MS) {
        const now = new Date(at);
        for (const [index, source] of sources.entries()) {
          const due = nextPublishAt(source, asked[index] ?? FRIDAY);
          if (due === null || due > now || isAway(now)) continue;
          asked[index] = now;
          newest = now;
        }
        expected?.push(since(nextPublishOfAny(sources, newest)));
        success?.push(since(newest));
      }
      return {
        ...wellFor(expected?.length ?? 0),
        'almanac_next_success_expected_timestamp_seconds{instance="a"}': expected ?? [],
        'almanac_provider_last_success_timestamp_seconds{provider="ECB"}': success ?? [],
      };
    }

    const hourOf = (instant: string) => (Date.parse(instant) - FRIDAY.getTime()) / 3_600_000;
    /** Every hour from one to another. */
    const hourly = (from: number, to: number, names: string[] = []): Firing =>
      Object.fromEntries(Array.from({ length: to - from + 1 }, (_, hour) => [(from + hour) * 60, names]));
    /** Fires in the last hours, from an instant on. */
    const firesFrom = (instant: string, end: number) => ({
      ...hourly(1, hourOf(instant) - 1),
      ...hourly(hourOf(instant), end, ['NothingIngested']),
    });
    const isFrom = (instant: string) => (at: Date) => at >= new Date(instant);

    it.each([
      ['all sources', providers],
      ['a source of weekdays', [weekdays]],
      ['one of them daily', [weekdays, daily]],
    ])('is silent from Friday to Tuesday where all is well: %s', (_, sources) =>
      expectFiring(simulate(sources, 96), hourly(1, 96)),
    );

    it.each([
      [providers, '2026-11-23T14:10:00Z', '2026-11-23T18:00:00Z', 96],
      // A weekend with a daily source.
      [[weekdays, daily], '2026-11-20T22:00:00Z', '2026-11-21T14:00:00Z', 72],
    ])('fires three hours after the next slot of an outage: %#', (sources, begins, fires, end) =>
      expectFiring(simulate(sources, end, isFrom(begins)), firesFrom(fires, end)),
    );

    it('waits for Monday where no source is read at weekends, and ends once one is', () => {
      const [begins, ends] = [isFrom('2026-11-20T22:00:00Z'), isFrom('2026-11-24T14:00:00Z')];
      const series = simulate([weekdays], 102, (at) => begins(at) && !ends(at));
      const silent = hourly(hourOf('2026-11-24T15:00:00Z'), 102);
      return expectFiring(series, { ...firesFrom('2026-11-23T18:00:00Z', 97), ...silent });
    });
  });
});
