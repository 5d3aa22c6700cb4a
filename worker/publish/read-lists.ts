import { type Coverage, readCurrencies } from '../../core/database/coverage.js';
import { readProviderStates } from '../../core/database/providers.js';
import { readReadingPlan } from '../../core/database/reading-plan.js';
import { type LeftOut, readLeftOut } from '../../core/database/suspects.js';
import type { Transaction } from '../../core/database/transactions.js';
import { currencies as facts } from '../../core/domain/currencies.js';
import { fromDayNumber } from '../../core/domain/dates.js';
import { type DateRange, unionOf } from '../../core/domain/periods.js';
import { providers } from '../../core/domain/providers.js';
import type { PublishedCurrencies, PublishedProviders } from '../../core/publication/published-lists.js';

export async function listCurrencies(view: Transaction): Promise<PublishedCurrencies> {
  const spans = await readCurrencies(view);
  return [...facts.values()].flatMap(({ iso_code, iso_numeric, name, symbol }) => {
    const span = spans.get(iso_code);
    return span ? [{ iso_code, iso_numeric, name, symbol, start_date: span.from, end_date: span.to }] : [];
  });
}

export async function listProviders(view: Transaction, coverage: Coverage): Promise<PublishedProviders> {
  const states = await readProviderStates(view);
  const plan = await readReadingPlan(view);
  const leftOut = await readLeftOut(view, {});
  const iso = (instant: Date | null | undefined) => instant?.toISOString() ?? null;
  return {
    providers: providers.map((provider): PublishedProviders['providers'][number] => {
      const spans = coverage.get(provider.key) ?? new Map<string, DateRange>();
      const whole = unionOf(spans.values());
      const state = states.get(provider.key);
      return {
        ...provider,
        start_date: whole?.from ?? null,
        end_date: whole?.to ?? null,
        last_attempt_at: iso(state?.lastAttemptAt),
        last_success_at: iso(state?.lastSuccessAt),
        last_error: state?.lastError ?? null,
        newest_read_at: iso(state?.newestReadAt),
        currencies: Object.fromEntries(
          [...spans].map(([code, { from, to }]) => [code, to === whole?.to ? [from] : [from, to]]),
        ),
        left_out: reasonsOf(leftOut.filter(({ provider: key }) => key === provider.key)),
      };
    }),
    reading: plan && {
      sources: plan.sources,
      since: plan.since.toISOString(),
    },
  };
}

function reasonsOf(leftOut: readonly LeftOut[]): PublishedProviders['providers'][number]['left_out'] {
  const reasons: PublishedProviders['providers'][number]['left_out'] = {};
  for (const { reason, base, quote, day } of [...leftOut].sort((one, other) => one.day - other.day)) {
    const pairs = reasons[reason] ?? {};
    reasons[reason] = pairs;
    pairs[`${base}/${quote}`] = [...(pairs[`${base}/${quote}`] ?? []), fromDayNumber(day)];
  }
  return reasons;
}
