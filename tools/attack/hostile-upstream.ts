import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { gzipSync } from 'node:zlib';

export interface HostileUpstream {
  url: string;
  /** How it answers from now on. */
  behave(how: Behaviour): void;
  /** The first lines of the requests that have come since it was opened. */
  requests: readonly string[];
  close(): Promise<void>;
}

const DRIP_MS = 250;
/** Thirty times as much as it takes on the way, and more than any limit. */
const GZIP_BOMB = gzipSync(Buffer.alloc(64 * 1024 * 1024, ' '), { level: 9 });
const CHUNK = '"a",'.repeat(4_096);

/** What it does with a connection on which a request has come. */
const BEHAVIOURS = {
  /** As an upstream should. */
  well: (socket: Socket, request: string) => socket.end(`${head()}${wellBehaved(request)}`),
  silent: () => undefined,
  endless(socket: Socket) {
    socket.write(head('transfer-encoding: chunked'));
    sendEndlessly(socket, `${CHUNK.length.toString(16)}\r\n${CHUNK}\r\n`);
  },
  bomb(socket: Socket) {
    socket.write(head(`content-length: ${GZIP_BOMB.length}\r\ncontent-encoding: gzip`));
    socket.end(GZIP_BOMB);
  },
  reset: (socket: Socket) =>
    socket.write(`${head('content-length: 100000')}[{`, () => socket.resetAndDestroy()),
  dripping(socket: Socket) {
    socket.write(head('content-length: 100000'));
    const timer = setInterval(() => socket.write(' '), DRIP_MS);
    socket.on('close', () => clearInterval(timer));
  },
  'too-short': (socket: Socket) => socket.end(`${head('content-length: 100000')}{"results":[]}`),
  'too-long': (socket: Socket) => socket.end(`${head('content-length: 5')}{"results":[]}`),
  // To itself, as other addresses of this machine or of its cloud can't be seen from here.
  redirect: (socket: Socket) =>
    socket.end('HTTP/1.1 302 Found\r\nlocation: /inside\r\ncontent-length: 0\r\nconnection: close\r\n\r\n'),
  'endless-head'(socket: Socket) {
    socket.write('HTTP/1.1 200 OK\r\n');
    sendEndlessly(socket, `x-endless: ${'a'.repeat(1_000)}\r\n`);
  },
};

export type Behaviour = keyof typeof BEHAVIOURS;

/** A server of bytes, as HTTP libraries keep to what is no HTTP at all. Connections are closed after each response. */
export async function openHostileUpstream(): Promise<HostileUpstream> {
  const sockets = new Set<Socket>();
  const requests: string[] = [];
  let behaviour: Behaviour = 'well';
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => sockets.delete(socket));
    let text = '';
    socket.on('data', function read(bytes) {
      text += bytes.toString('latin1');
      if (!text.includes('\r\n\r\n')) return;
      socket.off('data', read).resume();
      const [request = ''] = text.split('\r\n');
      requests.push(request);
      BEHAVIOURS[behaviour](socket, request);
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    behave(how) {
      behaviour = how;
    },
    async close() {
      const closed = once(server, 'close');
      server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

/** What the translator says, and in one body what those of places, buses and addresses do who know nothing. */
function wellBehaved(request: string): string {
  if (request.startsWith('GET /get?'))
    return '{"responseData":{"translatedText":"Ciao"},"responseStatus":200,"matches":[]}';
  return '{"results":[],"services":[],"generationtime_ms":0.5}';
}

/** Without a length, the body ends with the connection. */
function head(lines = ''): string {
  return `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\nconnection: close\r\n${lines}${lines && '\r\n'}\r\n`;
}

/** As fast as it is read. */
function sendEndlessly(socket: Socket, text: string): void {
  const write = () => {
    while (!socket.destroyed && socket.write(text));
  };
  socket.on('drain', write);
  write();
}
