import * as z from 'zod';
import { arrayOf, parseBody } from '../relay/parse-body.js';
import { UpstreamError } from '../relay/upstream-error.js';
import type { UpstreamRequest } from '../relay/upstream-request.js';
import { givenBus, MOST_SERVICES, type Service } from './arrivals.js';

// A missing bus has an empty EstimatedArrival, whatever its other fields contain.
const bus = z.preprocess((given) => {
  const { EstimatedArrival: time, Load: load, Type: type, Feature: feature, ...rest } = Object(given);
  const { DestinationCode: destination_code, Monitored: monitored } = rest;
  return time === '' ? null : { time, load, type, feature, destination_code, monitored };
}, givenBus);

const service = z.object({ ServiceNo: z.string().min(1), NextBus: bus, NextBus2: bus, NextBus3: bus });
const body = z.object({ BusStopCode: z.string(), Services: arrayOf(service, MOST_SERVICES) });

/** LTA DataMall, Bus Arrival v3, https://datamall.lta.gov.sg. A stop has five digits. */
export function ltaRequest(stop: string, key: string): UpstreamRequest<Service[]> {
  return {
    path: '/ltaodataservice/v3/BusArrival',
    query: { BusStopCode: stop },
    headers: { accountkey: key },
    parse(response) {
      const { BusStopCode, Services } = parseBody(body, response.body);
      if (BusStopCode !== stop) throw new UpstreamError('invalid', 'the response is for another stop');
      return Services.map(({ ServiceNo, NextBus, NextBus2, NextBus3 }) => ({
        serviceNo: ServiceNo,
        buses: [NextBus, NextBus2, NextBus3],
      }));
    },
  };
}

// Its own `duration_ms` may be up to 15 seconds old, so only the instant counts.
const arrivelahService = z.object({
  no: z.string().min(1),
  next: givenBus,
  next2: givenBus,
  next3: givenBus,
});
const arrivelahBody = z.object({ services: arrayOf(arrivelahService, MOST_SERVICES) });

/** Relays LTA DataMall: https://github.com/cheeaun/arrivelah. A stop has five digits. */
export function arrivelahRequest(stop: string): UpstreamRequest<Service[]> {
  return {
    path: '/',
    query: { id: stop },
    parse(response) {
      const { services } = parseBody(arrivelahBody, response.body);
      return services.map(({ no, next, next2, next3 }) => ({ serviceNo: no, buses: [next, next2, next3] }));
    },
  };
}
