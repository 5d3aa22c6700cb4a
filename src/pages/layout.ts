import { homepage, softwareVersion } from '../../core/process/project-files.js';
import { type Content, entityTag, HTML_TYPE, type Reply } from '../http/reply.js';
import { originOf } from '../http/route.js';
import type { Assets } from './assets.js';
import { languages, type PageRequest, parametersOf, type Reader } from './reader.js';
import { type Html, html } from './shared/html.js';

export interface Page {
  title: string;
  /** One sentence for search engines and previews. */
  summary: string;
  /** Canonical, such as `/?base=EUR&quote=USD`; by default that of the section. */
  path?: string;
  section?: (typeof SECTIONS)[number]['section'];
  /** Such as `home.ts`. */
  script?: string;
  body: Html;
  status?: number;
  /** After how many seconds browsers load it again. */
  refresh?: number | undefined;
}

/** A page that only tells the reader something. */
export function notice(heading: string, status: number, content: Html): Page {
  const body = html`<h1>${heading}</h1>
${content}`;
  return { title: `${heading} · Almanac`, summary: heading, path: '/', status, body };
}

/** Allows only this server's scripts, styles, pictures and requests, and nothing inline. */
export const PAGE_POLICY = [
  "default-src 'none'",
  ...['script', 'style', 'img', 'connect'].map((kind) => `${kind}-src 'self'`),
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

const SECTIONS = [
  { section: 'rates', path: '/' },
  { section: 'currencies', path: '/currencies' },
  { section: 'providers', path: '/providers' },
  { section: 'rules', path: '/rules' },
  { section: 'status', path: '/status' },
  { section: 'reference', path: '/docs' },
] as const;

const GLOBE = html`<svg viewBox="0 0 16 16" width="16" height="16" fill="none" stroke="currentColor" aria-hidden="true"><circle cx="8" cy="8" r="6.5"/><path d="M1.5 8h13M8 1.5c-4 4-4 9 0 13c4-4 4-9 0-13"/></svg>`;

/** A request for a page. An error page has no context, and so no preview. */
type Frame = Omit<PageRequest, 'context'> & Partial<PageRequest>;

/** Browsers revalidate a page each time, as its assets belong to the version that made it. */
export function pageReply(assets: Assets, page: Page, request: PageRequest): Reply {
  const content = pageContent(assets, page, request);
  return {
    status: page.status ?? 200,
    validity: {
      ...(page.status === undefined && { tag: entityTag('page', content.body.toString()) }),
      cacheControl: page.status === undefined ? 'public, no-cache' : 'no-store',
      vary: ['accept-language'],
    },
    content,
  };
}

export function pageContent(assets: Assets, page: Page, frame: Frame): Content & { body: Buffer } {
  const { text } = framed(assets, page, frame);
  const { isChosen, language } = frame.reader;
  return {
    type: HTML_TYPE,
    body: Buffer.from(isChosen ? withLanguage(text, language) : text),
    securityPolicy: PAGE_POLICY,
    compressed: {},
    headers: [
      ...['referrer-policy', 'same-origin'],
      ...(page.refresh === undefined ? [] : ['refresh', String(page.refresh)]),
    ],
  };
}

function framed(assets: Assets, page: Page, { reader, target, context }: Frame): Html {
  const { title, summary, section, script, body } = page;
  const { locale, say } = reader;
  return html`<!doctype html>
<html lang="${locale}" dir="${say('language.direction')}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="description" content="${summary}">
<title>${title}</title>
${context && previewTags(page, originOf(context), assets)}
<link rel="icon" href="${assets.pathOf('icon.svg')}" type="image/svg+xml">
<link rel="stylesheet" href="${assets.pathOf('style.css')}">
${script && scriptTags(assets, script, reader)}
</head>
<body>
<a class="skip" href="#main">${say('frame.skip')}</a>
<header class="site">
<a class="brand" href="/"><img src="${assets.pathOf('icon.svg')}" alt="" width="26" height="26">Almanac</a>
<nav aria-label="${say('frame.pages')}">${SECTIONS.map(
    ({ section: own, path }) =>
      html`<a href="${path}"${own === section && html` aria-current="page"`}>${say(`frame.${own}`)}</a>`,
  )}</nav>
${languageSwitch(target, reader)}
</header>
<main id="main">
${body}
</main>
<footer class="site">
<p>${say('frame.disclaimer')} ${say('frame.terms')}</p>
<ul><li>Almanac ${softwareVersion}</li><li><a href="${homepage}" rel="noreferrer">${say('frame.source')}</a></li><li><a href="/health/ready">${say('frame.health')}</a></li><li><a href="/openapi.json">OpenAPI</a></li></ul>
</footer>
</body>
</html>
`;
}

/** Its links lead to the same page with the same parameters. */
function languageSwitch(target: string, { language, say }: Reader): Html {
  const parameters = parametersOf(target);
  const links = [...languages].map(([own, messages]) => {
    parameters.set('lang', own);
    return html`<li><a href="?${String(parameters)}" lang="${own}" hreflang="${own}"${own === language && html` aria-current="true"`}>${String(messages['language.name'])}</a></li>`;
  });
  return html`<details class="languages"><summary>${GLOBE}<span class="visually-hidden">${say('frame.language')}: </span>${say('language.name')}</summary><nav aria-label="${say('frame.language')}" data-part="languages"><ul>${links}</ul></nav></details>`;
}

const PAGE_LINK =
  /(<a [^>]*?href="\/(?:currencies|currency|providers?|status|rules|docs)?(?:\/\w+)?)(?:\?([^"#]*))?(?=["#])/g;
const PAGE_FORM = /<form [^>]*?action="\/(?:currencies|providers?|status|rules)?(?:\/\w+)?"[^>]*>/g;

function withLanguage(text: string, language: string): string {
  return text
    .replaceAll(PAGE_LINK, (_, start, query) => `${start}?${query ? `${query}&amp;` : ''}lang=${language}`)
    .replaceAll(PAGE_FORM, (form) => `${form}<input type="hidden" name="lang" value="${language}">`);
}

/** All pages have the same picture. */
function previewTags({ title, summary, section, path }: Page, origin: string, assets: Assets): Html {
  const address = origin + (path ?? SECTIONS.find((one) => one.section === section)?.path);
  return html`<link rel="canonical" href="${address}">
<meta name="twitter:card" content="summary_large_image">
<meta property="og:type" content="website">
<meta property="og:site_name" content="Almanac">
<meta property="og:title" content="${title}">
<meta property="og:description" content="${summary}">
<meta property="og:url" content="${address}">
<meta property="og:image" content="${origin + assets.pathOf('share.png')}">
<meta property="og:image:width" content="1200">
<meta property="og:image:height" content="630">`;
}

/** The script finds the messages in the page's language by the link that preloads them. */
function scriptTags(assets: Assets, script: string, { language }: Reader): Html {
  const imports = assets.importsOf(script).map((path) => html`<link rel="modulepreload" href="${path}">`);
  return html`${imports}<link rel="modulepreload" href="${assets.pathOf(`messages/${language}.json`)}" data-messages><script type="module" src="${assets.pathOf(script)}"></script>`;
}
