import { describe, expect, it } from 'vitest';
import { chargesQueryOf, readRequestId, readUsageView, requestsQueryOf, usageHref } from './usage-view';

const ID = 'a1b2c3d4e5f60718293a4b5c6d7e8f90';
const read = (query: string) => readUsageView(new URLSearchParams(query));

describe('a view of the usage', () => {
  it.each([
    '',
    'days=7',
    'days=90&resource=rpc%2Fbase-mainnet',
    'days=1&resource=chat%2Fguide&key=12',
    'days=7&list=errors',
    'list=charges',
    'tab=requests&by=status&status=429',
    'tab=latency&by=network&day=2026-11-20&product=rpc',
    'status=interrupted',
    `request=${ID}`,
    `request=${ID}&days=7`,
  ])('comes back from its address: %s', (query) => {
    expect(usageHref(read(query))).toBe(query === '' ? '/usage' : `/usage?${query}`);
  });

  it('lists the requests of a chosen status, not the errors', () =>
    expect(read('list=errors&status=200').list).toBe('requests'));

  it('leaves out what no address of this page says', () => {
    const plain = {
      days: 30,
      day: '',
      tab: 'cost',
      by: 'product',
      product: '',
      resource: '',
      key: '',
      status: '',
      request: '',
      list: 'requests',
    };
    for (const query of [
      'days=31',
      'days=abc',
      'key=0',
      'key=-1',
      'key=1e9',
      `resource=${'r'.repeat(201)}`,
      'resource=%00',
      'request=',
      'request=%3Cscript%3E',
      `request=${'r'.repeat(65)}`,
      'request=%F0%9F%99%82',
      'other=1',
      'list=all',
      'list=requests',
      'tab=gold',
      'by=status',
      'by=colour',
      'product=gold',
      'status=4xx',
      'status=999',
      'day=2026-02-30',
      'day=yesterday',
    ])
      expect(read(query), query).toEqual(plain);
  });

  it('of a request looks for it far back', () => {
    expect(read(`request=${ID}`).days).toBe(365);
    expect(chargesQueryOf(read(`request=${ID}`))).toMatchObject({
      requestId: ID,
      startDate: expect.stringMatching(/^\d{4}-\d\d-\d\d$/) as string,
    });
  });
});

describe('the requests of a view', () => {
  it('are of its network or model, its key and its outcome', () => {
    expect(requestsQueryOf(read('resource=rpc%2Fbase-mainnet&key=12&list=errors'))).toEqual({
      startDate: expect.any(String),
      product: 'rpc',
      network: 'base-mainnet',
      apiKeyId: '12',
      status: 'failed',
    });
    const listed = read('status=429&list=errors&product=rpc&day=2026-11-20');
    expect(requestsQueryOf(listed)).toEqual({
      startDate: '2026-11-20',
      endDate: '2026-11-20',
      product: 'rpc',
      status: '429',
    });
    expect(requestsQueryOf(read('list=errors'), false)).not.toHaveProperty('status');
    expect(chargesQueryOf(listed)).toEqual({ startDate: '2026-11-20', endDate: '2026-11-20', product: 'rpc' });
    expect(requestsQueryOf(read('resource=chat%2Fa%2Fb'))).toMatchObject({ product: 'chat', model: 'a/b' });
    expect(requestsQueryOf(read(`request=${ID}&list=errors`))).toEqual({
      startDate: expect.any(String),
      requestId: ID,
    });
  });

  it('are all of them where the address names nothing that is sold', () => {
    for (const resource of ['gold%2Fbar', 'rpc', '%2F'])
      expect(requestsQueryOf(read(`resource=${resource}`))).toEqual({ startDate: expect.any(String) });
  });
});

describe('a pasted id of a request', () => {
  it('is found among what was copied with it', () => {
    for (const text of [ID, `  ${ID}\n`, `"${ID}"`, `X-Request-ID: ${ID}`, `x-request-id:${ID}`])
      expect(readRequestId(text)).toBe(ID);
  });

  it('is null for a text that is not one request id', () => {
    for (const text of [
      '',
      '   ',
      'two words',
      '🙂',
      'שלום',
      `${ID}&resource=x`,
      'a'.repeat(65),
      'a'.repeat(1_000_000),
    ])
      expect(readRequestId(text)).toBeNull();
  });
});
