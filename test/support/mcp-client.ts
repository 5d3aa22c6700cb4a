import { Client, type ClientOptions, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';

/** A client of the tools of an API, connected. */
export async function connectToTools(
  url: string,
  options: ClientOptions = { versionNegotiation: { mode: 'auto' } },
): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' }, options);
  await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`)));
  return client;
}
