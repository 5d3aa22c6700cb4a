import type { Receipt } from '../../../core/domain/receipt/schema.js';
import type { AppliedRule } from '../../../core/domain/rules.js';
import { CONTENT_TYPES } from '../../formats/record-formats.js';
import type { Content } from '../../http/reply.js';

export const RULE_COLUMNS = ['rule_id', 'rule_citation', 'rule_day', 'rule_source'] as const;

/** Adds the rule to a body of one record, in CSV in the columns of `RULE_COLUMNS`. Text stays unchanged. */
export function withRule(content: Content, rule: AppliedRule): Content {
  return withMember(content, { rule }, [RULE_COLUMNS.join(), ruleCells(rule)]);
}

/** Adds a receipt to a body of one record, in CSV as a cell of JSON. */
export function withReceipt(content: Content, receipt: Receipt): Content {
  return withMember(content, { receipt }, ['receipt', quoted(JSON.stringify(receipt))]);
}

/** In CSV, adds the columns to its first line, if it has a header, and the cells to its last. */
function withMember(content: Content, member: object, added: [columns: string, cells: string]): Content {
  if (content.type === CONTENT_TYPES.text) return content;
  const text = String(content.body);
  if (content.type === CONTENT_TYPES.csv) {
    const lines = text.trimEnd().split('\n');
    const ends = added.slice(-lines.length);
    return { ...content, body: Buffer.from(lines.map((line, at) => `${line},${ends[at]}\n`).join('')) };
  }
  const end = text.lastIndexOf('}');
  const members = JSON.stringify(member).slice(1, -1);
  return { ...content, body: Buffer.from(`${text.slice(0, end)},${members}${text.slice(end)}`) };
}

/** Encodes a rule as CSV cells, as its citation may contain commas. */
export function ruleCells({ id, citation, day, source }: AppliedRule): string {
  return `${id},${quoted(citation)},${day},${source}`;
}

/** Quotes a cell (RFC 4180). */
export function quoted(text: string): string {
  return `"${text.replaceAll('"', '""')}"`;
}
