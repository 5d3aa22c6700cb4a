import type { Config } from '../../core/process/config.js';
import { type Cost, LITTLE } from '../http/cost.js';
import { HttpError } from '../http/errors.js';
import type { DeferredReply, Reply } from '../http/reply.js';
import { NO_STORE } from '../http/representation.js';
import { defineRoute, type RequestContext, type Route } from '../http/route.js';
import { refuseForeignPage, replyToMessage } from './protocol.js';
import type { Tool } from './tool.js';
import { toolsOver } from './tools.js';

const LARGEST_BODY = 64 * 1024;

interface Dependencies {
  config: Pick<Config, 'MCP' | 'MCP_ORIGINS'>;
}

/** `POST /mcp`, the tools of the Model Context Protocol over other routes; nothing if it is off. */
export function mcpRoutes({ config }: Dependencies, routes: readonly Route[]): Route[] {
  if (!config.MCP) return [];
  const tools = toolsOver(routes);
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
      async handle(_, context) {
        const called = callIn(tools, context);
        return {
          validity: NO_STORE,
          cost: await costOf(called),
          async make() {
            if (Array.isArray(context.body)) throw new HttpError(400, 'send one message a request');
            return replyToMessage(tools, context, called);
          },
        };
      },
    }),
  ];
}

/** The reply to the call in a message; undefined where there is none of a tool. */
function callIn(tools: readonly Tool[], context: RequestContext): Promise<Reply | DeferredReply> | undefined {
  const { params } = (context.body ?? {}) as { params?: { name?: unknown; arguments?: unknown } };
  const tool = tools.find(({ name }) => name === params?.name);
  return tool?.call(params?.arguments, context);
}

/** What a call takes; little where it has been refused. */
async function costOf(called: Promise<Reply | DeferredReply> | undefined): Promise<Cost> {
  const reply = await called?.catch(() => undefined);
  return reply && 'make' in reply ? reply.cost : LITTLE;
}
