import { HTML_TYPE, type Reply } from '../../http/reply.js';
import { NO_STORE } from '../../http/representation.js';

const PAGE_POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; frame-ancestors 'none'";

/** `body` is HTML. */
export function operatorPage(body: string): Reply {
  const content = { type: HTML_TYPE, body: Buffer.from(framed(body)), securityPolicy: PAGE_POLICY };
  return { validity: NO_STORE, content };
}

function framed(body: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Almanac: operators</title>
<style>
  :root { color-scheme: light dark; }
  body { font: 16px/1.5 system-ui, sans-serif; max-width: 22rem; margin: 20vh auto; padding: 0 1rem; }
  label, input, button { display: block; width: 100%; box-sizing: border-box; font: inherit; margin: .5rem 0; padding: .3rem; }
  label, p, ul { padding: 0; }
  li { list-style: none; margin: .5rem 0; }
</style>
</head>
<body>
<main>
<h1>Almanac</h1>
${body}
</main>
</body>
</html>
`;
}
