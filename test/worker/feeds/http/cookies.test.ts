import { expect, test } from 'vitest';
import { type Feed, ratesFrom } from '../../../../worker/feeds/feed.js';
import { withCookies } from '../../../../worker/feeds/http/cookies.js';
import { readFeed, standIn } from '../support.js';
import { clientWith } from './servers.js';

test('cookies go back to the host that set them, the newest of each name', async () => {
  const odd = ['lang= en ; Path=/', 'nothing', '=nameless'];
  const cookies = ['id=a=1; Path=/; HttpOnly', ...odd, 'id=b; Expires=Mon, 02 Mar 2026 10:00:00 GMT'];
  const form = { headers: { 'set-cookie': cookies } };
  const bank = await standIn({ 'GET /form': form, 'POST /form': 'ok', 'GET other.example/': 'ok' });
  const client = withCookies(clientWith({ address: () => new URL(bank.origin), limits: { attempts: 1 } }));
  await client.get('https://bank.example/form');
  await client.post('https://bank.example/form', { form: { a: '1' }, headers: { referer: 'x' } });
  await client.get('https://other.example/');
  await bank.close();
  const sent = bank.requests.map(({ headers }) => `${headers.cookie} ${headers.referer}`);
  expect(sent).toEqual(['undefined undefined', 'id=b; lang=en x', 'undefined undefined']);
});

test('a feed sends back the cookies of a run, whatever it asks for them, and those of no other', async () => {
  const feed: Feed = {
    key: 'ECB',
    async *read(window, { http, navigation }) {
      await navigation.get('https://bank.example/form');
      const response = await http.get('https://bank.example/rates');
      const row = { date: window.from, base: 'EUR', quote: 'USD', rate: 1.1 };
      yield ratesFrom(response, window, [row], (one) => one);
    },
  };
  const answers = { 'GET /form': { headers: { 'set-cookie': 'visit=1' } }, 'GET /rates': 'ok' };
  for (let run = 0; run < 2; run++) {
    const { requests } = await readFeed(feed, '2026-03-02..2026-03-02', answers);
    expect(requests.map(({ headers }) => headers.cookie)).toEqual([undefined, 'visit=1']);
  }
});
