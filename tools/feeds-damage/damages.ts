import { seededRandom } from '../random.js';
import { csvForm } from './csv-form.js';
import { type BodyForm, type BodyKind, latin1, toBytes } from './form.js';
import { htmlForm } from './html-form.js';
import { jsonForm } from './json-form.js';
import {
  aYearOff,
  dayAndMonthExchanged,
  inAnotherForm,
  NO_NUMBER,
  ofDecimals,
  otherDecimalMark,
  withShortYears,
  withThousandsMarks,
} from './values.js';
import { workbookForm } from './workbook-form.js';
import { xmlForm } from './xml-form.js';

/** One way to damage bodies. */
export interface Damage {
  /** Such as `cut at half`. */
  kind: string;
  /** Which of several of its kind, such as the name that was changed. */
  detail: string;
  apply(bytes: Uint8Array): Uint8Array;
  /** The status that comes with it, where it is another one. */
  status?: number;
}

const CUTS = 20;
/** Of a source with more names, this many are changed one by one, spread over all. */
const MOST_NAMES = 24;
const MOST_NAMES_OF_WORKBOOK = 4;
const MOST_REMOVED = 6;
const FORMS: Partial<Record<BodyKind, BodyForm>> = {
  json: jsonForm,
  xml: xmlForm,
  html: htmlForm,
  csv: csvForm,
  workbook: workbookForm,
};
const BLOCKED =
  '<!DOCTYPE html><html><head><title>Access denied</title></head><body><h1>Request blocked</h1></body></html>';

/** The form that changes bodies of this kind; undefined for binary ones, which are only cut, emptied or replaced. */
export function formOf(kind: BodyKind): BodyForm | undefined {
  return FORMS[kind];
}

/** All damages to bodies like these, the same ones for the same seed. */
export function damagesTo(kind: BodyKind, bodies: readonly Uint8Array[], seed: string): Damage[] {
  const form = formOf(kind);
  return [...cuts(seed), ...replacements(kind), ...(form ? changes(form, bodies) : [])];
}

function cuts(seed: string): Damage[] {
  const random = seededRandom(seed);
  const at = (share: number, bytes: Uint8Array) => bytes.subarray(0, Math.floor(bytes.length * share));
  const half: Damage = { kind: 'cut at half', detail: '', apply: (bytes) => at(0.5, bytes) };
  return [
    half,
    ...Array.from({ length: CUTS }, () => random()).map(
      (share): Damage => ({
        kind: 'cut at random',
        detail: `${(share * 100).toFixed(2)} %`,
        apply: (bytes) => at(share, bytes),
      }),
    ),
  ];
}

function replacements(kind: BodyKind): Damage[] {
  const page = Buffer.from(BLOCKED);
  return [
    { kind: 'emptied', detail: '', apply: () => new Uint8Array() },
    { kind: 'HTML page', detail: '', apply: () => page },
    { kind: 'status', detail: '204', status: 204, apply: () => new Uint8Array() },
    { kind: 'status', detail: '404', status: 404, apply: () => page },
    {
      kind: 'encoding',
      detail: 'byte-order mark',
      apply: (bytes) => Buffer.concat([BYTE_ORDER_MARK, bytes]),
    },
    { kind: 'encoding', detail: 'UTF-16', apply: inUtf16 },
    ...(EMPTY_VALUES[kind] ?? []).map(
      (text): Damage => ({ kind: 'records', detail: text, apply: () => Buffer.from(text) }),
    ),
  ];
}

/** Text with two bytes a character, as some programs of offices save it. */
function inUtf16(bytes: Uint8Array): Uint8Array {
  return Buffer.from(`\ufeff${Buffer.from(bytes).toString('utf8')}`, 'utf16le');
}

const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf]);
/** What stands for nothing in JSON. */
const EMPTY_VALUES: Partial<Record<BodyKind, readonly string[]>> = { json: ['{}', '[]', 'null'] };

function changes(form: BodyForm, bodies: readonly Uint8Array[]): Damage[] {
  const names = [...new Set(bodies.slice(0, 3).flatMap((body) => form.names(latin1(body))))];
  const all = new Set(names);
  const most = form === workbookForm ? MOST_NAMES_OF_WORKBOOK : MOST_NAMES;
  const step = Math.max(1, names.length / most);
  const some = Array.from(
    { length: Math.min(names.length, most) },
    (_, at) => names[Math.floor(at * step)] ?? '',
  );
  const numbers = (to: (number: string) => string) => (text: string) => form.numbersChanged(text, to);
  return [
    change('no numbers', (text) => form.numbersChanged(text, () => NO_NUMBER)),
    ...Object.entries(DATES).map(([detail, to]) =>
      change('dates changed', (text) => form.textsChanged(text, to), detail),
    ),
    change('names renamed', (text) => form.renamed(text, all)),
    ...some.map((name) => change('one name', (text) => form.renamed(text, new Set([name])), name)),
    // A text that a form leaves as it is counts as not damaged.
    change('swapped with headings', (text) => form.swapped?.(text, 'with headings') ?? text),
    change('swapped without', (text) => form.swapped?.(text, 'without headings') ?? text),
    change('column inserted', (text) => form.inserted?.(text, 1) ?? text, 'after the first'),
    change('column inserted', (text) => form.inserted?.(text, 0) ?? text, 'in front'),
    ...(form.renamespaced ? [change('one name', form.renamespaced, 'namespace')] : []),
    change('row of notes', form.noted),
    ...some
      .slice(0, MOST_REMOVED)
      .map((name) => change('one name removed', (text) => form.removed(text, new Set([name])), name)),
    ...Object.entries(RECORDS).map(([detail, to]) =>
      change('records', (text) => form.recordsChanged(text, to), detail),
    ),
    ...Object.entries(FIGURES).map(([detail, to]) => change('figures', numbers(ofDecimals(to)), detail)),
    change('figures', (text) => form.retyped?.(text) ?? text, 'texts for numbers and numbers for texts'),
  ];
}

const DATES: Readonly<Record<string, (text: string) => string>> = {
  'another form': inAnotherForm,
  'a year off': aYearOff,
  'day and month exchanged': dayAndMonthExchanged,
  'short years': withShortYears,
};

const RECORDS: Readonly<Record<string, <Item>(records: Item[]) => Item[]>> = {
  repeated: (records) => records.flatMap((one) => [one, one]),
  reversed: (records) => records.toReversed(),
  none: () => [],
};

/** What becomes of a number with decimals. */
const FIGURES: Readonly<Record<string, (number: string) => string>> = {
  'other decimal mark': otherDecimalMark,
  'thousands marks': withThousandsMarks,
  zero: () => '0',
  negative: (number) => `-${number}`,
  blank: () => '',
  starred: (number) => `${number}*`,
  NaN: () => 'NaN',
  Infinity: () => 'Infinity',
};

function change(kind: string, apply: (text: string) => string, detail = ''): Damage {
  return { kind, detail, apply: toBytes(apply) };
}
