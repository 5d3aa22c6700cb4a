import { isDeepStrictEqual } from 'node:util';
import { BLEND_METHOD } from '../blend/method.js';
import { type Asked, addressOf, askedBy } from './address.js';
import { inputName } from './inputs.js';
import { remadeOfBlend } from './remade-blend.js';
import type { Receipt } from './schema.js';
import { remadeOfSource } from './source-rate.js';

/** Takes the days of the dollar and of pegs, and all hashes, as stated. Throws a RangeError that says what is wrong. */
export function recompute(receipt: Receipt): { asked: Asked; computed: Receipt } {
  const asked = askedBy(receipt.url);
  checkRows(receipt, asked);
  const isOfSource = asked.providers?.length === 1;
  const remade = (isOfSource ? remadeOfSource : remadeOfBlend)(receipt, asked);
  const known = new Map(remade.inputs.map((input) => [inputName(input), input]));
  const inputs = receipt.inputs.map((input) => {
    const own = known.get(inputName(input));
    if (!own) throw new RangeError(`inputs ${inputName(input)}: has no part in the rate`);
    return own;
  });
  const knownAt = new Date(receipt.known_at).toISOString();
  const url = addressOf({ ...asked, asOf: knownAt });
  const { sha256 } = receipt;
  const { steps } = remade;
  return { asked, computed: { url, known_at: knownAt, method: BLEND_METHOD, inputs, steps, sha256 } };
}

/** Checks that inputs are in order, unique, requested, recorded by `known_at`, and the same for all currencies. */
function checkRows({ inputs, known_at: knownAt }: Receipt, { providers }: Asked): void {
  const facts = new Map<string, object>();
  for (const [index, input] of inputs.entries()) {
    const before = inputs[index - 1];
    const { provider, base, quote, date, rate, recorded_at: recordedAt, evidence, judgement } = input;
    if (before && inputName(before) >= inputName(input))
      throw new RangeError(`inputs.${index}: out of order: ${inputName(input)}`);
    if (Date.parse(recordedAt) > Date.parse(knownAt))
      throw new RangeError(`inputs.${index}.recorded_at: ${recordedAt} is later than known_at`);
    if (providers && !providers.includes(provider))
      throw new RangeError(`url: providers: does not name ${provider}`);
    const row = `${provider} ${base}/${quote} ${date}`;
    const own = { rate, recordedAt, evidence, judgement };
    if (!isDeepStrictEqual(facts.get(row) ?? own, own))
      throw new RangeError(`inputs ${inputName(input)}: differs from the same row for another currency`);
    facts.set(row, own);
  }
}
