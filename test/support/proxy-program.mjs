import { createServer, request } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { connect } from 'node:net';

/**
 * A proxy as a process: forwards requests with a whole URL, and opens tunnels for CONNECT. Options, as JSON: `ports`, by
 * `host:port` those of this machine that stand in for hosts; `login`, `user:password`; `tls`, its key and certificate.
 */
const { ports, login, tls } = JSON.parse(process.argv[2]);
const wanted = login && `Basic ${Buffer.from(login).toString('base64')}`;
const passed = [];
const isRefused = ({ headers }) => wanted !== undefined && headers['proxy-authorization'] !== wanted;

const server = tls ? createTlsServer(tls) : createServer();
server.on('request', (incoming, response) => {
  const report = (status) => passed.push(`${incoming.method} ${incoming.url} ${status}`);
  const refuse = (status) => {
    report(status);
    response.writeHead(status).end('refused by the proxy');
  };
  if (isRefused(incoming)) return refuse(407);
  const { host, hostname, port, pathname, search } = new URL(incoming.url);
  const to = ports[`${hostname}:${port || 80}`];
  if (to === undefined || incoming.headers.host !== host) return refuse(502);
  const { 'proxy-authorization': _, ...headers } = incoming.headers;
  const options = { host: '127.0.0.1', port: to, method: incoming.method, path: pathname + search, headers };
  const forwarded = request(options, (answer) => {
    report(answer.statusCode);
    response.writeHead(answer.statusCode, answer.headers);
    answer.pipe(response);
  });
  forwarded.on('error', () => response.destroy());
  incoming.pipe(forwarded);
});
server.on('connect', (incoming, socket) => {
  const to = ports[incoming.url];
  const status = isRefused(incoming) ? 407 : to === undefined ? 502 : 200;
  passed.push(`CONNECT ${incoming.url} ${status}`);
  socket.on('error', () => {});
  if (status !== 200) return socket.end(`HTTP/1.1 ${status} refused\r\n\r\n`);
  const host = connect(to, '127.0.0.1', () => {
    socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
    host.pipe(socket).pipe(host);
  });
  host.on('error', () => socket.destroy()).on('close', () => socket.destroy());
  socket.on('close', () => host.destroy());
});
process.on('message', () => process.send(passed)).on('disconnect', () => process.exit());
server.listen(0, '127.0.0.1', () => process.send(server.address().port));
