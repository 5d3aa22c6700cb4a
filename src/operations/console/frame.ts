import type { Clock } from '../../../core/domain/dates.js';
import type { Config } from '../../../core/process/config.js';
import { softwareVersion } from '../../../core/process/project-files.js';
import { HTML_TYPE, NO_STORE, type Reply } from '../../http/reply.js';
import { type Assets, openAssets } from '../../pages/assets.js';
import { PAGE_POLICY } from '../../pages/layout.js';
import { type Html, html } from '../../pages/shared/html.js';

export const SECTIONS = {
  '/admin': 'Overview',
  '/admin/sources': 'Sources',
  '/admin/suspects': 'Suspects',
  '/admin/jobs': 'Jobs',
  '/admin/publication': 'Publication',
  '/admin/backups': 'Backups',
  '/admin/audit': 'Audit',
  '/admin/settings': 'Settings',
};

export type Section = keyof typeof SECTIONS;

export interface ConsolePage {
  /** Unless it is that of the section. */
  title?: string;
  /** The heading, unless it is the title. */
  heading?: Html;
  lead?: Html | string;
  /** A link to the page above this one, unless it is that of the section. */
  above?: Html;
  /** Links to what an operator can do here. */
  acts?: Html | false | undefined;
  body: Html;
  status?: number;
}

/** The navigation marks the section that the path is in. Without a path, before the login, there is none. */
export type Frame = (page: ConsolePage, path?: string) => Reply;

/** The frame of the console's pages, in the design of the public pages. The script updates elements with `data-live`. */
export function openFrame({ ADMIN_PORT }: Pick<Config, 'ADMIN_PORT'>, clock: Clock): Frame {
  const assets = openAssets();
  // The reference is on the port of the service.
  const reference =
    ADMIN_PORT === undefined && html`<li><a href="/docs#administration">API for operators</a></li>`;
  const links = html`<li><a href="/admin/queues">Queue board</a></li>${reference}`;
  return (page, path) => ({
    ...(page.status !== undefined && { status: page.status }),
    validity: NO_STORE,
    content: {
      type: HTML_TYPE,
      body: Buffer.from(framed(page, path, assets, { links, now: clock() }).text),
      securityPolicy: PAGE_POLICY,
      headers: ['referrer-policy', 'same-origin'],
    },
  });
}

function framed(
  page: ConsolePage,
  path: string | undefined,
  assets: Assets,
  { links, now }: { links: Html; now: Date },
): Html {
  const iso = now.toISOString();
  const current = sectionOf(path);
  const { title = current && SECTIONS[current], heading, lead, above, acts, body, status } = page;
  const sections = Object.entries(SECTIONS).map(
    ([section, label]) =>
      html`<a href="${section}"${section === current && html` aria-current="page"`}>${label}</a>`,
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
<link rel="stylesheet" href="${assets.pathOf('style/console.css')}">
<script type="module" src="${assets.pathOf('console.ts')}"></script>
</head>
<body class="console">
<a class="skip" href="#main">Skip to content</a>
<header class="site">
<a class="brand" href="/admin"><img src="${assets.pathOf('icon.svg')}" alt="" width="26" height="26">Almanac console</a>
${path && html`<nav aria-label="Console">${sections}</nav><a class="log-out" href="/admin/logout">Log out</a>`}
</header>
<main id="main">
${current && current !== path && html`<p class="crumbs">${above ?? html`<a href="${current}">${SECTIONS[current]}</a>`}</p>`}
<div class="heading"><h1>${heading ?? title}</h1>${path && status === undefined && html`<p class="as-of" id="as-of" data-live>As of <time datetime="${iso}">${iso.slice(11, 19)} UTC</time></p>`}${acts && html`<div class="acts">${acts}</div>`}</div>
${lead && html`<p class="lead">${lead}</p>`}
${body}
</main>
<footer class="site"><ul><li>Almanac ${softwareVersion}</li>${path && links}</ul></footer>
</body>
</html>
`;
}

/** The section of a page, or of one below it. */
export function sectionOf(path = ''): Section | undefined {
  const sections = Object.keys(SECTIONS) as Section[];
  return sections.find((one) => path === one || (one !== '/admin' && path.startsWith(`${one}/`)));
}
