import { homepage, softwareVersion } from '../../core/process/project-files.js';
import { HTML_TYPE, type Reply } from '../http/reply.js';
import { entityTag } from '../http/representation.js';
import { originOf } from '../http/route.js';
import type { AssetName, Assets } from './assets.js';
import type { PageRequest } from './reader.js';
import { type Html, html } from './shared/html.js';
import type { Language } from './shared/messages/languages.js';

/** A page without the layout that all pages share. */
export interface Page {
  title: string;
  /** One sentence for search engines and previews. */
  summary: string;
  /** The canonical path of the page, such as `/?base=EUR&quote=USD`. */
  path: string;
  /** The section of the navigation that contains it. */
  section: (typeof SECTIONS)[number]['section'];
  script?: AssetName;
  body: Html;
  /** 200 if absent. */
  status?: number;
  /** A content security policy that replaces the default one. */
  policy?: string;
}

/** Allows only this server's scripts, styles, pictures and requests, and nothing inline. */
const PAGE_POLICY = policy({});

/** A content security policy of a page. The given directives replace those with the same name. */
export function policy(directives: Readonly<Record<string, string>>): string {
  const all = {
    'default-src': "'none'",
    'script-src': "'self'",
    'style-src': "'self'",
    'img-src': "'self'",
    'connect-src': "'self'",
    'form-action': "'self'",
    'base-uri': "'none'",
    'frame-ancestors': "'none'",
    ...directives,
  };
  return Object.entries(all)
    .map(([name, value]) => `${name} ${value}`)
    .join('; ');
}

const CORRECTIONS = '/corrections.atom';

const SECTIONS = [
  { section: 'rates', path: '/' },
  { section: 'currencies', path: '/currencies' },
  { section: 'providers', path: '/providers' },
  { section: 'status', path: '/status' },
  { section: 'reference', path: '/docs' },
] as const;

/** Returns the reply with a page. Browsers revalidate it each time, as its assets belong to the version that made it. */
export function pageReply(assets: Assets, page: Page, request: PageRequest): Reply {
  const text = framed(assets, page, request).text;
  return {
    status: page.status ?? 200,
    validity: {
      ...(page.status === undefined && { tag: entityTag('page', text) }),
      cacheControl: page.status === undefined ? 'public, no-cache' : 'no-store',
      vary: ['accept-language'],
    },
    content: {
      type: HTML_TYPE,
      body: Buffer.from(text),
      securityPolicy: page.policy ?? PAGE_POLICY,
      headers: ['referrer-policy', 'same-origin'],
    },
  };
}

function framed(
  assets: Assets,
  page: Page,
  { reader: { language, locale, messages }, context }: PageRequest,
): Html {
  const { title, summary, section, script, body } = page;
  const { direction, frame } = messages;
  return html`<!doctype html>
<html lang="${locale}" dir="${direction}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="description" content="${summary}">
<title>${title}</title>
${previewTags(page, originOf(context), assets)}
<link rel="icon" href="${assets.pathOf('icon.svg')}" type="image/svg+xml">
<link rel="alternate" href="${CORRECTIONS}" type="application/atom+xml" title="${frame.corrections}">
<link rel="stylesheet" href="${assets.pathOf('style.css')}">
${script && scriptTags(assets, script, language)}
</head>
<body>
<a class="skip" href="#main">${frame.skip}</a>
<header class="site">
<a class="brand" href="/"><img src="${assets.pathOf('icon.svg')}" alt="" width="26" height="26">Almanac</a>
<nav aria-label="${frame.pages}">${SECTIONS.map(
    ({ section: own, path }) =>
      html`<a href="${path}"${own === section && html` aria-current="page"`}>${frame[own]}</a>`,
  )}</nav>
</header>
<main id="main">
${body}
</main>
<footer class="site">
<p>${frame.disclaimer} ${frame.terms}</p>
<ul><li>Almanac ${softwareVersion}</li><li><a href="${homepage}" rel="noreferrer">${frame.source}</a></li><li><a href="/health/ready">${frame.health}</a></li><li><a href="${CORRECTIONS}">${frame.corrections}</a></li><li><a href="/openapi.json">OpenAPI</a></li><li><a href="/rules">${frame.rules}</a></li></ul>
</footer>
</body>
</html>
`;
}

/** The preview of a page in search engines and chats. All pages have the same picture. */
function previewTags({ title, summary, path }: Page, origin: string, assets: Assets): Html {
  const properties = {
    'og:type': 'website',
    'og:site_name': 'Almanac',
    'og:title': title,
    'og:description': summary,
    'og:url': origin + path,
    'og:image': origin + assets.pathOf('share.png'),
    'og:image:width': 1200,
    'og:image:height': 630,
  };
  return html`<link rel="canonical" href="${origin + path}">
<meta name="twitter:card" content="summary_large_image">
${Object.entries(properties).map(([name, value]) => html`<meta property="${name}" content="${value}">`)}`;
}

/** The script finds the messages in the page's language by the link that preloads them. */
function scriptTags(assets: Assets, script: AssetName, language: Language): Html {
  const imports = assets.importsOf(script).map((path) => html`<link rel="modulepreload" href="${path}">`);
  return html`${imports}<link rel="modulepreload" href="${assets.pathOf(`messages/${language}.ts`)}" data-messages><script type="module" src="${assets.pathOf(script)}"></script>`;
}
