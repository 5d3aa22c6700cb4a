import { expect, it } from 'vitest';
import { withIds } from '../../../src/openapi/operation-ids.js';

const idsOf = (...operations: string[]) =>
  withIds(
    operations.map((text) => {
      const [method = '', path = '', operationId] = text.split(' ');
      return { method, path, ...(operationId && { operationId }) };
    }),
  ).map(({ operationId }) => operationId);

it.each([
  ['get /v2/rates', 'listRates'],
  ['get /v2/currencies', 'listCurrencies'],
  ['get /v2/currencies/{code}', 'getCurrency'],
  ['get /v2/providers/{key}/rate/{base}/{quote}', 'getProviderRate'],
  ['get /v2/rate/{base}/{quote}.txt', 'getRateTxt'],
  ['get /oxr/api/historical/{date}.json', 'getOxrApiHistorical'],
  ['get /oxr/api/time-series.json', 'getOxrApiTimeSeries'],
  ['get /sg/bus-arrivals', 'listSgBusArrivals'],
  ['get /cdn/@some/api@{date}/{file}', 'getCdnSomeApi'],
  ['get /v1/latest', 'getV1Latest'],
  ['get /v1/{days}', 'getV1ByDays'],
  ['post /admin/suspects/{id}/accept', 'acceptAdminSuspect'],
  ['post /notes', 'postNotes'],
  ['get /v2/convert/{base}/{quote} convertAmount', 'convertAmount'],
])('%s is %s', (operation, id) => {
  expect(idsOf(operation)).toEqual([id]);
});

it('operations that would have one id have their parameters in it too', () => {
  const shared = ['get /data/{flow}', 'get /data/{flow}/{key}', 'get /other/{flow}'];
  expect(idsOf(...shared)).toEqual(['getDataByFlow', 'getDataByFlowKey', 'getOther']);
});
