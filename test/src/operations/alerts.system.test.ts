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
type Series = Map<string, (number | null)[]>;

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

const promtoolMissing = spawnSync('promtool', ['--version']).error ? 'promtool is not installed' : undefined;

describe.skipIf(promtoolMissing)('the alerts', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'almanac-alerts-'));
  });
  afterAll(() => rm(folder, { recursive: true }));

  /** Fails where other alerts fire at an instant than these; minutes from the start. */
  async function expectFiring(series: Series, firing: ReadonlyMap<number, readonly string[]>): Promise<void> {
    const path = join(folder, 'test.yml');
    const tests = [
      {
        interval: '5m',
        input_series: [...series].map(([name, values]) => ({
          series: name,
          values: values.map((value) => value ?? '_').join(' '),
        })),
        promql_expr_test: [...firing].map(([minute, names]) => ({
          expr: 'sort(count by (alertname) (ALERTS{alertstate="firing"}))',
          eval_time: `${minute}m`,
          exp_samples: names.map((name) => ({ labels: `{alertname="${name}"}`, value: 1 })),
        })),
      },
    ];
    // JSON is YAML too.
    await writeFile(
      path,
      JSON.stringify({ rule_files: [join(FOLDER, 'alerts.yml')], evaluation_interval: '5m', tests }),
    );
    await run('promtool', ['test', 'rules', path]).catch((error: { stdout?: string; stderr?: string }) => {
      throw new Error(`${error.stdout}${error.stderr}`);
    });
  }

  it('and the configuration are valid as they ship', async () => {
    const { stdout } = await run('promtool', ['check', 'config', join(FOLDER, 'prometheus.yml')]);
    expect(stdout).toContain('rules found');
  });

  describe('while all is well but one series is missing', () => {
    const hour = (value: number | null) => Array.from({ length: 13 }, () => value);
    const well = () => new Map(Object.entries(WELL).map(([name, value]) => [name, hour(value)]));

    it('say nothing where none is', async () => {
      await expectFiring(well(), new Map([[60, []]]));
    });

    const required = Object.entries(WELL).filter(([name]) => !name.startsWith('almanac_snapshot_age'));
    it.each(required)('tell of %s', async (name, value) => {
      const missing = well();
      missing.set(name, [...hour(value).slice(0, 3), ...hour(null).slice(3)]);
      await expectFiring(
        missing,
        new Map([
          [10, []],
          [60, ['SeriesMissing']],
        ]),
      );
    });

    const notUp = ['down', 'full', 'refuses_writes'].flatMap((state) => [
      { dependency: 'redis', state, alert: 'DependencyDown' },
      { dependency: 'cache', state, alert: 'CacheDown' },
    ]);
    it.each(notUp)('tell of a $dependency that is $state', async ({ dependency, state, alert }) => {
      const away = well();
      away.set(`almanac_dependency_state{dependency="${dependency}",state="up"}`, [
        1,
        ...hour(null).slice(1),
      ]);
      away.set(`almanac_dependency_state{dependency="${dependency}",state="${state}"}`, [
        null,
        ...hour(1).slice(1),
      ]);
      await expectFiring(
        away,
        new Map([
          [0, []],
          [20, [alert]],
        ]),
      );
    });

    it.each([
      { used: 91, max: 100, store: 'queues', firing: ['RedisNearlyFull'] },
      { used: 89, max: 100, store: 'queues', firing: [] },
      { used: 1e12, max: 0, store: 'queues', firing: [] },
      { used: 100, max: 100, store: 'caches', firing: [] },
    ])(
      'tell of $used bytes of $max in the Redis of $store: $firing',
      async ({ store, used, max, firing }) => {
        const filled = well();
        filled.set(`almanac_redis_memory_used_bytes{store="${store}"}`, hour(used));
        filled.set(`almanac_redis_memory_max_bytes{store="${store}"}`, hour(max));
        await expectFiring(
          filled,
          new Map([
            [0, []],
            [20, firing],
          ]),
        );
      },
    );

    it('tell of a worker that does not respond', async () => {
      const down = well();
      down.set('up{job="almanac-worker",instance="other"}', hour(0));
      await expectFiring(down, new Map([[60, ['WorkerDown']]]));
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
      const expected: number[] = [];
      const success: number[] = [];
      const asked = sources.map(() => FRIDAY);
      let newest = FRIDAY;
      for (let at = FRIDAY.getTime(); at <= FRIDAY.getTime() + hours * 3_600_000; at += STEP_MS) {
        const now = new Date(at);
        for (const [index, source] of sources.entries()) {
          const due = nextPublishAt(source, asked[index] ?? FRIDAY);
          if (due === null || due > now || isAway(now)) continue;
          asked[index] = now;
          newest = now;
        }
        // promtool's time begins with 0.
        const since = (instant: Date | null) =>
          ((instant?.getTime() ?? Number.NaN) - FRIDAY.getTime()) / 1000;
        expected.push(since(nextPublishOfAny(sources, newest)));
        success.push(since(newest));
      }
      const constant = Object.entries(WELL).map(
        ([name, value]) => [name, expected.map(() => value)] as [string, number[]],
      );
      return new Map([
        ...constant,
        ['almanac_next_success_expected_timestamp_seconds{instance="a"}', expected],
        ['almanac_provider_last_success_timestamp_seconds{provider="ECB"}', success],
      ]);
    }

    const FIRES = ['NothingIngested'];
    const hourly = (from: number, to: number, names: string[] = []) =>
      Array.from({ length: to - from + 1 }, (_, hour) => [(from + hour) * 60, names] as const);
    const minutesTo = (instant: string) => (Date.parse(instant) - FRIDAY.getTime()) / 60_000;

    it.each([
      ['all sources', providers],
      ['a source of weekdays', [weekdays]],
      ['one of them daily', [weekdays, daily]],
    ])('is silent from Friday to Tuesday where all is well: %s', async (_, sources) => {
      await expectFiring(simulate(sources, 96), new Map(hourly(1, 96)));
    });

    it('fires three hours after the next slot of an outage on a weekday', async () => {
      const from = new Date('2026-11-23T14:10:00Z');
      await expectFiring(
        simulate(providers, 96, (at) => at >= from),
        new Map([
          ...hourly(1, minutesTo('2026-11-23T17:00:00Z') / 60),
          ...hourly(minutesTo('2026-11-23T18:00:00Z') / 60, 96, FIRES),
        ]),
      );
    });

    it('fires on a weekend where a daily source is not read, and not before its slot', async () => {
      const away = (at: Date) => at >= new Date('2026-11-20T22:00:00Z');
      await expectFiring(
        simulate([weekdays, daily], 72, away),
        new Map([
          ...hourly(1, minutesTo('2026-11-21T13:00:00Z') / 60),
          ...hourly(minutesTo('2026-11-21T14:00:00Z') / 60, 72, FIRES),
        ]),
      );
    });

    it('waits for Monday where no source is read at weekends, and ends once one is', async () => {
      const away = (at: Date) =>
        at >= new Date('2026-11-20T22:00:00Z') && at < new Date('2026-11-24T14:00:00Z');
      await expectFiring(
        simulate([weekdays], 102, away),
        new Map([
          ...hourly(1, minutesTo('2026-11-23T17:00:00Z') / 60),
          ...hourly(minutesTo('2026-11-23T18:00:00Z') / 60, 97, FIRES),
          ...hourly(minutesTo('2026-11-24T15:00:00Z') / 60, 102),
        ]),
      );
    });
  });
});
