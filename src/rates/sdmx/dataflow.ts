import { currencies } from '../../../core/domain/currencies.js';

export const AGENCY = 'ALMANAC';
/** The ID of the dataflow, of its data structure and of the dimension groups in keys of series. */
export const DATAFLOW = 'EXR';
export const VERSION = '1.0';

type Codes = ReadonlyMap<string, string>;

export interface Component {
  readonly id: string;
  readonly name: string;
  readonly codelist: { readonly id: string; readonly name: string; readonly codes: Codes };
}

const currencyCodes: Codes = new Map([...currencies].map(([code, { name }]) => [code, name]));
const currencyList = { id: 'CL_CURRENCY', name: 'Currencies', codes: currencyCodes };

/** The dimensions of a series, in the order of its key: the same as in the ECB's dataflow of this name. */
export const DIMENSIONS = [
  component('FREQ', 'Frequency', 'Frequencies', {
    D: 'Daily',
    W: 'Weekly',
    M: 'Monthly',
    Q: 'Quarterly',
    A: 'Annual',
  }),
  { id: 'CURRENCY', name: 'Currency', codelist: currencyList },
  { id: 'CURRENCY_DENOM', name: 'Currency denominator', codelist: currencyList },
  component('EXR_TYPE', 'Exchange rate type', 'Exchange rate types', {
    SP00: 'Spot',
    BUY: 'Price at which the source buys the currency denominator',
    SELL: 'Price at which the source sells the currency denominator',
  }),
  component('EXR_SUFFIX', 'Series variation', 'Series variations', { A: 'Average', E: 'End of period' }),
] as const satisfies readonly Component[];

export type DimensionId = (typeof DIMENSIONS)[number]['id'];

/** The time dimension, which has no code list. */
export const TIME_PERIOD = { id: 'TIME_PERIOD', name: 'Time period' } as const;

/** The value of an observation: the units of CURRENCY per unit of CURRENCY_DENOM. */
export const OBS_VALUE = { id: 'OBS_VALUE', name: 'Observation value' } as const;

export const OBS_STATUS = component('OBS_STATUS', 'Observation status', 'Observation statuses', {
  A: 'Normal value',
  U: 'Low reliability',
});

export const UNIT_MULT = component('UNIT_MULT', 'Unit multiplier', 'Unit multipliers', { 0: 'Units' });

function component<const Id extends string>(
  id: Id,
  name: string,
  listName: string,
  codes: Readonly<Record<string, string>>,
): Component & { readonly id: Id } {
  return { id, name, codelist: { id: `CL_${id}`, name: listName, codes: new Map(Object.entries(codes)) } };
}
