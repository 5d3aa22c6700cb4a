import type { SuspicionReason } from '../../../../core/domain/blend/suspicion.js';
import type { ProvenanceRow } from '../../../../src/rates/receipts/rows-behind.js';

/** A row behind the rate of a currency: `EUR ECB 2026-03-10 EUR/USD 1.25`. */
export function behind(text: string, suspicion: SuspicionReason | null = null): ProvenanceRow {
  const [currency = '', provider = '', date = '', pair = '', rate = ''] = text.split(' ');
  const [base = '', quote = ''] = pair.split('/');
  return {
    for: currency,
    provider,
    date,
    base,
    quote,
    rate: Number(rate),
    recordedAt: new Date(0),
    run: null,
    suspicion,
  };
}
