import { type Html, html } from './shared/html.js';
import type { MessageKey, Writing } from './shared/messages.js';

/** Parts of the API's messages that pages show. Their groups are the values of the translation. */
const PARTS: readonly (readonly [RegExp, MessageKey])[] = [
  [/^\w+ must be YYYY-MM-DD$/, 'problem.date'],
  [/^(?<typed>.+) is not a date$/, 'problem.noDate'],
  [/^write (?<text>[\d-]+) for /, 'problem.write'],
  [/\(write a number of at most (?<count>\d+) digits/, 'problem.digits'],
  [/^no rate for (?<base>\w+)\/(?<quote>\w+) on (?<date>\S+)$/, 'problem.noRateOn'],
  [/^no rate for (?<base>\w+)\/(?<quote>\w+)/, 'problem.noRateFor'],
  [/^the first rate is from (?<date>\S+)$/, 'problem.first'],
  [/^the newest rate is from (?<date>[\d-]+)/, 'problem.newest'],
  [/^(?<code>\w+) has rates from (?<from>\S+) until (?<to>\S+)$/, 'problem.lifetime'],
  [/^there are no rates for (?<code>\w+)/, 'problem.noneOf'],
  [/^the two currencies have no rates from the same time$/, 'problem.notTogether'],
  [/^not published yet$/, 'problem.notPublished'],
  [/^(?<key>\w+) has not been read since (?<date>\S+)$/, 'problem.unread'],
  [/^(?<key>\w+) has no rate of (?<code>\w+) /, 'problem.sourceLacks'],
  [/^it is expected from (?<instant>\S+) on$/, 'problem.expected'],
  [/^rule=\S+ is not for (?<date>\S+)$/, 'problem.ruleNotFor'],
  [/^(?<name>\w+) is given more than once$/, 'problem.repeated'],
  [/percent-enco/, 'problem.encoding'],
  [/^(?<name>\w+) must /, 'problem.parameter'],
  [/^(?<count>\d+) a minute are allowed/, 'problem.allowed'],
  [/^too many expensive requests at once$/, 'problem.overloaded'],
  [/^the (database|store) cannot be reached$/, 'age.database down'],
  [/^the rates are changing right now$/, 'problem.changing'],
  [/^rates before (?<date>\S+) are still being loaded$/, 'problem.loadingBefore'],
  [/^the (data is not loaded yet|first rates are being loaded)$/, 'first.loading'],
  [/^use (?<address>.+)$/, 'problem.use'],
  [/^all paths are in (?<address>\S+)$/, 'problem.paths'],
];

/** Of an error of the API. */
export function problemOf({ status, message }: { status: number; message: string }, writing: Writing): Html {
  const usual = status === 404 ? 'problem.noRate' : 'problem.refused';
  return html`<span class="problem">${reasonOf(message, writing) || writing.say(usual)}</span>`;
}

/** What the API's message says, in the language of the page; empty if it adds nothing to its status. */
export function reasonOf(message: string, writing: Writing): string {
  const sentences = message.split(/[:;] /).flatMap((part) => translated(part, writing));
  return [...new Set(sentences)].join(' ');
}

function translated(part: string, { formats, say }: Writing): string | [] {
  for (const [pattern, key] of PARTS) {
    const found = pattern.exec(part);
    if (!found) continue;
    const { date, from, to, instant, count, ...values } = found.groups ?? {};
    return say(key, {
      ...values,
      ...(date && { date: formats.date(date) }),
      ...(from && to && { from: formats.date(from), to: formats.date(to) }),
      ...(instant && { instant: formats.instant(instant) }),
      ...(count && { count: Number(count) }),
    });
  }
  return [];
}
