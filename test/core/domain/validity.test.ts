import { expect, test } from 'vitest';
import { periodEnd, periodStart, type ValidityPeriod } from '../../../core/domain/validity.js';

test.each<[ValidityPeriod, day: string, from: string, to: string]>([
  ['week', '2002-01-06', '2002-01-06', '2002-01-12'],
  ['week', '2002-01-12', '2002-01-06', '2002-01-12'],
  ['week', '2026-09-30', '2026-09-27', '2026-10-03'],
  ['month', '2026-03-17', '2026-03-01', '2026-03-31'],
  ['month', '2024-02-29', '2024-02-01', '2024-02-29'],
  ['month_end', '2025-01-31', '2025-01-31', '2025-02-27'],
  ['month_end', '2025-02-27', '2025-01-31', '2025-02-27'],
  ['month_end', '2024-12-31', '2024-12-31', '2025-01-30'],
  ['quarter', '2026-03-31', '2026-03-31', '2026-06-29'],
  ['quarter', '2026-07-15', '2026-06-30', '2026-09-29'],
  ['quarter', '2026-01-01', '2025-12-31', '2026-03-30'],
])('the %s of %s goes from %s to %s', (period, day, from, to) => {
  expect([periodStart(period, day), periodEnd(period, day)]).toEqual([from, to]);
});
