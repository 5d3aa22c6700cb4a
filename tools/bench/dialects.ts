import { type Api, requestText } from './support/api.js';
import type { Context } from './support/context.js';
import { showSpread, spreadOf } from './support/statistics.js';

const SHARE = 0.8;
const DIALECT = '/oxr/api/latest.json?app_id=any';
const PLAIN = '/v2/rates?base=USD';

/** Measures a hot request as another service has it beside the one of `/v2` that has the same rates. */
export async function measureDialects(context: Context, api: Pick<Api, 'url' | 'usage'>): Promise<void> {
  const { effort, load, progress, record } = context;
  const { warmMs, roundMs: ms } = effort;
  progress(DIALECT);

  /** Responses a second, and microseconds of processor time for each. */
  async function send(path: string): Promise<{ perSecond: number; micros: number }> {
    const port = Number(new URL(api.url).port);
    const before = await api.usage();
    const { perSecond } = await load({ port, requests: [requestText(path)], status: 200, warmMs, ms });
    const cpuMs = (await api.usage()).cpuMs - before.cpuMs;
    return { perSecond, micros: (cpuMs * 1000) / ((perSecond * (warmMs + ms)) / 1000) };
  }

  const pairs: { dialect: Awaited<ReturnType<typeof send>>; plain: Awaited<ReturnType<typeof send>> }[] = [];
  for (let round = 0; round < effort.rounds; round++) {
    // Each round starts with the other one, as the one measured before can affect the next.
    const first = await send(round % 2 === 0 ? DIALECT : PLAIN);
    const second = await send(round % 2 === 0 ? PLAIN : DIALECT);
    pairs.push(round % 2 === 0 ? { dialect: first, plain: second } : { dialect: second, plain: first });
  }
  const share = spreadOf(pairs.map(({ dialect, plain }) => dialect.perSecond / plain.perSecond));
  const middle = (read: (pair: (typeof pairs)[number]) => number) =>
    spreadOf(pairs.map(read)).median.toFixed(0);
  record({
    what: `hot: ${DIALECT}`,
    measured: [
      `${showSpread(share, 2)} x ${PLAIN}`,
      `${middle(({ dialect }) => dialect.perSecond)}/s`,
      `processor ${middle(({ dialect }) => dialect.micros)} us each, ${PLAIN} ${middle(({ plain }) => plain.micros)}`,
    ].join('; '),
    reach: `${SHARE} x`,
    ok: share.median >= SHARE,
  });
}
