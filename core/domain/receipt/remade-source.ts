import { WINDOW_DAYS } from '../blend/carry-forward.js';
import { dayNumber } from '../dates.js';
import { providerOf } from '../providers.js';
import { type Asked, differenceOfDay, validDays } from './address.js';
import { inputName, type Remade } from './inputs.js';
import type { Receipt } from './schema.js';
import { sourceProofs } from './source-inputs.js';
import { computeSourceSteps } from './source-steps.js';

/** Each figure comes from one row, and from a bridge row if it must be converted to the common currency. */
export function remadeOfSource({ inputs, steps }: Receipt, asked: Asked): Remade | { wrong: string } {
  const { base, quote, providers: [provider = ''] = [] } = asked;
  const known = providerOf(provider);
  if (!known) return { wrong: `url: providers: ${provider} is no source that this program knows` };
  const wrong = differenceOfDay(asked, steps.ratio.date, known.period);
  if (wrong !== undefined) return { wrong };
  const found = dayNumber(steps.ratio.date);
  const { from, to } = known.period
    ? validDays(asked, found, known.period)
    : { from: found - WINDOW_DAYS, to: found };
  const rows = inputs.flatMap((input) => {
    const day = dayNumber(input.date);
    return day >= from && day <= to ? { ...input, suspicion: input.suspect ?? null } : [];
  });
  const per = steps.source?.per ?? '';
  const proof = [...sourceProofs({ base, quote }, rows, known.pivot_currency)].find((one) => one.per === per);
  if (!proof) return { wrong: `steps.source.per: the rows do not make the rate by ${JSON.stringify(per)}` };
  const shown = proof.inputs.map((one) => ({ ...one.row, bridge: undefined, ...one.part, for: one.for }));
  const pair = { provider, base, quote, per, date: steps.ratio.date };
  const parts = new Map(shown.map((row, index) => [inputName(row), proof.inputs[index]?.part ?? {}]));
  return { parts, steps: computeSourceSteps(pair, shown) };
}
