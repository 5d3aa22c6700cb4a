import { type Api, requestText } from './support/api.js';
import type { Context } from './support/context.js';
import { showSpread, spreadOf } from './support/statistics.js';

const SHARE = 0.8;
const DIALECT = '/oxr/api/latest.json?app_id=any';
const PLAIN = '/v2/rates?base=USD';

/** Responses a second, and microseconds of processor time for each. */
interface Sent {
  perSecond: number;
  micros: number;
}

/** Measures a hot request as another service has it beside the one of `/v2` that has the same rates. */
export async function measureDialects(context: Context, api: Pick<Api, 'url' | 'usage'>): Promise<void> {
  const { effort, load, progress, record } = context;
  const { warmMs, roundMs: ms } = effort;
  progress(DIALECT);

  async function send(path: string): Promise<Sent> {
    const port = Number(new URL(api.url).port);
    const before = await api.usage();
    const { perSecond } = await load({ port, requests: [requestText(path)], status: 200, warmMs, ms });
    const cpuMs = (await api.usage()).cpuMs - before.cpuMs;
    return { perSecond, micros: (cpuMs * 1000) / ((perSecond * (warmMs + ms)) / 1000) };
  }

  const dialect: Sent[] = [];
  const plain: Sent[] = [];
  for (let round = 0; round < effort.rounds; round++) {
    const isFirst = round % 2 === 0;
    // Each round starts with the other one, as the one measured before can affect the next.
    if (isFirst) dialect.push(await send(DIALECT));
    plain.push(await send(PLAIN));
    if (!isFirst) dialect.push(await send(DIALECT));
  }
  const share = spreadOf(
    dialect.map(({ perSecond }, round) => perSecond / (plain[round]?.perSecond ?? Number.NaN)),
  );
  const middle = (values: readonly number[]) => spreadOf(values).median.toFixed(0);
  const micros = (sent: readonly Sent[]) => middle(sent.map((each) => each.micros));
  record({
    what: `hot: ${DIALECT}`,
    measured: [
      `${showSpread(share, 2)} x ${PLAIN}`,
      `${middle(dialect.map(({ perSecond }) => perSecond))}/s`,
      `processor ${micros(dialect)} us each, of the other ${micros(plain)}`,
    ].join('; '),
    reach: `${SHARE} x`,
    ok: share.median >= SHARE,
  });
}
