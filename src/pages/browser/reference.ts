import { need } from './elements.js';
import { say } from './reader.js';
import { retryNote } from './retry-note.js';
import { addCopyButton } from './snippets.js';

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
const beginning = need('[data-beginning]');
const button = need('[data-open]');

/** Leaves out unselected optional parameters: Scalar would send all with an example, and some exclude each other. */
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

/** Scalar adds itself to the window. */
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

/** Scalar's copy buttons have no accessible names. */
function nameCopyButtons(): void {
  for (const button of place.querySelectorAll('button[class*="copy-button"]:not([aria-label])')) {
    button.setAttribute('aria-label', 'Copy');
  }
}

async function show(): Promise<void> {
  const [scalar, content] = await Promise.all([loadScalar(), readDocument()]);
  place.replaceChildren();
  // Scalar adds its own landmark.
  need('main').setAttribute('role', 'presentation');
  new MutationObserver(nameCopyButtons).observe(place, { childList: true, subtree: true });
  scalar.createApiReference(place, {
    content,
    // Requests go only to this service: no telemetry, no proxy.
    telemetry: false,
    agent: { disabled: true },
    mcp: { disabled: true },
    withDefaultFonts: false,
    showDeveloperTools: 'never',
    hideClientButton: true,
    // The user's system decides between light and dark, as on all pages.
    hideDarkModeToggle: true,
    documentDownloadType: 'none',
    theme: 'none',
    layout: 'modern',
    defaultHttpClient: { targetKey: 'shell', clientKey: 'curl' },
  });
}

async function open(): Promise<void> {
  beginning.hidden = true;
  place.hidden = false;
  place.focus();
  await show().catch(() => place.replaceChildren(retryNote(say('reference.unread'), () => void open())));
}

/** Opens the reference for a URL of one of its parts, but not for one of a part of this page. */
function openAtAddress(): void {
  const id = location.hash.slice(1);
  if (place.hidden && id !== '' && !document.getElementById(id)) void open();
}

for (const block of document.querySelectorAll<HTMLElement>('.code-block')) addCopyButton(block);
button.hidden = false;
button.addEventListener('click', () => void open());
window.addEventListener('hashchange', openAtAddress);
openAtAddress();
