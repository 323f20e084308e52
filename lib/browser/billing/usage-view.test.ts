import { describe, expect, it } from 'vitest';
import { chargesQueryOf, readRequestId, readUsageView, usageHref } from './usage-view';

const ID = 'a1b2c3d4e5f60718293a4b5c6d7e8f90';
const read = (query: string) => readUsageView(new URLSearchParams(query));

describe('a view of the usage', () => {
  it.each([
    '',
    'days=7',
    'days=90&resource=rpc%2Fbase-mainnet',
    'days=1&resource=chat%2Fguide&key=12',
    `request=${ID}`,
    `request=${ID}&days=7`,
  ])('comes back from its address: %s', (query) => {
    expect(usageHref(read(query))).toBe(query === '' ? '/usage' : `/usage?${query}`);
  });

  it('leaves out what no address of this page says', () => {
    const plain = { days: 30, resource: '', key: '', request: '' };
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

describe('a pasted id of a request', () => {
  it('is found among what was copied with it', () => {
    for (const text of [ID, `  ${ID}\n`, `"${ID}"`, `X-Request-ID: ${ID}`, `x-request-id:${ID}`])
      expect(readRequestId(text)).toBe(ID);
  });

  it('is none where it holds anything else', () => {
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
