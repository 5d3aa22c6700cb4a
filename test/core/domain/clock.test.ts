import { describe, expect, it } from 'vitest';
import { systemClock, today, todayNumber } from '../../../core/domain/clock.js';

const at = (text: string) => new Date(`${text}Z`);

describe('the clock', () => {
  it('counts days of UTC', () => {
    const clock = () => at('2024-02-29T23:59:59.999');
    expect([today(clock), todayNumber(clock)]).toEqual(['2024-02-29', 19_782]);
    expect(todayNumber(() => at('1969-12-31T23:00:00'))).toBe(-1);
  });

  it('of the system goes on', () => {
    const before = Date.now();
    expect(systemClock().getTime()).toBeGreaterThanOrEqual(before);
  });
});
