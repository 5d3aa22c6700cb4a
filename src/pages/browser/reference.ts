import { need } from './elements.js';

interface Scalar {
  createApiReference(element: Element, configuration: object): unknown;
}

interface Parameter {
  required?: boolean;
  example?: unknown;
  examples?: Record<string, object>;
}

interface ApiDocument {
  paths: Record<string, Record<string, { parameters?: Parameter[] }>>;
}

const place = need('[data-reference]');

/**
 * The OpenAPI document, in which optional parameters are left out of a request until the reader chooses them: Scalar would
 * send all that have an example, and some exclude each other.
 */
async function readDocument(): Promise<ApiDocument> {
  const document = (await (await fetch('/openapi.json')).json()) as ApiDocument;
  for (const operations of Object.values(document.paths)) {
    for (const { parameters = [] } of Object.values(operations)) {
      for (const parameter of parameters) {
        const { example, required } = parameter;
        if (required || example === undefined) continue;
        delete parameter.example;
        parameter.examples = { default: { value: example, 'x-disabled': true } };
      }
    }
  }
  return document;
}

/** Loads Scalar, which puts itself into the window. */
function loadScalar(): Promise<Scalar> {
  const script = document.createElement('script');
  script.src = place.dataset.bundle ?? '';
  const loaded = new Promise<Scalar>((resolve, reject) => {
    script.addEventListener('load', () => resolve((window as unknown as { Scalar: Scalar }).Scalar));
    script.addEventListener('error', () => reject(new Error('the reference can not be loaded')));
  });
  document.head.append(script);
  return loaded;
}

/** Scalar's buttons for copying say what they do only to who sees them. */
function nameCopyButtons(): void {
  for (const button of place.querySelectorAll('button[class*="copy-button"]:not([aria-label])')) {
    button.setAttribute('aria-label', 'Copy');
  }
}

const [scalar, content] = await Promise.all([loadScalar(), readDocument()]);
place.replaceChildren();
// Scalar brings a landmark of its own.
need('main').setAttribute('role', 'presentation');
new MutationObserver(nameCopyButtons).observe(place, { childList: true, subtree: true });
scalar.createApiReference(place, {
  content,
  // Requests go to this service and nowhere else: nothing is reported, nothing goes through a proxy.
  telemetry: false,
  agent: { disabled: true },
  mcp: { disabled: true },
  withDefaultFonts: false,
  showDeveloperTools: 'never',
  hideClientButton: true,
  // Light or dark is what the reader's system says, as on all pages.
  hideDarkModeToggle: true,
  documentDownloadType: 'none',
  theme: 'none',
  layout: 'modern',
  defaultHttpClient: { targetKey: 'shell', clientKey: 'curl' },
});
