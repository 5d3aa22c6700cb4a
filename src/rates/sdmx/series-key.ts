import type { Side } from '../../../core/domain/sides.js';
import { type HttpError, parameterError } from '../../http/errors.js';
import { excerpt } from '../../parameters/excerpt.js';
import { eitherOf, invalidCurrency } from '../../parameters/hints.js';
import { DIMENSIONS, type DimensionId } from './dataflow.js';
import type { Frequency } from './periods.js';

/** `A`: the mean of a period, or the rate of a day. `E`: the last daily rate of a period. */
export type Suffix = 'A' | 'E';

/** The codes of EXR_TYPE, with the side of the rates of a source that each selects; none for its rates themselves. */
export const RATE_TYPES = { SP00: undefined, BUY: 'buy', SELL: 'sell' } as const satisfies Record<
  string,
  Side | undefined
>;

export type RateType = keyof typeof RATE_TYPES;

export interface SeriesKey {
  readonly frequency: Frequency;
  readonly currency: string;
  readonly denominator: string;
  readonly type: RateType;
  readonly suffix: Suffix;
}

export function codesOf({ frequency, currency, denominator, type, suffix }: SeriesKey): string[] {
  return [frequency, currency, denominator, type, suffix];
}

/** The wanted codes of each dimension, sorted; undefined for any. */
export type KeySelection = Readonly<Record<DimensionId, readonly string[] | undefined>>;

const CODE = /^[A-Za-z0-9_@$-]+$/;
const WILDCARDS = new Set(['', '*']);
/** The codes that an empty code stands for; without an entry, any code. */
const DEFAULTS: Partial<Record<DimensionId, readonly string[]>> = {
  CURRENCY_DENOM: ['EUR'],
  EXR_TYPE: ['SP00'],
};
const MOST_KEYS = 100;

/** Throws an HttpError that names the key: 400 for another form, 422 for unknown codes. */
// A key has five codes separated by points: several with `+`, any with `*` or nothing. Commas separate keys, and
// `all` or nothing selects all series.
export function selectionsOf(text = ''): KeySelection[] {
  const keys = text === 'all' || WILDCARDS.has(text) ? [DIMENSIONS.map(() => '').join('.')] : text.split(',');
  if (keys.length > MOST_KEYS) throw badKey(`has more than ${MOST_KEYS} keys`);
  return keys.map(selectionOf);
}

function selectionOf(key: string): KeySelection {
  const parts = key.split('.');
  if (parts.length !== DIMENSIONS.length) {
    throw badKey(
      `has ${DIMENSIONS.length} codes with points between, ${DIMENSIONS.map(({ id }) => id).join('.')}, such as D.USD.EUR.SP00.A: ${excerpt(key)} has ${parts.length}`,
    );
  }
  const selected = DIMENSIONS.map((dimension, index) => [
    dimension.id,
    codesIn(parts[index] ?? '', dimension),
  ]);
  return Object.fromEntries(selected) as KeySelection;
}

function codesIn(
  part: string,
  { id, codelist: { codes } }: (typeof DIMENSIONS)[number],
): readonly string[] | undefined {
  if (WILDCARDS.has(part)) return DEFAULTS[id];
  const given = [...new Set(part.split('+').map((code) => code.toUpperCase()))].sort();
  for (const code of given) {
    if (code === '') throw badKey('has a code on both sides of each +');
    if (!CODE.test(code)) throw badKey(`has an invalid code: ${excerpt(code)}`);
    if (codes.has(code)) continue;
    const isCurrency = id === 'CURRENCY' || id === 'CURRENCY_DENOM';
    const message = isCurrency
      ? invalidCurrency(code)
      : `${id} is ${eitherOf([...codes.keys()])}, not ${excerpt(code)}`;
    throw parameterError(422, 'key', message, isCurrency ? 'unknown_currency' : undefined);
  }
  return given;
}

function badKey(problem: string): HttpError {
  return parameterError(400, 'key', `a key ${problem}`);
}

/** Whether a key selects a series. A wildcard does not select the currency itself. */
export function isSelected(
  selection: KeySelection,
  { frequency, currency, denominator, type, suffix }: SeriesKey,
): boolean {
  const has = (id: DimensionId, code: string) => selection[id]?.includes(code) ?? true;
  return (
    has('FREQ', frequency) &&
    (selection.CURRENCY?.includes(currency) ?? currency !== denominator) &&
    has('CURRENCY_DENOM', denominator) &&
    has('EXR_TYPE', type) &&
    has('EXR_SUFFIX', suffix) &&
    !(frequency === 'D' && suffix === 'E')
  );
}
