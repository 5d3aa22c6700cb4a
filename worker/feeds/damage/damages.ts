import { csvForm } from './csv-form.js';
import { type BodyForm, type BodyKind, latin1 } from './form.js';
import { htmlForm } from './html-form.js';
import { jsonForm } from './json-form.js';
import { seededRandom } from './random.js';
import { xmlForm } from './xml-form.js';

/** The columns of the matrix, in their order. */
export const DAMAGES = [
  'cut at half',
  'cut at random',
  'emptied',
  'HTML page',
  'no numbers',
  'dates changed',
  'names renamed',
  'one name',
  'swapped with headings',
  'swapped without',
  'column inserted',
  'row of notes',
  "today's response",
  'another currency',
] as const;
export type DamageKind = (typeof DAMAGES)[number];

/** One way to damage bodies. */
export interface Damage {
  kind: DamageKind;
  /** Which of several of its kind, such as the name that was changed. */
  detail: string;
  apply(bytes: Uint8Array): Uint8Array;
}

const CUTS = 20;
/** Of a source with more names, so many are changed alone, spread over all. */
const MOST_NAMES = 24;
const FORMS: Partial<Record<BodyKind, BodyForm>> = {
  json: jsonForm,
  xml: xmlForm,
  html: htmlForm,
  csv: csvForm,
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
  return [...cuts(seed), ...replacements(), ...(form ? changes(form, bodies) : [])];
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

function replacements(): Damage[] {
  return [
    { kind: 'emptied', detail: '', apply: () => new Uint8Array() },
    { kind: 'HTML page', detail: '', apply: () => Buffer.from(BLOCKED) },
  ];
}

function changes(form: BodyForm, bodies: readonly Uint8Array[]): Damage[] {
  const names = [...new Set(bodies.slice(0, 3).flatMap((body) => form.names(latin1(body))))];
  const all = new Set(names);
  const step = Math.max(1, names.length / MOST_NAMES);
  const some = Array.from(
    { length: Math.min(names.length, MOST_NAMES) },
    (_, at) => names[Math.floor(at * step)] ?? '',
  );
  const { swapped, inserted } = form;
  return [
    change('no numbers', form.numbersGone),
    change('dates changed', form.datesChanged),
    change('names renamed', (text) => form.renamed(text, all)),
    ...some.map((name) => change('one name', (text) => form.renamed(text, new Set([name])), name)),
    ...(swapped
      ? [
          change('swapped with headings', (text) => swapped(text, 'with headings')),
          change('swapped without', (text) => swapped(text, 'without headings')),
        ]
      : []),
    ...(inserted ? [change('column inserted', inserted)] : []),
    change('row of notes', form.noted),
  ];
}

function change(kind: DamageKind, apply: (text: string) => string, detail = ''): Damage {
  return { kind, detail, apply: (bytes) => Buffer.from(apply(latin1(bytes)), 'latin1') };
}
