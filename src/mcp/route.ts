import type { Config } from '../../core/process/config.js';
import { type Cost, LITTLE } from '../http/cost.js';
import { HttpError } from '../http/errors.js';
import { NO_STORE } from '../http/representation.js';
import { defineRoute, type RequestContext, type Route } from '../http/route.js';
import { refuseForeignPage, replyToMessage } from './protocol.js';
import type { Tool } from './tool.js';
import { toolsOver } from './tools.js';

const LARGEST_BODY = 64 * 1024;

interface Dependencies {
  config: Pick<Config, 'MCP' | 'MCP_ORIGINS'>;
}

/** `POST /mcp`, the tools of the Model Context Protocol over the routes of the rates; nothing if it is off. */
export function mcpRoutes({ config }: Dependencies, ratesRoutes: readonly Route[]): Route[] {
  if (!config.MCP) return [];
  const tools = toolsOver(ratesRoutes);
  return [
    defineRoute({
      method: 'post',
      path: '/mcp',
      limit: 'mcp',
      body: 'json',
      largestBody: LARGEST_BODY,
      async guard(context) {
        refuseForeignPage(context, config.MCP_ORIGINS);
      },
      handle: async (_, context) => ({
        validity: NO_STORE,
        cost: await costOf(tools, context),
        async make() {
          if (Array.isArray(context.body)) throw new HttpError(400, 'send one message a request');
          return replyToMessage(tools, context);
        },
      }),
    }),
  ];
}

/** What the call in a message takes. A call that will be refused takes little. */
async function costOf(tools: readonly Tool[], context: RequestContext): Promise<Cost> {
  const { params } = (context.body ?? {}) as { params?: { name?: unknown; arguments?: unknown } };
  const tool = tools.find(({ name }) => name === params?.name);
  const input = tool?.input.safeParse(params?.arguments ?? {});
  if (!tool || !input?.success) return LITTLE;
  return tool.costOf(input.data, context).catch(() => LITTLE);
}
