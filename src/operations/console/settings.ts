import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Config, readConfig, SETTINGS } from '../../../core/process/config.js';
import { homepage, projectFolder } from '../../../core/process/project-files.js';
import { withCode } from '../../pages/reference-operations.js';
import { type Html, html } from '../../pages/shared/html.js';
import type { ConsolePage } from './frame.js';
import { type Column, chip, section, table } from './table.js';

type Setting = (typeof SETTINGS)[number] & { meaning: string };

export function settingsPage({ config }: { config: Config }): ConsolePage {
  const columns = columnsOf(config);
  return {
    lead: html`The settings of this API process. A worker has its own. Restart to apply a change: see <a href="${homepage}/blob/main/docs/configuration.md" rel="noreferrer">the reference</a>.`,
    body: html`<div class="sections settings"><label><input type="checkbox" data-changed> Only changed settings</label>${settings().map(([area, found]) => section(area, table(found, columns)))}</div>`,
  };
}

function columnsOf(config: Config): Column<Setting>[] {
  const defaults = readConfig({});
  return [
    { label: 'Name', of: ({ name }) => html`<code>${name}</code>` },
    {
      label: 'Value',
      of(setting) {
        const [value, byDefault] = [shownValue(setting, config), shownValue(setting, defaults)];
        if (JSON.stringify(config[setting.name]) === JSON.stringify(defaults[setting.name]))
          return html`${value} <small>default</small>`;
        return html`${value} ${chip('Changed')}${!setting.isSecret && html` <small>default: ${byDefault}</small>`}`;
      },
    },
    { label: 'Meaning', of: ({ meaning }) => withCode(meaning) },
  ];
}

/** In .env.example: a comment, and the variables that it describes. */
const DESCRIBED = /(?<meaning>(?:^# .*\n)+)(?<names>(?:^#?[A-Z_]+=.*\n)+)/gm;

/** The areas of .env.example, with what it says of each setting. */
function settings(): [area: string, Setting[]][] {
  const example = readFileSync(join(projectFolder, '.env.example'), 'utf8');
  const areas = example.split(/^# --- /m).map((part): [string, Setting[]] => {
    const all = [...part.matchAll(DESCRIBED)].flatMap(([, comment = '', names = '']) => {
      const meaning = comment.replace(/^# /gm, '').replaceAll('\n', ' ');
      const described = SETTINGS.filter(({ name }) => new RegExp(`^#?${name}=`, 'm').test(names));
      return described.map((one) => ({ ...one, meaning }));
    });
    return [part.split(' --', 1)[0] ?? '', all];
  });
  return areas.filter(([, found]) => found.length > 0);
}

function shownValue({ name, isSecret }: Setting, { [name]: value }: Config): Html {
  if (value === undefined || value === '') return html`<span class="hint">not set</span>`;
  return html`<code>${isSecret ? '•••••• (set)' : textOf(name, value)}</code>`;
}

function textOf(name: string, value: NonNullable<Config[keyof Config]>): string {
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
