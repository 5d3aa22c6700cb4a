import { beforeAll, describe, expect, it } from 'vitest';
import { firstStart, read } from './support.js';

const ROW = /^\| `(\w+) (\S+)`(?: with `([^`]+)`)?(?: as `([^`]+)`)? \| (\d{3}) \| `([^`]+)` \|$/gm;
const text = read('docs/data/errors.md');
const rows = [...text.matchAll(ROW)].map(
  ([, method = '', target = '', body, type = 'application/json', status, message = '']) => ({
    ...{ method, target, body, type, status: Number(status), message },
  }),
);

type Refusal = { content: { 'application/json': { example: { code?: string; message: string } } } };
type Operation = { tags: string[]; responses: Record<string, Refusal> };

describe('the errors of the documentation', () => {
  let url: string;
  beforeAll(async () => {
    ({ url } = await firstStart());
  }, 180_000);

  it('are all rows of its tables that have a request', () => {
    expect(rows).toHaveLength(text.match(/^\| `[A-Z]+ /gm)?.length ?? 0);
    expect(rows.length).toBeGreaterThan(80);
  });

  const send = ({ method, target, body, type }: (typeof rows)[number]) =>
    fetch(url + target, {
      method,
      redirect: 'manual',
      headers: { accept: 'application/json', ...(body !== undefined && { 'content-type': type }) },
      ...(body !== undefined && { body }),
    });

  it.each(rows)('$method $target $body', async ({ status, message, ...row }) => {
    const response = await send({ status, message, ...row });
    const said = (await response.json()) as { message: string; error?: string } | { error: string }[];
    const [line] = Array.isArray(said) ? said : [];
    const found = Array.isArray(said) ? line?.error : said.message;
    expect([response.status, found]).toEqual([status, message]);
  });

  it('have those of the description of the API, with their codes', async () => {
    const described = await (await fetch(`${url}/openapi.json`)).json();
    const { paths } = described as { paths: Record<string, Record<string, Operation>> };
    const examples = Object.entries(paths)
      // That there is no address at a place is known from upstream.
      .filter(([path]) => !/^\/(admin|detect)\//.test(path))
      .flatMap(([, operations]) => Object.values(operations))
      // Other services' errors are in docs/dialects.md.
      .filter(({ tags }) => !tags.includes('Dialects'))
      .flatMap(({ responses }) => Object.entries(responses))
      .filter(([status]) => ['400', '404', '405', '415', '422'].includes(status))
      .map(([, { content }]) => content['application/json'].example);
    expect(examples.length).toBeGreaterThan(20);
    for (const { code, message } of examples) {
      const row = rows.find((one) => one.message === message);
      if (row === undefined) throw new Error(`the documentation does not have: ${message}`);
      const sent = (await (await send(row)).json()) as { code?: string };
      expect([message, sent.code]).toEqual([message, code]);
    }
  });
});
