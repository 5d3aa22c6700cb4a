import type { RawRow } from '../../core/domain/blend/carry-forward.js';
import { type Comparison, compareProviders, type Deviation } from './deviations.js';
import { collectDollarRates } from './dollar-rates.js';
import { type Explanation, explanationOf, explanations, isTrusted } from './explanations.js';
import { findOtherDays, type OtherDay } from './lag.js';

/** A deviation with the reason that is known for it. */
export interface Judged extends Deviation {
  explanation: Explanation | undefined;
}

/** What comparing all recorded rates showed. */
export interface Verdict {
  comparisons: Comparison[];
  otherDays: OtherDay[];
  deviations: Judged[];
  /** Explanations that explain nothing. */
  unused: Explanation[];
}

/** Compares the rates of all providers and looks for the reason of every deviation. Rows may come in any order. */
export function judge(rows: Iterable<RawRow>): Verdict {
  const rates = collectDollarRates(rows, isTrusted);
  const comparisons = compareProviders(rates);
  const deviations = comparisons.flatMap(({ far }) =>
    far.map((deviation) => ({ ...deviation, explanation: explanationOf(deviation) })),
  );
  const used = new Set(deviations.map(({ explanation }) => explanation));
  return {
    comparisons,
    otherDays: findOtherDays(rates),
    deviations,
    unused: explanations.filter((one) => !used.has(one)),
  };
}
