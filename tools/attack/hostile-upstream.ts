import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { GZIP_BOMB, PDF_BOMB, WIDE_PAGE, WIDE_WORKBOOK, WIDE_XML, XML_BOMB, ZIP_BOMB } from './bombs.js';

/** How an upstream or a bank behaves. */
export const HOSTILITIES = [
  'silent',
  'endless',
  'dripping',
  'bomb',
  'reset',
  'too-short',
  'too-long',
  'redirect',
  'pdf-bomb',
  'zip-bomb',
  'wide-workbook',
  'xml-bomb',
  'wide-xml',
  'wide-page',
  'wrong-json',
  'nested',
  'faults',
  'no-http',
  'endless-head',
] as const;
export type Hostility = (typeof HOSTILITIES)[number];

export interface HostileUpstream {
  url: string;
  /** How it answers from now on; `well` is what an upstream or a bank should do. */
  behave(how: Hostility | 'well'): void;
  /** Requests that have come since it was opened. */
  requests(): number;
  /** How many of them were for where a redirect leads. */
  redirected(): number;
  close(): Promise<void>;
}

const MEBIBYTE = 1024 * 1024;
const DRIP_MS = 250;
const WRONG_JSON = Buffer.from(
  `[${Array.from({ length: 300_000 }, (_, index) => `{"odd":"${index}","rates":[{}]}`).join()}]`,
);
const NESTED = Buffer.alloc(2 * MEBIBYTE - 1_000, '[');
const FAULTS = Buffer.from(
  `{"observations":[${'1,'.repeat(45_000)}1],"results":[${'{},'.repeat(45_000)}{}]}`,
);
const LIST_OF_PDFS = Buffer.from(
  ['01', '09']
    .map(
      (day) => `<a href="/sites/default/files/2026-03/Cours%20de%20change%20du%20${day}-03-2026.pdf">a</a>`,
    )
    .join(''),
);
const CHUNK = Buffer.from(`${'"a",'.repeat(4_096)}`);

/** A server of bytes, as HTTP libraries keep to what is no HTTP at all. Connections are closed after each response. */
export async function openHostileUpstream(): Promise<HostileUpstream> {
  const sockets = new Set<Socket>();
  let behaviour: Hostility | 'well' = 'well';
  let requests = 0;
  let redirected = 0;
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => sockets.delete(socket));
    let head = '';
    let isAnswered = false;
    socket.on('data', (bytes) => {
      if (isAnswered) return;
      head += bytes.toString('latin1');
      if (!head.includes('\r\n\r\n')) return;
      isAnswered = true;
      requests++;
      if (/^\S+ \S*inside/.test(head)) redirected++;
      RESPONSES[behaviour](socket, head);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the upstream has no port');
  return {
    url: `http://127.0.0.1:${address.port}`,
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

/** What it does with a connection on which a request has come, `head` being its first lines. */
const RESPONSES: Readonly<Record<Hostility | 'well', (socket: Socket, head: string) => void>> = {
  well: (socket, head) => sendWhole(socket, Buffer.from(wellBehaved(head))),
  silent: () => {},
  endless(socket) {
    socket.write(headOf({ 'transfer-encoding': 'chunked' }));
    sendEndlessly(socket, Buffer.from(`${CHUNK.length.toString(16)}\r\n${CHUNK}\r\n`));
  },
  dripping(socket) {
    socket.write(headOf({ 'content-length': '100000' }));
    const timer = setInterval(() => socket.write(' '), DRIP_MS);
    socket.on('close', () => clearInterval(timer));
  },
  bomb: (socket) => sendWhole(socket, GZIP_BOMB, { 'content-encoding': 'gzip' }),
  reset(socket) {
    socket.write(`${headOf({ 'content-length': '100000' })}[{`, () => socket.resetAndDestroy());
  },
  'too-short': (socket) => {
    socket.end(`${headOf({ 'content-length': '100000' })}{"results":[]}`);
  },
  'too-long': (socket) => {
    socket.end(`${headOf({ 'content-length': '5' })}{"results":[],"generationtime_ms":0.5}`);
  },
  // To itself, as other addresses of this machine or of its cloud can't be seen from here.
  redirect(socket) {
    socket.end(`HTTP/1.1 302 Found\r\nlocation: /inside\r\ncontent-length: 0\r\nconnection: close\r\n\r\n`);
  },
  'pdf-bomb': (socket, head) => {
    // The bank whose bulletins these are has a list of them.
    const isList = /^GET \S*affichagetoustauxchange/.test(head);
    if (isList) sendWhole(socket, LIST_OF_PDFS, { 'content-type': 'text/html' });
    else sendWhole(socket, PDF_BOMB, { 'content-type': 'application/pdf' });
  },
  'zip-bomb': (socket) => sendWhole(socket, ZIP_BOMB, { 'content-type': 'application/zip' }),
  'wide-workbook': (socket) => sendWhole(socket, WIDE_WORKBOOK, { 'content-type': 'application/zip' }),
  'xml-bomb': (socket) => sendWhole(socket, XML_BOMB, { 'content-type': 'text/xml' }),
  'wide-xml': (socket) =>
    sendWhole(socket, WIDE_XML, { 'content-type': 'text/xml', 'content-encoding': 'gzip' }),
  'wide-page': (socket) => sendWhole(socket, WIDE_PAGE, { 'content-type': 'text/html' }),
  'wrong-json': (socket) => sendWhole(socket, WRONG_JSON),
  nested: (socket) => sendWhole(socket, NESTED),
  faults: (socket) => sendWhole(socket, FAULTS),
  'no-http': (socket) => {
    socket.end('220 mail.example ESMTP ready\r\n');
  },
  'endless-head': (socket) => {
    socket.write('HTTP/1.1 200 OK\r\n');
    sendEndlessly(socket, Buffer.from(`x-endless: ${'a'.repeat(1_000)}\r\n`));
  },
};

/** What the translator says, and in one body what those of places, buses and addresses do who know nothing. */
function wellBehaved(head: string): string {
  if (head.startsWith('GET /get?')) {
    return '{"responseData":{"translatedText":"Ciao"},"responseStatus":200,"matches":[]}';
  }
  return '{"results":[],"services":[],"generationtime_ms":0.5}';
}

function headOf(headers: Readonly<Record<string, string>>): string {
  const lines = Object.entries({ 'content-type': 'application/json', connection: 'close', ...headers });
  return `HTTP/1.1 200 OK\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`;
}

function sendWhole(socket: Socket, body: Buffer, headers: Readonly<Record<string, string>> = {}): void {
  socket.write(headOf({ 'content-length': String(body.length), ...headers }));
  socket.end(body);
}

/** As fast as it is read. */
function sendEndlessly(socket: Socket, bytes: Buffer): void {
  const write = () => {
    while (!socket.destroyed && socket.write(bytes));
  };
  socket.on('drain', write);
  write();
}
