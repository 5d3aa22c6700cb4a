import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { currencies, lifetimeOf } from '../../../core/domain/currencies.js';
import { addDays } from '../../../core/domain/dates.js';
import { groupBy } from '../../../core/domain/group-by.js';
import { projectFolder } from '../../../core/process/project-files.js';
import { validate } from '../../../worker/feeds/validate.js';
import { shippedRates } from '../../support/shipped-rates.js';

const today = '2026-11-30';
const RECORDINGS = join(projectFolder, '..', 'shared', 'history');

/** The codes of ISO 4217's list three that rates were published in, and those that it has taken up since 2018. */
const WITHDRAWN =
  'ADP AFA AOR ATS AZM BEF BGL BRR BYB BYR CSD CYP DEM ECS EEK ESP FIM FRF GHC GRD IEP ITL LTL LUF LVL MGF MRO MTL ' +
  'MZM NLG PLZ PTE ROL RUR SDD SIT SKK SRG STD TJR TMM TRL UAK VEB VEF XEU YUM YUN ZMK ZWD ZWR ' +
  'ANG BGN CUC HRK SLL ZWL';
/** Those that were in use before they succeeded another. */
const OLDER_SUCCESSORS = ['CUP', 'USD'];

const ended = [...currencies.values()].filter(({ lifetime }) => lifetime.until !== undefined);
const begun = [...currencies.values()].filter(({ lifetime }) => lifetime.from !== undefined);

/** Why a rate of a currency on a day is dropped; undefined where it is stored. */
function faultOf(code: string, date: string): string | undefined {
  const [quote = '', other = ''] = ['XDR', code];
  return Object.keys(
    validate([{ date, base: other, quote, rate: 2 }], { today, provider: 'ECB' }).dropped,
  )[0];
}

it('the codes that have ended are those that ISO 4217 has withdrawn', () => {
  const codes = [...currencies.keys()].filter((code) => lifetimeOf(code).until !== undefined);
  expect(codes).toEqual(WITHDRAWN.split(' ').sort());
});

it.each(ended)('$iso_code has no rate from its end on, and what came after it a first day', (row) => {
  const { iso_code: code, lifetime } = row;
  const { until = '', from = '1971-01-01', successor } = lifetime;
  expect(from < until).toBe(true);
  expect([addDays(until, -1), until, today].map((day) => faultOf(code, day))).toEqual([
    undefined,
    'after-end',
    'after-end',
  ]);
  if (!successor || OLDER_SUCCESSORS.includes(successor.code)) return;
  expect(lifetimeOf(successor.code).from?.localeCompare(until)).toBeLessThanOrEqual(0);
});

it.each(begun)(
  '$iso_code has no rate before its first day',
  ({ iso_code: code, lifetime: { from = '' } }) => {
    expect(['1971-01-04', addDays(from, -1), from].map((day) => faultOf(code, day))).toEqual([
      'before-start',
      'before-start',
      undefined,
    ]);
  },
);

/** The rows of a compressed table of `date,base,quote,rate`. */
function tableOf(path: string) {
  const lines = gunzipSync(readFileSync(path)).toString().trimEnd().split('\n').slice(1);
  return lines.map((line) => {
    const [date = '', base = '', quote = '', rate] = line.split(',');
    return { date, base, quote, rate: Number(rate) };
  });
}

it('no rate that ships is before the first day of its currencies, or after the last', async () => {
  const rows = await shippedRates();
  expect(rows.length).toBeGreaterThan(800_000);
  for (const [provider, own] of groupBy(rows, (row) => row.provider))
    expect(validate(own, { today, provider }).dropped, provider).toEqual({});
});

describe.skipIf(!existsSync(RECORDINGS))('whole histories', () => {
  it.each([
    ['ECB', 217_642],
    ['FRED', 266_322],
    ['SBI', 282_056],
  ])('%s: all of the %d rates are stored', (provider, count) => {
    const rows = tableOf(join(RECORDINGS, `${provider.toLowerCase()}.csv.gz`));
    const { rows: stored, dropped } = validate(rows, { today, provider });
    expect([stored.length, dropped]).toEqual([count, {}]);
  });
});
