import { it } from 'vitest';
import { propertyRuns } from '../../support/property-runs.js';
import { assertSameRows } from './same-rows.js';

it('the same rows and decisions make the same blends and suspects, in whatever order they come', async () => {
  await assertSameRows(propertyRuns(16));
}, 600_000);
