import { FeedError } from '../feed-error.js';
import { numberOf } from './numbers.js';
import type { XmlElement } from './xml.js';

const UNITS = [1, 100, 1000, 10_000];

interface FrancLine {
  base: string;
  /** Francs for `units` of the base. */
  rate: number;
  units: number;
}

/** The lines of a list of Swiss customs. Throws a FeedError if a line is malformed or a currency appears twice. */
export function francLines(list: XmlElement, source: string): FrancLine[] {
  const lines = list.all('devise').map(lineOf);
  const twice = lines.find(({ base }, at) => lines.findIndex((line) => line.base === base) < at);
  if (twice) throw new FeedError(`${source}: ${twice.base} appears twice`);
  return lines;
}

function lineOf(element: XmlElement): FrancLine {
  const [, count = '', base = ''] = /^(\d+) ([A-Z]{3})$/.exec(element.only('waehrung').ownText) ?? [];
  const [units, rate] = [Number(count), numberOf(element.only('kurs').ownText)];
  if (!UNITS.includes(units) || element.attribute('code')?.toUpperCase() !== base || !(rate > 0))
    throw new FeedError(`not a currency, a power of ten of it and its price: ${element.toJSON()}`);
  return { base, rate, units };
}
