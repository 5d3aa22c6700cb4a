import type { Assets } from './assets.js';
import { html } from './html.js';
import { type Page, policy } from './layout.js';

/** Scalar puts its styles into the page by script, which only a policy for inline styles allows; and it makes `blob:` links. */
const REFERENCE_POLICY = policy({
  'style-src': "'self' 'unsafe-inline'",
  'img-src': "'self' data: blob:",
  'font-src': "'self' data:",
});

/** `GET /docs`: the OpenAPI document in Scalar's reference, which the script starts. */
export function referencePage(assets: Assets): Page {
  return {
    title: 'Reference · Almanac',
    summary: 'Every route of the API, to read and to try.',
    path: '/docs',
    section: 'reference',
    script: 'reference.ts',
    policy: REFERENCE_POLICY,
    body: html`<h1 class="visually-hidden">Reference</h1>
<div data-reference data-bundle="${assets.pathOf('scalar.js')}"><p class="loading">The reference is being loaded. It is also there <a href="/docs/plain">without script</a>.</p></div>`,
  };
}
