import * as z from 'zod';
import { arrayOf, parseBody } from '../relay/parse-body.js';
import type { Upstream } from '../relay/upstream.js';
import { UpstreamError } from '../relay/upstream-error.js';
import { type Bus, busOf, loads, MOST_SERVICES, type Service, vehicleTypes } from './arrivals.js';

// A missing bus has an empty EstimatedArrival, whatever its other fields contain.
const absent = z.object({ EstimatedArrival: z.literal('') });
const present = z.object({
  EstimatedArrival: z.iso.datetime({ offset: true }),
  Load: z.enum([...loads, '']),
  Type: z.enum([...vehicleTypes, '']),
  Feature: z.enum(['WAB', '']),
  DestinationCode: z.string().nullish(),
  Monitored: z.number().nullish(),
});
const bus = z.union([absent, present]);

const body = z.object({
  BusStopCode: z.string(),
  Services: arrayOf(
    z.object({ ServiceNo: z.string().min(1), NextBus: bus, NextBus2: bus, NextBus3: bus }),
    MOST_SERVICES,
  ),
});

/** LTA DataMall, Bus Arrival v3, https://datamall.lta.gov.sg. A stop has five digits. */
export async function askLta(
  upstream: Upstream,
  stop: string,
  key: string,
  signal: AbortSignal,
): Promise<Service[]> {
  const { BusStopCode, Services } = await upstream.send(
    {
      path: '/ltaodataservice/v3/BusArrival',
      query: { BusStopCode: stop },
      headers: { accountkey: key },
      parse: (response) => parseBody(body, response.body),
    },
    signal,
  );
  if (BusStopCode !== stop) throw new UpstreamError('invalid', 'the response is for another stop');
  return Services.map((service) => ({
    serviceNo: service.ServiceNo,
    buses: [toBus(service.NextBus), toBus(service.NextBus2), toBus(service.NextBus3)],
  }));
}

function toBus(given: z.infer<typeof bus>): Bus | null {
  if (!('Load' in given)) return null;
  const { EstimatedArrival: time, Load: load, Type: type, Feature: feature } = given;
  return busOf({ time, load, type, feature, destination: given.DestinationCode, monitored: given.Monitored });
}
