import { readFile, writeFile } from 'node:fs/promises';
import { createServer as createPlainServer } from 'node:http';
import { createServer } from 'node:net';
import { beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { readConfig } from '../../core/process/config.js';
import { enqueueIngest } from '../../core/queues/enqueue.js';
import { openQueues } from '../../core/queues/queues.js';
import { startBanks } from '../../tools/banks/start-banks.js';
import { readRecordings } from '../../worker/feeds/recordings.js';
import { endWithTest, newFolder } from '../core/support.js';
import { makeCertificates } from '../support/certificates.js';
import { answer, httpStub } from '../support/http-stub.js';
import { testDatabase } from '../support/postgres.js';
import { startProxy } from '../support/proxy.js';
import { buildService, startApiProgram, startProgram } from '../support/service.js';
import { KEYS, recordBanks } from '../tools/banks/recordings.js';
import { clientWith, errorOf, listening } from './feeds/http/servers.js';
import { openLog } from './ingest/support.js';

const LOGIN = 'almanac:sec ret:1';
const AT = 'almanac:sec%20ret%3A1@';

beforeAll(buildService);

async function proxyTo(options: Parameters<typeof startProxy>[0]) {
  const proxy = await startProxy(options);
  onTestFinished(() => proxy.stop());
  return proxy;
}

/** Banks from recordings, and a proxy through which alone they are found. */
async function banksBehindProxy(options: Partial<Parameters<typeof startProxy>[0]> = {}) {
  const folder = await newFolder();
  await recordBanks(folder);
  const recordings = await Promise.all(KEYS.map((key) => readRecordings(folder, key)));
  const banks = await startBanks({ recordings: recordings.flat() });
  onTestFinished(() => banks.close());
  const hosts = [...banks.ports].map(([origin, port]) => {
    const { hostname, protocol } = new URL(origin);
    return [`${hostname}:${protocol === 'https:' ? 443 : 80}`, port];
  });
  return { tls: banks.client.tls, proxy: await proxyTo({ ports: Object.fromEntries(hosts), ...options }) };
}

/** A client that may reach nothing but through the proxy at this URL. */
const clientThrough = (url: string, tls?: Parameters<typeof clientWith>[0]['tls']) =>
  clientWith({ proxies: readConfig({ HTTP_PROXY: url, HTTPS_PROXY: url }), tls, limits: { backOff: 1 } });

test('a worker reads banks through a proxy with TLS and a login, by tunnels and by whole URLs', async () => {
  const own = await makeCertificates(await newFolder());
  const [key, cert] = await Promise.all([readFile(own.key, 'utf8'), readFile(own.certificate, 'utf8')]);
  const { proxy, tls } = await banksBehindProxy({ login: LOGIN, tls: { key, cert } });
  const authorities = `${await newFolder()}/authorities.pem`;
  await writeFile(authorities, [await readFile(own.authority, 'utf8'), ...(tls?.roots ?? [])].join('\n'));
  const database = await testDatabase();
  onTestFinished(() => database.close());
  const url = `https://${AT}${proxy.host}`;
  const variables = { DATABASE_URL: database.url, https_proxy: url, HTTP_PROXY: url };
  const worker = endWithTest(
    startProgram('worker/main.js', { ...variables, NODE_EXTRA_CA_CERTS: authorities }),
  );
  await vi.waitFor(() => expect(worker.output()).toContain('worker is running'), { timeout: 60_000 });
  const queues = await openQueues({ databaseUrl: database.url }, openLog());
  onTestFinished(() => queues.close());
  for (const provider of ['ECB', 'MNB'])
    await enqueueIngest(queues.ingest, { provider, from: '2026-03-02', to: '2026-03-03' });
  const stored = async () => {
    const { rows } = await database.pool.query(
      'select provider, count(*)::int from rates group by 1 order by 1',
    );
    expect(rows, worker.output()).toEqual([
      { provider: 'ECB', count: 3 },
      { provider: 'MNB', count: 2 },
    ]);
  };
  await vi.waitFor(stored, { timeout: 60_000, interval: 100 });
  expect(await proxy.passed()).toEqual(
    expect.arrayContaining([
      'CONNECT data-api.ecb.europa.eu:443 200',
      'POST http://www.mnb.hu/arfolyamok.asmx 200',
    ]),
  );
  expect(worker.output()).not.toMatch(/sec.ret/);
});

test('what is special about the TLS of some banks, and their limits, hold in tunnels too', async () => {
  const { proxy, tls } = await banksBehindProxy({ login: LOGIN });
  const client = clientThrough(`http://${AT}${proxy.host}`, tls);
  const rbv = 'https://www.rbv.gov.vu/index.php/en/exchange-rates?limit1=100000';
  const ecb =
    'https://data-api.ecb.europa.eu/service/data/EXR/D..EUR.SP00.A?format=csvdata&startPeriod=2026-03-02&endPeriod=2026-03-03';
  const responses = await Promise.all([client.get(rbv), ...Array.from({ length: 8 }, () => client.get(ecb))]);
  expect(responses.map(({ status }) => status)).toEqual(Array(9).fill(200));
  const soap = { body: '<Ano>2026</Ano><Mes>3</Mes>', headers: { 'content-type': 'text/xml' } };
  expect(await client.post('https://servicios.bcn.gob.ni/Tc_Servicio/ServicioTC.asmx', soap)).toMatchObject({
    status: 200,
  });
  // At most two connections to a host.
  expect(
    (await proxy.passed()).filter((line) => line === 'CONNECT data-api.ecb.europa.eu:443 200'),
  ).toHaveLength(2);
  await expect(client.get('https://www.mnb.hu/')).rejects.toThrow(
    `the proxy ${proxy.host}: responded with status 502`,
  );
  const untrusted = clientThrough(`http://${AT}${proxy.host}`);
  expect(await errorOf(untrusted.get(ecb))).toMatchObject({ reason: 'certificate' });
});

test.each(['http', 'https'])('an error of a proxy names it without its login, for %s', async (scheme) => {
  const bank = `${scheme}://bank.example/rates`;
  const failing = async (url: string) => {
    const error = await errorOf(clientThrough(url).get(bank));
    expect(`${error.stack}${JSON.stringify(error)}`).not.toMatch(/sec.ret/);
    return `${error.reason} ${error.message}`;
  };
  const strict = await proxyTo({ ports: {}, login: LOGIN });
  for (const login of ['', 'almanac:other@'])
    expect(await failing(`http://${login}${strict.host}`)).toBe(
      `proxy ${bank}: the proxy ${strict.host}: responded with status 407: it needs a login, or refuses the one in its URL`,
    );
  // A login that is refused is not tried again.
  expect(await strict.passed()).toHaveLength(2);

  const nobody = await listening(createServer((socket) => socket.destroy()));
  expect(await failing(`http://${AT}127.0.0.1:${nobody}`)).toContain(`the proxy 127.0.0.1:${nobody}: `);
  expect(await failing(`http://${AT}127.0.0.1:9`)).toContain(
    'the proxy 127.0.0.1:9: could not be reached (ECONNREFUSED)',
  );
  expect(await failing(`http://${AT}proxy.invalid:3128`)).toMatch(
    /the proxy proxy.invalid:3128: could not be reached \((ENOTFOUND|EAI_AGAIN)\)/,
  );
  const mail = await listening(createServer((socket) => socket.end('220 mail\r\n')));
  expect(await failing(`http://${AT}127.0.0.1:${mail}`)).toContain(
    `the proxy 127.0.0.1:${mail}: the response is not HTTP`,
  );
  expect(await failing(`https://${AT}127.0.0.1:${mail}`)).toContain(
    `the proxy 127.0.0.1:${mail}: no version of TLS`,
  );
  const own = await makeCertificates(await newFolder());
  const [key, cert] = await Promise.all([readFile(own.key, 'utf8'), readFile(own.certificate, 'utf8')]);
  const secure = await proxyTo({ ports: {}, tls: { key, cert } });
  expect(await failing(`https://${AT}${secure.host}`)).toContain(
    `the proxy ${secure.host}: the certificate is not trusted`,
  );
});

test('a web server that is taken for a proxy refuses tunnels', async () => {
  const web = await listening(createPlainServer((_, response) => response.end('page')));
  const error = await errorOf(clientThrough(`http://127.0.0.1:${web}`).get('https://bank.example/'));
  expect(error.detail).toBe(
    `the proxy 127.0.0.1:${web}: the connection broke before the response was complete (UND_ERR_SOCKET)`,
  );
});

test('an API reaches its upstreams through a proxy, except those of NO_PROXY', async () => {
  const upstream = await httpStub({ '*': answer({ services: [] }) });
  onTestFinished(() => upstream.close());
  const port = Number(new URL(upstream.url).port);
  const proxy = await proxyTo({ ports: { 'buses.example:80': port }, login: LOGIN });
  const database = await testDatabase();
  onTestFinished(() => database.close());
  const through = { DATABASE_URL: database.url, HTTP_PROXY: `http://${AT}${proxy.host}` };
  const busesFrom = async (variables: Record<string, string>) => {
    const { api, url } = await startApiProgram({
      BUS_ARRIVALS_URL: 'http://buses.example',
      ...through,
      ...variables,
    });
    endWithTest(api);
    const { status } = await fetch(`${url}/sg/bus-arrivals?code=83139`);
    return { status, output: api.output };
  };
  expect((await busesFrom({})).status).toBe(200);
  expect(await proxy.passed()).toEqual(['GET http://buses.example/?id=83139 200']);
  expect((await busesFrom({ NO_PROXY: '.example' })).status).toBe(502);
  const { status, output } = await busesFrom({ HTTP_PROXY: `http://me:hidden@${proxy.host}` });
  expect(status).toBe(502);
  const named = `the proxy ${proxy.host}: responded with status 407`;
  await vi.waitFor(() => expect(output()).toContain(named));
  expect(output()).not.toContain('hidden');
});
