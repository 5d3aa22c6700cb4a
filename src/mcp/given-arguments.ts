import { mayBeRounded, SEND_AS_STRING } from '../../core/domain/amount.js';
import { parameterError } from '../http/errors.js';

/** Throws an HttpError 422 for an amount that may have lost digits. Models may also send numbers, and arrays for lists. Null, empty and boolean values count as absent. */
export function textsOf(given: unknown): [name: string, text: string][] {
  const isNamed = typeof given === 'object' && given !== null && !Array.isArray(given);
  return Object.entries(isNamed ? given : {}).flatMap(([name, value]): [string, string][] => {
    if (name === 'amount' && mayBeRounded(value)) throw parameterError(422, name, SEND_AS_STRING);
    const text = textOf(value);
    return text === '' ? [] : [[name, name === 'precision' ? precisionOf(text) : text]];
  });
}

function textOf(value: unknown): string {
  return Array.isArray(value) ? value.map(itemText).filter(Boolean).join() : itemText(value);
}

function itemText(value: unknown): string {
  if (value === undefined || value === null || typeof value === 'boolean') return '';
  // The route refuses what is nested, with a message about the expected form. It may be too deep to be written.
  if (typeof value === 'object') return Array.isArray(value) ? '[…]' : '{…}';
  return String(value).trim();
}

/** Models request a number of digits. They get full precision, and round themselves. */
function precisionOf(text: string): string {
  return /^\d+$/.test(text) ? 'full' : text;
}
