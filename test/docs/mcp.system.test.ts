import type { Client } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connectToTools } from '../support/mcp-client.js';
import { firstStart, read } from './support.js';

const guide = read('docs/mcp.md');
const BLOCK_AND_ANSWER = /^```json\n(\{ "name".*?)^```$\n\n```json\n(.*?)^```$/gms;
const examples = [...guide.matchAll(BLOCK_AND_ANSWER)].map(([, call = '', answer = '']) => ({
  call: JSON.parse(call),
  answer: JSON.parse(answer),
}));

let client: Client;
let tools: string[];
beforeAll(async () => {
  client = await connectToTools((await firstStart()).url);
  // By these a client checks the structured results.
  tools = (await client.listTools()).tools.map(({ name }) => name);
}, 180_000);
afterAll(() => client?.close());

describe('docs/mcp.md', () => {
  it('lists the tools', () => {
    const listed = [...guide.matchAll(/^\| `(\w+)` \|/gm)].map(([, name]) => name);
    expect(listed).toEqual(tools);
  });

  it('has three examples', () => {
    expect(examples).toHaveLength(3);
  });

  it.each(examples)('shows the answer to $call.name', async ({ call: shown, answer }) => {
    expect((await client.callTool(shown)).structuredContent).toEqual(answer);
  });
});
