import type { Config } from '../../core/process/config.js';
import type { MakeContent } from '../http/dispatcher.js';
import { HttpError } from '../http/errors.js';
import { defineRoute, type Route } from '../http/route.js';
import { toolsOver } from './tools.js';

const LARGEST_BODY = 64 * 1024;

interface Dependencies {
  config: Pick<Config, 'MCP'>;
  makeContent: MakeContent;
}

/** Empty if disabled. */
export function mcpRoutes({ config, makeContent }: Dependencies, routes: readonly Route[]): Route[] {
  const hosts = config.MCP;
  if (hosts === false) return [];
  const tools = toolsOver(routes, makeContent);
  const protocol = () => import('./protocol.js');
  return [
    defineRoute({
      method: 'post',
      path: '/mcp',
      limit: 'mcp',
      body: 'json',
      largestBody: LARGEST_BODY,
      async guard(context) {
        (await protocol()).refuseForeignPage(context, hosts);
      },
      async handle(_, context) {
        if (Array.isArray(context.body)) throw new HttpError(400, 'send one message per request');
        return (await protocol()).replyToMessage(tools, context);
      },
    }),
  ];
}
