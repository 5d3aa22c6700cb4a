/**
 * Loaded into the programs before their own code (`node --import`): it was PRETEND_START_MS, in milliseconds since 1970,
 * when the machine was up for PRETEND_UPTIME_MS, whatever its clock says; and every host on the internet is the stand-in
 * on the port PRETEND_BANKS_PORT, which speaks plain HTTP.
 */
import net from 'node:net';
import tls from 'node:tls';

const bootedAt = Number(process.env.PRETEND_START_MS) - Number(process.env.PRETEND_UPTIME_MS);
const port = Number(process.env.PRETEND_BANKS_PORT);

const RealDate = Date;
// The monotonic clock is the same for all processes.
const now = () => bootedAt + Number(process.hrtime.bigint() / 1_000_000n);
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
