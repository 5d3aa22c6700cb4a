import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Client } from '@modelcontextprotocol/client';
import pino from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { projectFolder } from '../../core/process/project-files.js';
import { bootstrap } from '../../worker/import/bootstrap.js';
import { startApi, type TestApi } from '../support/api.js';
import { connectToTools } from '../support/mcp-client.js';
import { type TestDatabase, testDatabase } from '../support/postgres.js';
import { questions } from './questions.js';

// As on a first start, on any day after the newest of the rates that ship with the project.
const clock = () => new Date('2026-06-01T12:00:00Z');
const guide = readFileSync(join(projectFolder, 'docs/mcp.md'), 'utf8');
const BLOCK_AND_ANSWER = /^```json\n(\{ "name".*?)^```$\n\n```json\n(.*?)^```$/gms;
const examples = [...guide.matchAll(BLOCK_AND_ANSWER)].map(([, call = '', answer = '']) => ({
  call: JSON.parse(call),
  answer: JSON.parse(answer),
}));

let database: TestDatabase;
let api: TestApi;
let client: Client;
let tools: string[];
beforeAll(async () => {
  database = await testDatabase();
  await bootstrap(database, pino({ level: 'silent' }), { clock });
  api = await startApi(database, { clock });
  client = await connectToTools(api.url);
  // By these a client checks the structured results.
  tools = (await client.listTools()).tools.map(({ name }) => name);
}, 180_000);
afterAll(async () => {
  await client?.close();
  await api?.close();
  await database?.close();
});

describe('a model', () => {
  it.each(questions)('asks: $asked', async ({ tool, input, answer, refusal }) => {
    const {
      content,
      structuredContent,
      isError = false,
    } = await client.callTool({
      name: tool,
      arguments: input,
    });
    const texts = content.map((part) => (part.type === 'text' ? part.text : part.type));
    expect([texts.length, isError]).toEqual([1, refusal !== undefined]);
    const [text = ''] = texts;
    if (refusal) {
      const lines = refusal.map((line) => (typeof line === 'string' ? line : expect.stringMatching(line)));
      expect(text.split('\n')).toEqual(lines);
      expect(text).not.toMatch(/Invalid input|undefined/i);
      return;
    }
    expect(structuredContent).toMatchObject(answer ?? {});
    const told: unknown = JSON.parse(text);
    expect(structuredContent).toEqual(Array.isArray(told) ? { rows: told } : told);
  });
});

describe('docs/mcp.md', () => {
  it('lists the tools', () => {
    const listed = [...guide.matchAll(/^\| `(\w+)` \|/gm)].map(([, name]) => name);
    expect(listed).toEqual(tools);
  });

  it('has three examples', () => {
    expect(examples).toHaveLength(3);
  });

  it.each(examples)('shows the answer to $call.name', async ({ call, answer }) => {
    expect((await client.callTool(call)).structuredContent).toEqual(answer);
  });
});
