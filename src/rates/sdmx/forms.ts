import type { BodyContext, BodyForm } from './body.js';
import { csvForm } from './csv.js';
import { genericXmlForm } from './generic-xml.js';
import { jsonForm } from './json.js';
import type { DataBody } from './media-types.js';
import type { SeriesReader } from './series.js';

type MakeForm = (context: BodyContext, read: SeriesReader) => BodyForm | Promise<BodyForm>;

/** The format of each body. */
export const FORMS: Readonly<Record<DataBody, MakeForm>> = {
  'generic-xml': genericXmlForm,
  json: (context, read) => jsonForm('json', context, read),
  'draft-json': (context, read) => jsonForm('draft-json', context, read),
  csv: (context) => csvForm('csv', context),
  'csv-2': (context) => csvForm('csv-2', context),
  'ecb-csv': (context) => csvForm('ecb-csv', context),
};
