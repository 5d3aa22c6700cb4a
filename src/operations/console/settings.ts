import { type Config, readConfig, SETTINGS } from '../../../core/process/config.js';
import { homepage } from '../../../core/process/project-files.js';
import { html } from '../../pages/shared/html.js';
import type { ConsolePage } from './frame.js';
import { table } from './table.js';

type Setting = (typeof SETTINGS)[number];

/** Each setting is in the first area whose pattern its name matches. */
const AREAS: readonly (readonly [string, RegExp])[] = [
  ['Access', /^(ADMIN|TRUST|RATE_LIMITS|MCP)/],
  ['Servers', /^(PORT|HOST|DRAIN|DATABASE|MIGRATE|REDIS|LOG|DATA_DIR)/],
  ['Publication and backups', /^(PUBLI|BACKUP)/],
  ['Weather, buses, addresses and translation', /^(OPEN|BUS|LTA|GEO|LOCATION|TRANSLATE|LIBRE|MYMEMORY)/],
  ['Keys of sources', /_(KEY|USER|PASS)$/],
  ['Rates and sources', /./],
];

const REFERENCE = `${homepage}/blob/main/docs/configuration.md`;

export function settingsPage({ config }: { config: Config }): ConsolePage {
  const defaults = readConfig({});
  const isDefault = ({ name }: Setting) => JSON.stringify(config[name]) === JSON.stringify(defaults[name]);
  const changedFirst = (one: Setting, other: Setting) => Number(isDefault(one)) - Number(isDefault(other));
  return {
    title: 'Settings',
    body: html`<h1>Settings</h1>
<p class="lead">The settings of this API process. A worker reads its own. In each area, those that are set come first. A change takes effect with a restart: see <a href="${REFERENCE}" rel="noreferrer">the reference</a>.</p>
<div class="sections settings">${AREAS.map(([area], at) => {
      const settings = SETTINGS.filter(({ name }) => AREAS.findIndex(([, names]) => names.test(name)) === at);
      return html`<section class="card scroll"><h2>${area}</h2>${table(settings.toSorted(changedFirst), [
        { label: 'Name', of: ({ name }) => html`<code>${name}</code>` },
        { label: 'Value', of: (setting) => html`<span class="wrapped">${textOf(setting, config)}</span>` },
        {
          label: 'Origin',
          of: (setting) => (isDefault(setting) ? html`<small>default</small>` : html`<strong>set</strong>`),
        },
      ])}</section>`;
    })}</div>`,
  };
}

function textOf({ name, isSecret }: Setting, config: Config): string {
  const value = config[name];
  if (value === undefined || value === '') return 'not set';
  if (isSecret) return 'hidden';
  if (typeof value === 'boolean') return value ? 'on' : 'off';
  if (Array.isArray(value)) return value.join(', ') || (name === 'MCP' ? 'on' : 'none');
  if (typeof value !== 'object') return withoutLogin(String(value));
  const parts = Object.entries(value).map(([part, limit]) => `${part}=${limit}`);
  return parts.join(', ');
}

/** Of a URL, also without the query, which may contain a password. */
function withoutLogin(value: string): string {
  return /^[a-z+]+:\/\//i.test(value) ? value.replace(/(?<=:\/\/).*@/s, '').replace(/[?#].*/s, '') : value;
}
