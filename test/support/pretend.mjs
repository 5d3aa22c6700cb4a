/**
 * Loaded into the programs before their own code (`node --import`): it is another time, PRETEND_OFFSET_MS from now, and
 * every host on the internet is the stand-in on the port PRETEND_BANKS_PORT, which speaks plain HTTP.
 */
import net from 'node:net';
import tls from 'node:tls';

const offset = Number(process.env.PRETEND_OFFSET_MS ?? 0);
const port = Number(process.env.PRETEND_BANKS_PORT);

const RealDate = Date;
const now = () => RealDate.now() + offset;
globalThis.Date = class extends RealDate {
  constructor(...given) {
    super(...(given.length === 0 ? [now()] : given));
  }

  static now() {
    return now();
  }
};

const isOurs = (host) => host === undefined || host === 'localhost' || net.isIP(host) !== 0;
const connect = net.connect;
net.connect = (options, ...rest) => {
  if (typeof options !== 'object' || isOurs(options.host)) return connect(options, ...rest);
  return connect({ ...options, host: '127.0.0.1', port }, ...rest);
};
tls.connect = () => {
  const socket = connect({ host: '127.0.0.1', port });
  socket.once('connect', () => socket.emit('secureConnect'));
  return socket;
};
