import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { deflateSync, gzipSync } from 'node:zlib';

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
/** Thirty times as much as it takes on the way, and more than any limit. */
const BOMB = gzipSync(Buffer.alloc(64 * MEBIBYTE, ' '), { level: 9 });
const WRONG_JSON = Buffer.from(
  `[${Array.from({ length: 300_000 }, (_, index) => `{"odd":"${index}","rates":[{}]}`).join()}]`,
);
const NESTED = Buffer.alloc(2 * MEBIBYTE - 1_000, '[');
const FAULTS = Buffer.from(
  `{"observations":[${'1,'.repeat(45_000)}1],"results":[${'{},'.repeat(45_000)}{}]}`,
);
const CHUNK = Buffer.from(`${'"a",'.repeat(4_096)}`);

/** A page whose only operators are a hundred million blanks, in 100 KB (ISO 32000-1, 7.5). */
function pdfBomb(): Buffer {
  const content = deflateSync(Buffer.alloc(100 * MEBIBYTE, ' '), { level: 9 });
  const objects = [
    Buffer.from('<</Type/Catalog/Pages 2 0 R>>'),
    Buffer.from('<</Type/Pages/Kids[3 0 R]/Count 1>>'),
    Buffer.from('<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]/Contents 4 0 R>>'),
    Buffer.concat([
      Buffer.from(`<</Filter/FlateDecode/Length ${content.length}>>stream\n`),
      content,
      Buffer.from('\nendstream'),
    ]),
  ];
  const parts = [Buffer.from('%PDF-1.4\n')];
  const offsets = objects.map((object, index) => {
    const offset = Buffer.concat(parts).length;
    parts.push(Buffer.from(`${index + 1} 0 obj`), object, Buffer.from('endobj\n'));
    return `${String(offset).padStart(10, '0')} 00000 n \n`;
  });
  const start = Buffer.concat(parts).length;
  const table = `xref\n0 5\n0000000000 65535 f \n${offsets.join('')}`;
  parts.push(Buffer.from(`${table}trailer<</Size 5/Root 1 0 R>>\nstartxref\n${start}\n%%EOF`));
  return Buffer.concat(parts);
}
const PDF_BOMB = pdfBomb();
const WIDE_PAGE = Buffer.from(
  `<html><body><table>${`<tr>${'<td colspan="1000" rowspan="1000">1</td>'.repeat(3)}</tr>`.repeat(2_000)}</table></body></html>`,
);

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
  bomb: (socket) => sendWhole(socket, BOMB, { 'content-encoding': 'gzip' }),
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
  'pdf-bomb': (socket) => sendWhole(socket, PDF_BOMB, { 'content-type': 'application/pdf' }),
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
