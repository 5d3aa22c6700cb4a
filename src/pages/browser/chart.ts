import uPlot from 'uplot';
import { groupOf, isSpan, type SeriesRequest, type Span, seriesTarget } from '../shared/requests.js';
import { type RateRow, shownOf } from '../shared/rows.js';
import { find, need, setAddress } from './elements.js';
import { formats } from './formats.js';

/** What a chart shows: a line, the area between the lowest and the highest around it, and thin lines to compare it with. */
interface Figures {
  /** Seconds since 1970, as uPlot takes them. */
  times: number[];
  rates: number[];
  lows: (number | null)[];
  highs: (number | null)[];
  /** How many sources stand behind each rate, where that is known. */
  counts: (number | undefined)[];
  lines: Map<string, (number | null)[]>;
  dates: string[];
}

const DAY_SECONDS = 86_400;
/** After the times and the edges of the area come the thin lines, and the rates last, above all others. */
const FIRST_LINE = 3;
/** Room above the highest and below the lowest figure, as a share of what lies between. */
const MARGIN = 0.08;

/** Starts the chart of a section that chartSection has made, and redraws it for the spans that the reader chooses. */
export function startChart(section: ParentNode, onChange: (request: SeriesRequest) => void = () => {}): void {
  const plot = find('[data-chart]', section);
  if (!plot || !find('svg', plot)) return;
  const { base = '', quote = '', newest = '', provider } = plot.dataset;
  const links = [...section.querySelectorAll<HTMLAnchorElement>('a[data-span]')];
  let latest = new AbortController();

  async function show(span: Span): Promise<void> {
    latest.abort();
    latest = new AbortController();
    const request: SeriesRequest = { base, quote, span, newest, ...(provider && { provider }) };
    onChange(request);
    plot?.setAttribute('aria-busy', 'true');
    try {
      const figures = await readFigures(request, latest.signal);
      if (figures.dates.length > 1) draw(section, request, figures);
    } catch (error) {
      if (!(error instanceof DOMException && error.name === 'AbortError')) throw error;
    } finally {
      plot?.removeAttribute('aria-busy');
    }
  }

  for (const link of links) {
    link.addEventListener('click', (event) => {
      const { span } = link.dataset;
      if (event.metaKey || event.ctrlKey || !isSpan(span)) return;
      event.preventDefault();
      for (const one of links) one.toggleAttribute('aria-current', false);
      link.setAttribute('aria-current', 'true');
      setAddress({ span });
      void show(span);
    });
  }
  const { span } = plot.dataset;
  void show(isSpan(span) ? span : '1y');
}

async function readFigures(request: SeriesRequest, signal: AbortSignal): Promise<Figures> {
  const read = async (one: SeriesRequest): Promise<readonly RateRow[]> => {
    const response = await fetch(seriesTarget(one), { signal });
    if (!response.ok) throw new Error(`${response.status} for ${seriesTarget(one)}`);
    return shownOf((await response.json()) as RateRow[], one.span);
  };
  const { provider, ...ofAll } = request;
  const [rows, blend] = await Promise.all([read(request), provider ? read(ofAll) : []]);
  return figuresOf(rows, blend);
}

function figuresOf(rows: readonly RateRow[], blend: readonly RateRow[]): Figures {
  const figures: Figures = {
    times: rows.map(({ date }) => Date.parse(date) / 1000),
    dates: rows.map(({ date }) => date),
    rates: rows.map(({ rate }) => rate),
    lows: [],
    highs: [],
    counts: [],
    lines: new Map(),
  };
  rows.forEach(({ date, stats, providers }, at) => {
    // A rate that is carried forward from an earlier day says nothing about this one.
    const counted = providers?.filter((one) => one.date === date && !one.excluded && !one.suspect);
    const rates = counted?.map(({ rate }) => rate) ?? [];
    figures.counts.push(counted?.length);
    figures.lows.push(stats?.low ?? (rates.length > 0 ? Math.min(...rates) : null));
    figures.highs.push(stats?.high ?? (rates.length > 0 ? Math.max(...rates) : null));
    for (const { key, rate } of counted ?? []) lineOf(figures, key)[at] = rate;
  });
  const positions = new Map(figures.dates.map((date, at) => [date, at]));
  for (const { date, rate } of blend) {
    const at = positions.get(date);
    if (at !== undefined) lineOf(figures, 'Blend')[at] = rate;
  }
  return figures;
}

function lineOf({ lines, dates }: Figures, key: string): (number | null)[] {
  let line = lines.get(key);
  if (!line) {
    line = dates.map(() => null);
    lines.set(key, line);
  }
  return line;
}

const drawn = new WeakMap<Element, { stop(): void }>();

function draw(section: ParentNode, request: SeriesRequest, figures: Figures): void {
  const plot = need('[data-chart]', section);
  drawn.get(plot)?.stop();
  plot.replaceChildren();
  const readout = need('[data-readout]', section);
  const last = figures.dates.length - 1;
  const say = (at: number) => {
    const { rate, date, rest } = describe(figures, at, request);
    const strong = document.createElement('strong');
    strong.textContent = rate;
    const span = document.createElement('span');
    span.textContent = rest ? `${date} · ${rest}` : date;
    readout.replaceChildren(strong, ' ', span);
    plot.setAttribute('aria-valuenow', String(at));
    plot.setAttribute('aria-valuetext', `${date}: ${rate}${rest ? `, ${rest}` : ''}`);
  };
  const make = () => {
    const chart = new uPlot(optionsOf(plot, figures, say), alignedData(figures), plot);
    chart.over.addEventListener('pointerleave', () => say(last));
    chart.over.addEventListener('pointerdown', (event) => follow(chart, event));
    chart.over.addEventListener(
      'pointermove',
      (event) => event.pointerType !== 'mouse' && follow(chart, event),
    );
    return chart;
  };
  let chart = make();
  const resized = new ResizeObserver(() => chart.setSize(sizeOf(plot)));
  resized.observe(plot);
  const stopping = new AbortController();
  const { signal } = stopping;
  const stop = () => {
    stopping.abort();
    resized.disconnect();
    chart.destroy();
  };
  drawn.set(plot, { stop });
  const redraw = () => {
    chart.destroy();
    chart = make();
    showSources(chart, section);
  };
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', redraw, { signal });
  plot.addEventListener('keydown', (event) => moveBy(event, chart, figures), { signal });
  makeSlider(plot, request, last);
  showLegend(section, request, figures);
  find<HTMLInputElement>('[data-legend] input', section)?.addEventListener(
    'change',
    () => showSources(chart, section),
    { signal },
  );
  showSources(chart, section);
  say(last);
}

/** The date, the rate and what else is known of one point. */
function describe(
  { dates, rates, lows, highs, counts, lines }: Figures,
  at: number,
  { span, provider }: SeriesRequest,
) {
  const date = dates[at] ?? '';
  const [low, high] = [lows[at], highs[at]];
  const range = low && high && low !== high ? `${formats.rate(low)} to ${formats.rate(high)}` : '';
  const count = counts[at];
  const blend = provider === undefined ? undefined : lines.get('Blend')?.[at];
  const parts = [
    count ? `${formats.count(count)} ${count === 1 ? 'source' : 'sources'}` : '',
    range,
    blend ? `blend ${formats.rate(blend)}` : '',
  ];
  const group = groupOf(span);
  const shown = group === 'month' ? formats.month(date) : formats.date(date);
  return {
    date: group === 'week' ? `Week of ${shown}` : shown,
    rate: formats.rate(rates[at] ?? 0),
    rest: parts.filter((part) => part !== '').join(', '),
  };
}

function alignedData({ times, rates, lows, highs, lines }: Figures): uPlot.AlignedData {
  return [times, lows, highs, ...lines.values(), rates];
}

function sizeOf(plot: HTMLElement): { width: number; height: number } {
  return { width: plot.clientWidth, height: plot.clientHeight };
}

function optionsOf(plot: HTMLElement, figures: Figures, say: (at: number) => void): uPlot.Options {
  const style = getComputedStyle(plot);
  const color = (name: string) => style.getPropertyValue(`--${name}`).trim();
  const font = `12px ${style.fontFamily}`;
  const axis: uPlot.Axis = {
    stroke: color('muted'),
    font,
    grid: { stroke: color('line'), width: 1 },
    ticks: { show: false },
  };
  const hidden: uPlot.Series = { show: true, points: { show: false }, stroke: 'transparent', width: 0 };
  const few = figures.times.length <= 10;
  const source: uPlot.Series = {
    stroke: color('source'),
    width: 0.8,
    points: { show: false },
  };
  return {
    ...sizeOf(plot),
    padding: [12, 22, 0, 0],
    legend: { show: false },
    tzDate: (time) => uPlot.tzDate(new Date(time * 1000), 'Etc/UTC'),
    cursor: {
      y: false,
      drag: { x: false, y: false },
      points: { size: 9, one: true, fill: color('accent'), stroke: color('card') },
    },
    scales: { y: { range: rangeOf(figures) } },
    axes: [
      {
        ...axis,
        grid: { show: false },
        space: 70,
        size: 30,
        values: (_chart, times, _axis, _space, step) => datesOf(times, step),
      },
      {
        ...axis,
        size: (_chart, values) => 14 + 7.2 * Math.max(4, ...(values ?? []).map((value) => value.length)),
        values: (_chart, values) => values.map((value) => formats.rate(value)),
      },
    ],
    series: [
      {},
      hidden,
      hidden,
      ...[...figures.lines.keys()].map(() => source),
      {
        stroke: color('accent'),
        width: 2,
        spanGaps: true,
        points: { show: few, size: 6, fill: color('accent') },
      },
    ],
    bands: [{ series: [2, 1], fill: color('band') }],
    hooks: {
      setCursor: [
        (chart) => {
          const at = chart.cursor.idx;
          if (typeof at === 'number') say(at);
        },
      ],
    },
  };
}

function datesOf(times: readonly number[], step: number): string[] {
  const write =
    step >= 360 * DAY_SECONDS
      ? (date: string) => date.slice(0, 4)
      : step >= 27 * DAY_SECONDS
        ? formats.month
        : formats.day;
  return times.map((time) => write(new Date(time * 1000).toISOString().slice(0, 10)));
}

/** From the lowest to the highest figure, with some room. */
function rangeOf({ rates, lows, highs }: Figures): [number, number] {
  const all = [...rates, ...lows, ...highs].filter((rate) => rate !== null);
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const rate of all) {
    low = Math.min(low, rate);
    high = Math.max(high, rate);
  }
  const room = (high - low || high * 0.01) * MARGIN;
  return [low - room, high + room];
}

/** A finger or a pen shows what a mouse does by hovering. */
function follow(chart: uPlot, event: PointerEvent): void {
  const { left, top } = chart.over.getBoundingClientRect();
  chart.setCursor({ left: event.clientX - left, top: event.clientY - top });
}

const KEYS: Readonly<Record<string, (at: number, last: number) => number>> = {
  ArrowLeft: (at) => at - 1,
  ArrowDown: (at) => at - 1,
  ArrowRight: (at) => at + 1,
  ArrowUp: (at) => at + 1,
  PageDown: (at, last) => at - Math.ceil(last / 10),
  PageUp: (at, last) => at + Math.ceil(last / 10),
  Home: () => 0,
  End: (_at, last) => last,
};

function moveBy(event: KeyboardEvent, chart: uPlot, { times }: Figures): void {
  const move = KEYS[event.key];
  if (!move) return;
  event.preventDefault();
  const last = times.length - 1;
  const at = Math.min(last, Math.max(0, move(chart.cursor.idx ?? last, last)));
  chart.setCursor({ left: chart.valToPos(times[at] ?? 0, 'x'), top: 10 });
}

function makeSlider(plot: HTMLElement, { base, quote }: SeriesRequest, last: number): void {
  plot.tabIndex = 0;
  plot.setAttribute('role', 'slider');
  plot.setAttribute('aria-label', `${base} to ${quote}: arrow keys move through the dates`);
  plot.setAttribute('aria-valuemin', '0');
  plot.setAttribute('aria-valuemax', String(last));
}

function showLegend(section: ParentNode, { span, provider }: SeriesRequest, { lines, lows }: Figures): void {
  const legend = need('[data-legend]', section);
  const group = groupOf(span);
  const band = need('.key-band', legend);
  const toggle = need('.key-sources', legend);
  band.textContent = group ? `Lowest and highest of the ${group}` : 'Spread of the sources';
  band.hidden = lows.every((low) => low === null);
  toggle.hidden = lines.size === 0;
  toggle.lastChild?.replaceWith(provider ? ' Blend of all' : ' Each source');
  legend.hidden = false;
}

/** Shows or hides the thin lines, as the reader has chosen. */
function showSources(chart: uPlot, section: ParentNode): void {
  const show = find<HTMLInputElement>('[data-legend] input', section)?.checked ?? true;
  chart.batch(() => {
    for (let index = FIRST_LINE; index < chart.series.length - 1; index++) chart.setSeries(index, { show });
  });
}
