import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { gzipSync } from 'node:zlib';

export interface HostileUpstream {
  url: string;
  /** How it answers from now on. */
  behave(how: Behaviour): void;
  /** Requests that have come since it was opened. */
  requests(): number;
  /** How many of them were for where a redirect leads. */
  redirected(): number;
  close(): Promise<void>;
}

const DRIP_MS = 250;
const MEBIBYTE = 1024 * 1024;
/** Thirty times as much as it takes on the way, and more than any limit. */
const GZIP_BOMB = gzipSync(Buffer.alloc(64 * MEBIBYTE, ' '), { level: 9 });
const NESTED = '['.repeat(2 * MEBIBYTE - 1_000);
const WRONG_JSON = `[${'{"odd":"1","rates":[{}]},'.repeat(300_000)}1]`;
const FAULTS = `{"observations":[${'1,'.repeat(45_000)}1],"results":[${'{},'.repeat(45_000)}{}]}`;
const CHUNK = '"a",'.repeat(4_096);

/** What it does with a connection on which a request has come, `head` being its first lines. */
const BEHAVIOURS = {
  /** As an upstream should. */
  well: (socket: Socket, head: string) => sendWhole(socket, wellBehaved(head)),
  silent: () => undefined,
  endless(socket: Socket) {
    socket.write(headOf({ 'transfer-encoding': 'chunked' }));
    sendEndlessly(socket, `${CHUNK.length.toString(16)}\r\n${CHUNK}\r\n`);
  },
  dripping(socket: Socket) {
    socket.write(headOf({ 'content-length': '100000' }));
    const timer = setInterval(() => socket.write(' '), DRIP_MS);
    socket.on('close', () => clearInterval(timer));
  },
  bomb: (socket: Socket) => sendWhole(socket, GZIP_BOMB, { 'content-encoding': 'gzip' }),
  reset: (socket: Socket) =>
    socket.write(`${headOf({ 'content-length': '100000' })}[{`, () => socket.resetAndDestroy()),
  'too-short': (socket: Socket) => socket.end(`${headOf({ 'content-length': '100000' })}{"results":[]}`),
  'too-long': (socket: Socket) =>
    socket.end(`${headOf({ 'content-length': '5' })}{"results":[],"generationtime_ms":0.5}`),
  // To itself, as other addresses of this machine or of its cloud can't be seen from here.
  redirect: (socket: Socket) =>
    socket.end('HTTP/1.1 302 Found\r\nlocation: /inside\r\ncontent-length: 0\r\nconnection: close\r\n\r\n'),
  'wrong-json': (socket: Socket) => sendWhole(socket, WRONG_JSON),
  nested: (socket: Socket) => sendWhole(socket, NESTED),
  faults: (socket: Socket) => sendWhole(socket, FAULTS),
  'no-http': (socket: Socket) => socket.end('220 mail.example ESMTP ready\r\n'),
  'endless-head'(socket: Socket) {
    socket.write('HTTP/1.1 200 OK\r\n');
    sendEndlessly(socket, `x-endless: ${'a'.repeat(1_000)}\r\n`);
  },
};

export type Behaviour = keyof typeof BEHAVIOURS;
export type Hostility = Exclude<Behaviour, 'well'>;
export const HOSTILITIES = Object.keys(BEHAVIOURS).filter((how): how is Hostility => how !== 'well');

/** A server of bytes, as HTTP libraries keep to what is no HTTP at all. Connections are closed after each response. */
export async function openHostileUpstream(): Promise<HostileUpstream> {
  const sockets = new Set<Socket>();
  let behaviour: Behaviour = 'well';
  let requests = 0;
  let redirected = 0;
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => sockets.delete(socket));
    let head = '';
    socket.on('data', function read(bytes) {
      head += bytes.toString('latin1');
      if (!head.includes('\r\n\r\n')) return;
      socket.off('data', read).resume();
      requests++;
      if (/^\S+ \S*inside/.test(head)) redirected++;
      BEHAVIOURS[behaviour](socket, head);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    behave(how) {
      behaviour = how;
    },
    requests: () => requests,
    redirected: () => redirected,
    async close() {
      const closed = once(server, 'close');
      server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

/** What the translator says, and in one body what those of places, buses and addresses do who know nothing. */
function wellBehaved(head: string): string {
  if (head.startsWith('GET /get?'))
    return '{"responseData":{"translatedText":"Ciao"},"responseStatus":200,"matches":[]}';
  return '{"results":[],"services":[],"generationtime_ms":0.5}';
}

function headOf(headers: Readonly<Record<string, string>>): string {
  const lines = Object.entries({ 'content-type': 'application/json', connection: 'close', ...headers });
  return `HTTP/1.1 200 OK\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`;
}

function sendWhole(
  socket: Socket,
  body: string | Buffer,
  headers: Readonly<Record<string, string>> = {},
): void {
  socket.write(headOf({ 'content-length': String(Buffer.byteLength(body)), ...headers }));
  socket.end(body);
}

/** As fast as it is read. */
function sendEndlessly(socket: Socket, text: string): void {
  const write = () => {
    while (!socket.destroyed && socket.write(text));
  };
  socket.on('drain', write);
  write();
}
