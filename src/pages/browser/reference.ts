import { need } from './elements.js';

interface Scalar {
  createApiReference(element: Element, configuration: object): unknown;
}

const place = need('[data-reference]');
const script = document.createElement('script');
script.src = place.dataset.bundle ?? '';
script.addEventListener('load', () => {
  place.replaceChildren();
  (window as unknown as { Scalar: Scalar }).Scalar.createApiReference(place, {
    url: '/openapi.json',
    // Requests go to this service and nowhere else: nothing is reported, nothing goes through a proxy.
    telemetry: false,
    agent: { disabled: true },
    mcp: { disabled: true },
    withDefaultFonts: false,
    showDeveloperTools: 'never',
    hideClientButton: true,
    theme: 'none',
    layout: 'modern',
    defaultHttpClient: { targetKey: 'shell', clientKey: 'curl' },
  });
});
document.head.append(script);
