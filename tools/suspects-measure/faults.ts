import type { RawRow } from '../../core/domain/blend/carry-forward.js';

/** A kind of error: what a figure becomes. */
export interface Fault {
  name: string;
  /** The least share of such errors that has to be caught on their day, for every number of sources. */
  bar?: number;
  /** The wrong figures, by row, of a table of one provider and day; undefined where the error can't be made of it. */
  inject(target: RawRow, place: Place): Map<RawRow, number> | undefined;
}

interface Place {
  /** The rows that the provider quotes in the same way on that day, the target among them. */
  table: readonly RawRow[];
  /** The last figure of the pair. */
  last: number;
  random: () => number;
}

const FACTORS = 0.99;
const SHAPES = 0.95;
/** A smaller change is no error. */
const LEAST_CHANGE = 0.01;

export const FAULTS: readonly Fault[] = [
  ...[1000, 100, 10, 3].flatMap((factor) => [
    scaled(`x ${factor}`, FACTORS, () => factor),
    scaled(`x 1/${factor}`, FACTORS, () => 1 / factor),
  ]),
  scaled('30 % to 200 % off', undefined, (random) => either(1.3 + 1.7 * random(), random)),
  scaled('10 % to 30 % off', undefined, (random) => either(1.1 + 0.2 * random(), random)),
  scaled('5 % to 10 % off', undefined, (random) => either(1.05 + 0.05 * random(), random)),
  { name: 'inverted', bar: SHAPES, inject: (target) => only(target, 1 / target.rate) },
  { name: 'two currencies swapped', bar: SHAPES, inject: swapped },
  { name: 'the column beside it', inject: beside },
  scaled('buying for selling', undefined, (random) => either(1.01 + 0.02 * random(), random)),
  { name: 'last figure again', inject: (target, { last }) => only(target, last) },
];

function scaled(name: string, bar: number | undefined, factor: (random: () => number) => number): Fault {
  return {
    name,
    ...(bar !== undefined && { bar }),
    inject: (target, { random }) => only(target, Number((target.rate * factor(random)).toPrecision(6))),
  };
}

function either(factor: number, random: () => number): number {
  return random() < 0.5 ? factor : 1 / factor;
}

function only(target: RawRow, wrong: number): Map<RawRow, number> | undefined {
  return isError(target.rate, wrong) ? new Map([[target, wrong]]) : undefined;
}

function swapped(target: RawRow, { table, random }: Place): Map<RawRow, number> | undefined {
  const other = table[Math.floor(random() * table.length)];
  if (!other || !isError(target.rate, other.rate)) return undefined;
  return new Map([
    [target, other.rate],
    [other, target.rate],
  ]);
}

function beside(target: RawRow, { table }: Place): Map<RawRow, number> | undefined {
  const other = table[table.indexOf(target) + 1];
  return other && only(target, other.rate);
}

function isError(right: number, wrong: number): boolean {
  return Math.abs(Math.log(wrong / right)) >= LEAST_CHANGE;
}
