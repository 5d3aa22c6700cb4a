import { writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import pino from 'pino';
import { type RawRow, WINDOW_DAYS } from '../../core/domain/blend/carry-forward.js';
import { isCoarse } from '../../core/domain/blend/coarse.js';
import { isHeld, type Suspect } from '../../core/domain/blend/suspect.js';
import { fromDayNumber } from '../../core/domain/dates.js';
import { providerOf } from '../../core/domain/providers.js';
import { seededRandom } from '../feeds-damage/random.js';
import { withDatabase } from '../own-database.js';
import { RECORDINGS_OPTION } from '../recordings/folder.js';
import { readAllRecordedRates } from '../recordings/recorded-rates.js';
import { FAULTS } from './faults.js';
import { type Cell, judgeUntouched, measure, SOURCES, wasHeld } from './measure.js';
import { differencesWhenStored } from './stored.js';

/** Fewer than one false alarm among this many rows. */
const ROWS_PER_FALSE_ALARM = 10_000;
/** Others contradict a figure from here on, in logarithms. */
const CONTRADICTED = 0.05;

export const usage = `suspects-measure [--from FOLDER] [--draws N] [--seed N] [--store N] [--json FILE]

Puts errors into recorded rates and prints how many are caught on their day, and which recorded rates are
suspect. With --store, N of the errors are also stored in a database of their own.
`;

/** Exit code 1 where a bar is missed, or the database holds back other rates. */
export async function run(args: string[]): Promise<number> {
  const { values } = parseArgs({
    args,
    options: {
      from: RECORDINGS_OPTION,
      draws: { type: 'string', default: '1000' },
      seed: { type: 'string', default: '1' },
      store: { type: 'string', default: '0' },
      json: { type: 'string' },
    },
  });
  const rows = await readAll(values.from);
  const random = seededRandom(values.seed);
  const { suspects, targets } = judgeUntouched(rows);
  const { cells, errors } = measure(rows, targets, { draws: Number(values.draws), random });
  const falseAlarms = suspects.filter(isFalseAlarm);
  print([...tableOf(cells), '', ...recorded(rows, suspects)]);
  if (values.json !== undefined) await writeFile(values.json, JSON.stringify(cells.map(plain), null, 1));
  const share = Number(values.store) / errors.length;
  const sample = errors.filter(() => random() < share);
  const differences =
    sample.length > 0 ? await withDatabase((database) => differencesWhenStored(database, rows, sample)) : [];
  if (sample.length > 0)
    print(['', `${sample.length} errors stored, ${differences.length} judged differently`, ...differences]);
  const isMissed = ({ fault, draws, caught }: Cell) => caught < (fault.bar ?? 0) * draws;
  const hasFailed =
    cells.some(isMissed) ||
    falseAlarms.length * ROWS_PER_FALSE_ALARM >= rows.length ||
    differences.length > 0;
  return hasFailed ? 1 : 0;
}

function print(lines: readonly string[]): void {
  process.stdout.write(`${lines.join('\n')}\n`);
}

/** The recorded rows that are blended, by date. */
async function readAll(folder: string): Promise<RawRow[]> {
  const { rows } = await readAllRecordedRates(folder, pino({ level: 'silent' }));
  const read = rows.filter(isBlended);
  return read.sort((one, other) => (one.date < other.date ? -1 : Number(one.date > other.date)));
}

function isBlended({ provider, date, base, quote, rate }: RawRow): boolean {
  const { blend, blend_from = '', blend_currencies, blend_without = [] } = providerOf(provider) ?? {};
  const isOf = (code: string) => code === base || code === quote;
  if (blend === false || date < blend_from || isCoarse(rate)) return false;
  return (blend_currencies?.some(isOf) ?? true) && !blend_without.some(({ currency }) => isOf(currency));
}

/** What is or was held back of the rows as they were recorded. */
function recorded(rows: readonly RawRow[], all: readonly Suspect[]): string[] {
  const suspects = all.filter((one) => isHeld(one) || wasHeld(one));
  const providers = new Set(rows.map(({ provider }) => provider)).size;
  const falseAlarms = suspects.filter(isFalseAlarm).length;
  return [
    `${rows.length} rows of ${providers} sources as they were recorded: ${suspects.length} suspects, ${falseAlarms} false alarms`,
    '',
    ...suspects.map((suspect) => `${lineOf(suspect)}: ${whatItWas(suspect)}`),
  ];
}

/** A question about figures that were right: they were held back at first and confirmed later, and no other source contradicted them. */
function isFalseAlarm(suspect: Suspect): boolean {
  return suspect.follows === undefined && wasHeld(suspect) && !isHeld(suspect) && !isContradicted(suspect);
}

function isContradicted({ day, rate, expected, others }: Suspect): boolean {
  const isSpeaking = others.some((other) => other.day >= day - WINDOW_DAYS);
  return isSpeaking && Math.abs(Math.log(rate / expected)) > CONTRADICTED;
}

function whatItWas(suspect: Suspect): string {
  if (isFalseAlarm(suspect)) return 'right, and confirmed';
  if (!isContradicted(suspect)) return 'gone with the next rate';
  const { length } = suspect.others;
  return `contradicted by ${length} other${length > 1 ? 's' : ''}${isHeld(suspect) ? '' : ', and confirmed'}`;
}

function lineOf({ series: { provider, base, quote }, day, rate, expected, reason }: Suspect): string {
  return `${provider} ${fromDayNumber(day)} ${base}/${quote} ${rate}, expected ${expected.toPrecision(5)}, ${reason}`;
}

function* tableOf(cells: readonly Cell[]): Generator<string> {
  yield `| error | ${SOURCES.map((sources) => `${sources}${sources === 1 ? ' source' : ' and more'}`).join(' | ')} |`;
  yield `| --- |${SOURCES.map(() => ' ---: |').join('')}`;
  for (const fault of FAULTS) {
    const shares = cells
      .filter((cell) => cell.fault === fault)
      .map(({ draws, caught }) => share(caught, draws));
    yield `| ${fault.name} | ${shares.join(' | ')} |`;
  }
}

function share(caught: number, draws: number): string {
  return draws === 0 ? '–' : `${((100 * caught) / draws).toFixed(1)} %`;
}

function plain({ fault, sources, draws, caught }: Cell) {
  return { fault: fault.name, sources, draws, caught };
}
