// A Prisma generator whose output is what Prisma has read from the schema, as JSON in the file that its configuration names.
// Prisma talks to it in JSON-RPC: requests line by line on standard input, answers on standard error.
import { writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line);
  if (method === 'generate') {
    writeFileSync(params.generator.output.value, JSON.stringify(params.dmmf.datamodel));
  }
  const result = method === 'getManifest' ? { manifest: { prettyName: 'datamodel' } } : null;
  process.stderr.write(`${JSON.stringify({ jsonrpc: '2.0', id, result })}\n`);
}
