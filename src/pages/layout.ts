import { HTML_TYPE, type Reply } from '../http/reply.js';
import { entityTag } from '../http/representation.js';
import type { AssetName, Assets } from './assets.js';
import { type Html, html } from './html.js';
import type { Reader } from './reader.js';
import type { Language } from './shared/messages/languages.js';

/** A page, before it is put into the frame that all pages have. */
export interface Page {
  title: string;
  /** One sentence for search engines and previews. */
  summary: string;
  /** Which of the pages in the navigation it is, or belongs to. */
  section: 'rates' | 'status' | 'reference';
  script?: AssetName;
  body: Html;
  /** 200 where absent. */
  status?: number;
  /** In place of the policy of other pages. */
  policy?: string;
}

/** Own scripts, styles, pictures and requests, and nothing else: nothing inline, nothing from another server. */
const PAGE_POLICY = policy({});

/** A content security policy of a page; directives replace those of the same name. */
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

const SECTIONS = [
  { section: 'rates', path: '/' },
  { section: 'status', path: '/status' },
  { section: 'reference', path: '/docs' },
] as const;

/** The reply with a page. Browsers ask each time whether it has changed: its assets go with the version that made it. */
export function pageReply(assets: Assets, page: Page, reader: Reader): Reply {
  const text = framed(assets, page, reader).text;
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
  { title, summary, section, script, body }: Page,
  { language, locale, messages }: Reader,
): Html {
  const { direction, frame } = messages;
  return html`<!doctype html>
<html lang="${locale}" dir="${direction}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="description" content="${summary}">
<title>${title}</title>
<link rel="icon" href="${assets.pathOf('icon.svg')}" type="image/svg+xml">
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
<p>${frame.disclaimer} ${frame.terms} <a href="/openapi.json">OpenAPI</a> · <a href="/docs/plain">Reference without script</a></p>
</footer>
</body>
</html>
`;
}

/** The script finds what the page says in its language by the link that preloads it. */
function scriptTags(assets: Assets, script: AssetName, language: Language): Html {
  const imports = assets.importsOf(script).map((path) => html`<link rel="modulepreload" href="${path}">`);
  return html`${imports}<link rel="modulepreload" href="${assets.pathOf(`messages/${language}.ts`)}" data-messages><script type="module" src="${assets.pathOf(script)}"></script>`;
}
