import { softwareVersion } from '../../../core/process/project-files.js';
import { HTML_TYPE, type Reply } from '../../http/reply.js';
import { NO_STORE } from '../../http/representation.js';
import { type Assets, openAssets } from '../../pages/assets.js';
import { PAGE_POLICY } from '../../pages/layout.js';
import { type Html, html } from '../../pages/shared/html.js';

const ERRANDS = {
  overview: ['/admin', 'Overview'],
  sources: ['/admin/sources', 'Sources'],
  suspects: ['/admin/suspects', 'Suspects'],
  jobs: ['/admin/jobs', 'Jobs'],
  publication: ['/admin/publication', 'Publication'],
  backups: ['/admin/backups', 'Backups'],
  audit: ['/admin/audit', 'Audit'],
  settings: ['/admin/settings', 'Settings'],
} as const;

export interface ConsolePage {
  title: string;
  /** Absent on pages before the login, which have no navigation. */
  errand?: keyof typeof ERRANDS | 'other';
  body: Html;
  status?: number;
}

export type Frame = (page: ConsolePage) => Reply;

/** The frame of the console's pages, in the design of the public pages. The script updates elements with `data-live`. */
export function openFrame({ hasOwnPort }: { hasOwnPort: boolean }): Frame {
  const assets = openAssets();
  // The reference is on the port of the service.
  const reference = hasOwnPort
    ? undefined
    : html`<li><a href="/docs#administration">API for operators</a></li>`;
  return (page) => ({
    ...(page.status !== undefined && { status: page.status }),
    validity: NO_STORE,
    content: {
      type: HTML_TYPE,
      body: Buffer.from(framed(page, assets, reference).text),
      securityPolicy: PAGE_POLICY,
      headers: ['referrer-policy', 'same-origin'],
    },
  });
}

function framed({ title, errand, body }: ConsolePage, assets: Assets, reference: Html | undefined): Html {
  const links = Object.entries(ERRANDS).map(
    ([name, [path, label]]) =>
      html`<a href="${path}"${name === errand && html` aria-current="page"`}>${label}</a>`,
  );
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} · Almanac console</title>
<link rel="icon" href="${assets.pathOf('icon.svg')}" type="image/svg+xml">
<link rel="stylesheet" href="${assets.pathOf('style.css')}">
${errand && html`<script type="module" src="${assets.pathOf('console.ts')}"></script>`}
</head>
<body class="console">
<a class="skip" href="#main">Skip to content</a>
<header class="site">
<a class="brand" href="/admin"><img src="${assets.pathOf('icon.svg')}" alt="" width="26" height="26">Almanac console</a>
${errand && html`<nav aria-label="Console">${links}<a href="/admin/logout">Log out</a></nav>`}
</header>
<main id="main">
${body}
</main>
<footer class="site"><ul><li>Almanac ${softwareVersion}</li>${
    errand && html`<li><a href="/admin/queues">Queue board</a></li>${reference}`
  }</ul></footer>
</body>
</html>
`;
}
