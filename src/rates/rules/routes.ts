import * as z from 'zod';
import {
  availableRules,
  NO_LEGAL_ADVICE,
  ruleSchema,
  unavailableRuleSchema,
  unavailableRules,
} from '../../../core/domain/rules.js';
import { hashedJson } from '../../http/reply.js';
import { defineRoute, type Route } from '../../http/route.js';
import { jsonResponse } from '../../openapi/responses.js';
import { strictQuery } from '../../parameters/query.js';

const schema = z.object({
  notice: z.string(),
  rules: z.array(ruleSchema),
  unavailable: z
    .array(unavailableRuleSchema)
    .meta({ description: 'Rules that are refused because no source has their rates' }),
});

/** Which rules are available depends on the custom sources, which a publication may change. */
function listed(): z.output<typeof schema> {
  const rules = availableRules().map(({ law: _law, needs: _needs, ...rule }) => rule);
  const unavailable = unavailableRules().map(({ law: _, ...rule }) => rule);
  return { notice: NO_LEGAL_ADVICE, rules, unavailable };
}

export function rulesRoute(): Route {
  const { rules, unavailable } = listed();
  return defineRoute({
    path: '/v2/rules',
    limit: 'currency',
    query: strictQuery(z.object({})),
    description: {
      summary: 'Rates that laws require',
      description: `The values of \`rule\` in \`/v2/rate/{base}/{quote}\` and \`/v2/convert\`, each with worked examples. ${NO_LEGAL_ADVICE}`,
      tags: ['Conversion'],
      responses: {
        200: jsonResponse('The rules', schema, {
          notice: NO_LEGAL_ADVICE,
          rules: rules.slice(0, 1),
          unavailable: unavailable.slice(0, 1),
        }),
      },
    },
    handle: () => hashedJson('rules', listed(), 'public, max-age=86400'),
  });
}
