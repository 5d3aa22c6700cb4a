import { WINDOW_DAYS } from '../../../core/domain/blend/carry-forward.js';
import { daysToPick, type PickedDay } from '../../../core/domain/day-pick.js';
import { CONTENT_TYPES, type Format } from '../../formats/record-formats.js';
import type { Content } from '../../http/reply.js';
import { convertLine } from '../engine/conversions.js';
import { lookUpsIn } from '../engine/look-ups.js';
import type { LookUpDays } from '../engine/rate-source.js';
import { type RatesContext, type RatesInput, type RatesView, requireLoaded } from '../engine/rates-view.js';
import { encodeConvertedLines } from '../lines/converted-lines.js';
import { type Line, readLines } from '../lines/lines.js';
import type { ReadTimes } from '../rules/ask-by-rule.js';
import type { RuledQuery } from '../rules/resolve.js';
import { openRuledLines } from '../rules/ruled-lines.js';
import { asOfHeader } from './ask-conversion.js';

interface LinesInput extends RatesInput<{ format: Format }> {
  readonly body: string;
  readonly query: RuledQuery;
  readonly times: ReadTimes;
}

export async function makeConvertedLines(
  { request, layout: { format }, body, query, times }: LinesInput,
  view: RatesView,
  context: RatesContext,
): Promise<Content> {
  const lines = readLines(body, format);
  const { providers, side, when } = request;
  const asked = when.form === 'date' ? when : undefined;
  const pick = asked?.pick ?? 'on-or-before';
  const pickedOn = (day: number | undefined) => (day === undefined ? asked : { day, pick });
  const span = spanOf(lines.days.map(pickedOn));
  requireLoaded(view.current, (span.from ?? Number.POSITIVE_INFINITY) - WINDOW_DAYS);
  const known = await view.sourceOf(providers, side).ratesOn(span, context);
  const rates = { lookUps: lookUpsIn(known, view.today + 1), providers };
  const convertByRule = await openRuledLines(query, lines.rules, { times, view, context });
  const convert = (line: Line) => convertByRule(line) ?? convertLine(line, pickedOn(line.on?.day), rates);
  const hasRules = query.rule !== undefined || lines.rules.size > 0;
  return {
    type: CONTENT_TYPES[format],
    body: encodeConvertedLines(lines, convert, { format, hasRules }),
    headers: await asOfHeader(request, view, context),
  };
}

/** The days from which rates are picked; without an end if a line has no day, as it then uses the newest rates. */
function spanOf(days: readonly (PickedDay | undefined)[]): LookUpDays {
  let from: number | undefined;
  let to: number | undefined;
  for (const day of days) {
    if (day === undefined) continue;
    const picked = daysToPick(day);
    from = Math.min(from ?? picked.from, picked.from);
    to = Math.max(to ?? picked.to, picked.to);
  }
  return { from, to: days.includes(undefined) ? undefined : to };
}
