import { padded, type ReferenceTable, textsOf } from './reference-table.js';

// The bank indents the file of a day and puts single quotes around its values. The history has a line for each day, and
// double quotes.

const OPENING = '<?xml version="1.0" encoding="UTF-8"?>';
const ENVELOPE =
  '<gesmes:Envelope xmlns:gesmes="http://www.gesmes.org/xml/2002-08-01" xmlns="http://www.ecb.int/vocabulary/2002-08-01/eurofxref">';
const SUBJECT = '<gesmes:subject>Reference rates</gesmes:subject>';

export async function* dailyXml({ publisher, codes, days }: ReferenceTable): AsyncGenerator<string> {
  for await (const { date, rates } of days) {
    const texts = textsOf(rates);
    const lines = [OPENING, ENVELOPE, `\t${SUBJECT}`, '\t<gesmes:Sender>'];
    lines.push(`\t\t<gesmes:name>${publisher.name}</gesmes:name>`, '\t</gesmes:Sender>', '\t<Cube>');
    lines.push(`\t\t<Cube time='${date}'>`);
    for (const code of codes) {
      const rate = texts.get(code);
      if (rate !== undefined) lines.push(`\t\t\t<Cube currency='${code}' rate='${padded(code, rate)}'/>`);
    }
    yield [...lines, '\t\t</Cube>', '\t</Cube>', '</gesmes:Envelope>'].join('\n');
    return;
  }
}

export async function* historyXml({ publisher, codes, days }: ReferenceTable): AsyncGenerator<string> {
  const from = `<gesmes:Sender><gesmes:name>${publisher.name}</gesmes:name></gesmes:Sender>`;
  let before = `${OPENING}${ENVELOPE}${SUBJECT}${from}<Cube>`;
  for await (const { date, rates } of days) {
    const texts = textsOf(rates);
    let text = `${before}<Cube time="${date}">`;
    for (const code of codes) {
      const rate = texts.get(code);
      if (rate !== undefined) text += `<Cube currency="${code}" rate="${rate}"/>`;
    }
    yield `${text}</Cube>`;
    before = '\n';
  }
  yield '</Cube></gesmes:Envelope>';
}
