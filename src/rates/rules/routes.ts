import { z } from 'zod';
import {
  NO_LEGAL_ADVICE,
  ruleSchema,
  rules,
  unavailableRuleSchema,
  unavailableRules,
} from '../../../core/domain/rules.js';
import { json } from '../../http/reply.js';
import { entityTag } from '../../http/representation.js';
import { defineRoute, type Route } from '../../http/route.js';
import { jsonResponse } from '../../openapi/responses.js';
import { strictQuery } from '../../parameters/query.js';

const schema = z.object({
  notice: z.string(),
  rules: z.array(ruleSchema),
  unavailable: z
    .array(unavailableRuleSchema)
    .meta({ description: 'Rules whose rates no source here has, so that they are refused' }),
});

const listed = { notice: NO_LEGAL_ADVICE, rules, unavailable: unavailableRules };

export function rulesRoute(): Route {
  const content = json(listed);
  const tag = entityTag('rules', String(content.body));
  const [rule] = rules;
  return defineRoute({
    method: 'get',
    path: '/v2/rules',
    limit: 'currency',
    query: strictQuery(z.object({})),
    description: {
      summary: 'Which rate a law wants',
      description: `What \`rule=\` takes at \`/v2/rate/{base}/{quote}\` and \`/v2/convert\`, each with worked examples. ${NO_LEGAL_ADVICE}`,
      tags: ['Conversion'],
      responses: {
        200: jsonResponse('The rules', schema, {
          ...listed,
          rules: [rule],
          unavailable: unavailableRules.slice(0, 1),
        }),
      },
    },
    handle: () => ({ validity: { tag, cacheControl: 'public, max-age=86400' }, content }),
  });
}
