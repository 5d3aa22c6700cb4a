import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { MOST_CONNECTIONS } from '../../../src/http/connections.js';
import { startApi } from '../../rehearse/programs.js';
import { type Attack, type AttackContext, Skipped } from '../attack.js';
import { type AskOptions, ask, openConnection } from '../requests.js';

// One client that seems to be many, to a further API that trusts one proxy.

const run = promisify(execFile);
const LIMIT = 5;
const CONNECTIONS_EACH = 20;
const REQUESTS = 60;
/** How long a connection that is refused may stay. */
const REFUSED_MS = 1_500;
const PROXY = '127.1.4.9';
/** Addresses that the machine has while the attack lasts: many of one /64, and one of the next. */
const SAME = Array.from({ length: 16 }, (_, index) => `fd2a:6f1c:9b3e:1:${(4_099 * index).toString(16)}::1`);
const OTHER = 'fd2a:6f1c:9b3e:2::1';

interface Sent extends Pick<AskOptions, 'from' | 'headers'> {
  over: 'IPv4' | 'IPv6';
}

/** What one client sends, each time as if it were another, and what another client sends. */
interface Disguise {
  name: string;
  sent(number: number): Sent;
  other: Sent;
}

const forged = (number: number) => ({
  'x-forwarded-for': `10.1.${number}.1, 2001:db8:${number.toString(16)}::1`,
  forwarded: `for=10.2.${number}.1`,
  'x-real-ip': `10.3.${number}.1`,
});

function throughProxy(forwarded: string): Sent {
  return { over: 'IPv4', from: PROXY, headers: { 'x-forwarded-for': forwarded } };
}

const FORGED: readonly Disguise[] = [
  {
    name: 'headers of a client over IPv4',
    sent: (number) => ({ over: 'IPv4', from: '127.1.4.1', headers: forged(number) }),
    other: { over: 'IPv4', from: '127.1.4.2' },
  },
  {
    name: 'headers of a client over IPv6',
    sent: (number) => ({ over: 'IPv6', from: '::1', headers: forged(number) }),
    other: { over: 'IPv4', from: '127.1.4.3' },
  },
  {
    name: 'headers before that of a proxy',
    sent: (number) => throughProxy(`10.1.${number}.1, 2001:db8::${number}, 198.51.100.1`),
    other: throughProxy('198.51.100.2'),
  },
  {
    name: 'addresses of a /64 behind a proxy',
    sent: (number) => throughProxy(`2001:db8:1:2:${number.toString(16)}::1`),
    other: throughProxy('2001:db8:1:3::1'),
  },
];

const OF_A_NETWORK: Disguise = {
  name: 'addresses of a /64',
  sent: (number) => ({ over: 'IPv6', from: SAME[number % SAME.length] ?? '' }),
  other: { over: 'IPv6', from: OTHER },
};

/** Gives the work the URL of a further API by each version of IP. */
async function withApi(
  { environment }: AttackContext,
  work: (urls: Readonly<Record<Sent['over'], string>>) => Promise<void>,
): Promise<void> {
  const api = await startApi('addresses', {
    folder: environment.folder,
    env: {
      DATABASE_URL: await environment.databaseUrl(),
      PORT: '0',
      HOST: '::',
      RATE_LIMITS: `utility=${LIMIT}`,
      TRUST_PROXY: PROXY,
    },
  });
  const { port } = new URL(api.url);
  try {
    await work({ IPv4: `http://127.0.0.1:${port}`, IPv6: `http://[::1]:${port}` });
  } finally {
    await api.stop();
  }
}

/** Only as many requests may be answered as one client may send, and another client must not be refused. */
async function askDisguised(
  { fail }: AttackContext,
  urls: Readonly<Record<Sent['over'], string>>,
  { name, sent, other }: Disguise,
): Promise<void> {
  const statusOf = async ({ over, ...options }: Sent) =>
    (await ask(urls[over], '/random/hangman', options)).status;
  let answered = 0;
  for (let number = 0; number < REQUESTS; number++) {
    if ((await statusOf(sent(number))) === 200) answered++;
  }
  if (answered !== LIMIT) fail(`${name}: ${answered} requests were answered, not ${LIMIT}`);
  const status = await statusOf(other);
  if (status !== 200) fail(`${name}: another client got ${status}`);
}

/** Gives this machine addresses, in a network of its own, until the work is done. Throws Skipped where that is not permitted. */
async function withAddresses(addresses: readonly string[], work: () => Promise<void>): Promise<void> {
  const change = (how: 'replace' | 'del') =>
    Promise.all(addresses.map((address) => run('ip', ['-6', 'address', how, `${address}/128`, 'dev', 'lo'])));
  await change('replace').catch((error: Error) => {
    throw new Skipped(`this machine can't be given addresses: ${error.message.trim().split('\n').at(-1)}`);
  });
  try {
    await work();
  } finally {
    await change('del');
  }
}

/** Opens connections from each of the addresses. Only as many may stay open as one client may have. */
async function connectAll(context: AttackContext, url: string): Promise<void> {
  const addresses = [...Array<string[]>(CONNECTIONS_EACH).fill(SAME).flat(), OTHER];
  const connections = await Promise.all(addresses.map((address) => openConnection(url, address)));
  for (const { socket } of connections) socket.resume();
  await context.pause(REFUSED_MS);
  const open = connections.map(({ socket }) => !socket.destroyed);
  const own = open.slice(0, -1).filter(Boolean).length;
  const { perClient } = MOST_CONNECTIONS;
  if (own !== perClient) context.fail(`${own} connections of a /64 are open, not ${perClient}`);
  if (!open.at(-1)) context.fail('a connection of another /64 was refused');
  for (const connection of connections) connection.destroy();
}

export const addresses: readonly Attack[] = [
  {
    name: 'forged addresses',
    async run(context) {
      await withApi(context, async (urls) => {
        for (const disguise of FORGED) await askDisguised(context, urls, disguise);
      });
      return `${REQUESTS} requests each by ${FORGED.map(({ name }) => name).join(', ')}: ${LIMIT} were answered, as to one client, and those of another`;
    },
  },
  {
    name: 'addresses of a /64',
    async run(context) {
      await withAddresses([...SAME, OTHER], async () => {
        await withApi(context, async (urls) => {
          await askDisguised(context, urls, OF_A_NETWORK);
          await connectAll(context, urls.IPv6);
        });
      });
      return `${REQUESTS} requests and ${CONNECTIONS_EACH * SAME.length} connections from ${SAME.length} addresses of one /64: ${LIMIT} were answered and ${MOST_CONNECTIONS.perClient} are open, as to one client, and those of another /64`;
    },
  },
];
