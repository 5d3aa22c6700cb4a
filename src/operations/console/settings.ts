import { type Config, readConfig, SETTINGS } from '../../../core/process/config.js';
import { homepage } from '../../../core/process/project-files.js';
import { html } from '../../pages/shared/html.js';
import type { ConsolePage } from './frame.js';
import { type Column, section, table } from './table.js';

type Setting = (typeof SETTINGS)[number];

/** Each setting is in the first area whose pattern its name matches. */
const AREAS: readonly (readonly [string, RegExp])[] = [
  ['Access', /^(ADMIN|TRUST|RATE_LIMITS|MCP)/],
  ['Servers', /^(PORT|HOST|DRAIN|DATABASE|REDIS|LOG|DATA_DIR)/],
  ['Publication and backups', /^(PUBLI|BACKUP)/],
  ['Weather, buses, addresses and translation', /^(OPEN|BUS|LTA|GEO|LOCATION|TRANSLATE|LIBRE|MYMEMORY)/],
  ['Source API keys', /_(KEY|USER|PASS)$/],
  ['Rates and sources', /./],
];

const NOT_SET = 'not set';
const REFERENCE = `${homepage}/blob/main/docs/configuration.md`;

export function settingsPage({ config }: { config: Config }): ConsolePage {
  const defaults = readConfig({});
  const isDefault = ({ name }: Setting) => JSON.stringify(config[name]) === JSON.stringify(defaults[name]);
  const changedFirst = (one: Setting, other: Setting) => Number(isDefault(one)) - Number(isDefault(other));
  const columns: Column<Setting>[] = [
    { label: 'Name', of: ({ name }) => html`<code>${name}</code>` },
    {
      label: 'Value',
      of: (setting) => {
        const text = textOf(setting, config);
        const value = text === NOT_SET ? text : html`<code>${text}</code>`;
        if (isDefault(setting)) return html`<span class="hint">${value}</span>`;
        return html`<strong>${value}</strong>${!setting.isSecret && html` <span class="chip chip-fresh">set</span>`}`;
      },
    },
  ];
  return {
    title: 'Settings',
    lead: html`The settings of this API process. A worker has its own. Values that are set come first. Restart to apply a change: see <a href="${REFERENCE}" rel="noreferrer">the reference</a>.`,
    body: html`<div class="settings">${AREAS.map(([area], at) => {
      const settings = SETTINGS.filter(({ name }) => AREAS.findIndex(([, names]) => names.test(name)) === at);
      return section(area, table(settings.toSorted(changedFirst), columns));
    })}</div>`,
  };
}

function textOf({ name, isSecret }: Setting, config: Config): string {
  const value = config[name];
  if (value === undefined || value === '') return NOT_SET;
  if (isSecret) return '•••••• (set)';
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
