import { type Html, html } from './html.js';

const WIDTH = 720;
const HEIGHT = 260;

/** A line of the rates over the days, as a picture for readers without script; nothing with fewer than two of them. */
export function lineChart(rows: readonly { date: string; rate: number }[], label: string): Html | undefined {
  const path = linePath(rows, WIDTH, HEIGHT);
  if (path === undefined) return undefined;
  return html`<svg class="line-chart" viewBox="0 0 ${WIDTH} ${HEIGHT}" preserveAspectRatio="none" role="img" aria-label="${label}"><path d="${path}"/></svg>`;
}

/** The same without a label, small enough for a line of a table. */
export function sparkline(rows: readonly { date: string; rate: number }[]): Html | undefined {
  const path = linePath(rows, 96, 24);
  if (path === undefined) return undefined;
  return html`<svg class="sparkline" viewBox="0 0 96 24" preserveAspectRatio="none" aria-hidden="true"><path d="${path}"/></svg>`;
}

/** A path from the first day at the left to the last at the right, the lowest rate at the bottom. */
function linePath(
  rows: readonly { date: string; rate: number }[],
  width: number,
  height: number,
): string | undefined {
  const [first] = rows;
  const last = rows.at(-1);
  if (!first || !last || first === last) return undefined;
  const start = Date.parse(first.date);
  const length = Date.parse(last.date) - start;
  let [low, high] = [first.rate, first.rate];
  for (const { rate } of rows) {
    low = Math.min(low, rate);
    high = Math.max(high, rate);
  }
  const margin = 2;
  const points = rows.map(({ date, rate }) => {
    const x = ((Date.parse(date) - start) / length) * width;
    const share = high === low ? 0.5 : (rate - low) / (high - low);
    return `${x.toFixed(1)} ${(height - margin - share * (height - 2 * margin)).toFixed(1)}`;
  });
  return `M${points.join('L')}`;
}
