import * as z from 'zod';
import { RETURN_PERIODS, rules } from '../../../core/domain/rules.js';
import { choice, day } from '../engine/parameters.js';

const [anyRule = '', ...otherRules] = new Set(rules.map(({ id }) => id));
const DAYS_OF_MEAN = 'For a rule that uses a mean: the first and last day of the mean, both included';

/** Selects a rate by a rule of law, which `resolveRule` reads. */
export const ruleQuery = z.object({
  rule: choice([anyRule, ...otherRules], {
    description:
      'Return the rate that a law requires for `date`. The rule selects the source and the day, and the response names it in `rule`. ' +
      `\`/v2/rules\` describes all rules.\n\n| rule | source, day, pick | citation |\n| --- | --- | --- |\n${rules
        .map(({ id, source, day, pick, citation, needs }) => {
          const from = needs ? `${source} (custom source)` : source;
          return `| \`${id}\` | ${[from, day, pick].filter(Boolean).join(', ')} | ${citation} |`;
        })
        .join('\n')}\n\nThis is not legal advice.`,
    examples: ['eu-customs'],
  }),
  period: choice(RETURN_PERIODS, {
    description: 'For a rule about returns: whether they are monthly or quarterly',
    default: 'quarter',
  }),
  from: day(DAYS_OF_MEAN, '2025-01-01'),
  to: day(DAYS_OF_MEAN, '2025-03-31'),
});

/** The parameters of a rule, which the routes of a provider do not support. */
export const RULE = { rule: true, period: true, from: true, to: true } as const;
